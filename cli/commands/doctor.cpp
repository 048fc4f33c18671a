#include <memory>
#include <thread>

#include <fmt/format.h>

#include <phobos/launch/cache.h>

#include "../devices.h"
#include "../output.h"
#include "commands.h"

namespace phobos::cli {
namespace {

Json report() {
  Devices devices;
  const Result<std::unique_ptr<device::Worker>>& gpu = devices.gpu();
  Json json = {{"version", PHOBOS_VERSION}};
  if (gpu) {
    const device::Info& info = gpu.value()->info();
    json["gpu"] = info.name;
    json["chip"] = info.chip;
    json["driver"] = fmt::format("CUDA {}.{}", info.driver_version / 1000, info.driver_version % 1000 / 10);
    json["multiprocessors"] = info.multiprocessors;
    json["memory_bytes"] = info.memory_bytes;
    json["shared_bytes_per_block"] = info.shared_bytes_optin;
  } else {
    json["gpu"] = nullptr;
    json["gpu_missing"] = gpu.message();
  }
  const Result<std::string> chip = chip_for("", gpu ? gpu.value().get() : nullptr);
  json["compiles_for"] = chip ? *chip : chip.message();
  const std::optional<std::string> ptxas = find_ptxas();
  json["ptxas"] = ptxas ? Json(*ptxas) : Json(nullptr);
  const launch::CodeCache cache = launch::CodeCache::from_environment();
  json["cache"] = cache.folder().empty() ? Json(nullptr) : Json(cache.folder().string());
  json["cache_bytes_most"] = cache.bound();
  json["build"] = launch::build_identity();
  json["simulator_threads"] = std::max(1u, std::thread::hardware_concurrency());
  return json;
}

void put_text(const Json& json) {
  put(fmt::format("phobos     {}\n", PHOBOS_VERSION));
  if (json["gpu"].is_null()) {
    put(fmt::format("GPU        none: {}\n", json["gpu_missing"].get<std::string>()));
  } else {
    put(fmt::format("GPU        {}, {}, {} multiprocessors, {:.4g} GB\n", json["gpu"].get<std::string>(), json["chip"].get<std::string>(),
                    json["multiprocessors"].get<int>(), json["memory_bytes"].get<double>() / (1 << 30)));
    put(fmt::format("driver     {}\n", json["driver"].get<std::string>()));
  }
  put(fmt::format("compiles   for {}, unless --chip says otherwise\n", json["compiles_for"].get<std::string>()));
  put(fmt::format("ptxas      {}\n", json["ptxas"].is_null() ? "not found: the driver compiles PTX by itself" : json["ptxas"].get<std::string>()));
  put(fmt::format("cache      {}\n", json["cache"].is_null() ? "none: there is no folder for it" : fmt::format("{}, at most {:.4g} MB", json["cache"].get<std::string>(),
                                                                                                     json["cache_bytes_most"].get<double>() / (1 << 20))));
  put(fmt::format("simulator  {} threads\n", json["simulator_threads"].get<unsigned>()));
}

}  // namespace

void add_doctor(CLI::App& program, Chosen& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("doctor", "What this machine offers");
  add_common(*command, *options);
  command->callback([=, &chosen] {
    chosen = [=] {
      const Json json = report();
      if (options->json) put_json(json);
      else put_text(json);
      return static_cast<int>(exit_done);
    };
  });
}

}  // namespace phobos::cli
