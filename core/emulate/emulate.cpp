#include <phobos/emulate/emulate.h>

#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include "host.h"
#include "instrument.h"
#include "machine.h"

namespace phobos::emulate {

namespace {

namespace orc = llvm::orc;

constexpr std::int64_t most_live = 16384;  // each with a stack of its own

Error internal(const std::string& what, llvm::Error error) { return Error{fmt::format("internal: {}: {}", what, llvm::toString(std::move(error)))}; }

llvm::Expected<std::unique_ptr<orc::LLJIT>> make_compiler() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto machine = orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return machine.takeError();
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  machine->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Standard;  // a*b + c stays two roundings
  return orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
}

}  // namespace

Result<Outcome> run(std::string_view llvm, const std::string& entry, const Launch& launch, const Options& options) {
  const auto [x, y, z] = launch.grid;
  std::int64_t ctas = 1;
  for (const std::int64_t extent : launch.grid)
    if (__builtin_mul_overflow(ctas, extent, &ctas) || ctas > INT32_MAX)
      return Error{fmt::format("a grid of {} x {} x {} CTAs is too large: the emulator runs at most {}", x, y, z, INT32_MAX)};
  const bool few = x <= most_live && y <= most_live && z <= most_live && x * y * z * launch.threads <= most_live;
  if (launch.all_live && !few)
    return Error{fmt::format("the emulator keeps at most {} threads alive at once, and the {} x {} x {} CTAs of this grid wait for each other", most_live, x, y, z)};
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic fault;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssembly(llvm::MemoryBufferRef(llvm::StringRef(llvm.data(), llvm.size()), "kernel"), fault, *context);
  if (!module) return Error{fmt::format("internal: line {} of the module: {}", fault.getLineNo(), fault.getMessage().str())};

  auto compiler = make_compiler();
  if (!compiler) return internal("no compiler for this machine", compiler.takeError());
  orc::LLJIT& jit = **compiler;
  module->setDataLayout(jit.getDataLayout());
  module->setTargetTriple(jit.getTargetTriple());
  Result<std::vector<Site>> sites = instrument(*module, entry);
  if (!sites) return Error{sites.message()};
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) return Error{"internal: the module for the host is malformed: " + broken};

  orc::SymbolMap symbols;
  for (const auto& [name, function] : host_functions())
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
  if (auto error = jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)))) return internal("symbols", std::move(error));
  if (auto rest = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix()))
    jit.getMainJITDylib().addGenerator(std::move(*rest));
  if (auto error = jit.addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context)))) return internal("the module", std::move(error));
  auto address = jit.lookup(entry_name);
  if (!address) return internal("compiling for the host", address.takeError());

  Launch placed = launch;
  placed.all_live = launch.all_live || (launch.may_wait && few);
  Machine machine(placed, options, std::move(*sites));
  return machine.run(address->toPtr<Machine::Kernel>());
}

}  // namespace phobos::emulate
