#include <algorithm>
#include <ctime>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "addresses.h"
#include "emitter.h"

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace phobos::nvptx {

namespace {

void set_option(llvm::StringRef name) {
  const auto option = llvm::cl::getRegisteredOptions().find(name);
  if (option != llvm::cl::getRegisteredOptions().end()) option->second->addOccurrence(0, name, "true");
}

std::unique_ptr<llvm::TargetMachine> make_machine(const Chip& chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    // Of instructions that became one, one has its place in the source: a line of 0 would tell nothing.
    set_option("pick-merged-source-locations");
    // A pointer of its own that each access of a loop moves on is two registers and two additions a turn. ptxas finds the few that
    // pay; with LLVM's, gemm held 150 registers instead of 124, and a third of code generation's time went there.
    set_option("disable-lsr");
    // Addresses of shared memory are 32 bits wide: half the registers, and sums of one instruction.
    set_option("nvptx-short-ptr");
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // a*b + c stays two roundings
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, chip.name, chip.features, options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Default));
}

// Ours, and short: what the emitter leaves behind (helpers to inline, the same address twice, branches on constants), unrolling
// where it was asked for, and loop invariants. Nothing that would move what must stay put.
void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager function;
  function.addPass(llvm::PromotePass());
  function.addPass(llvm::EarlyCSEPass(false));
  function.addPass(llvm::SimplifyCFGPass());
  function.addPass(llvm::InstCombinePass());
  function.addPass(llvm::LoopSimplifyPass());
  function.addPass(llvm::LCSSAPass());
  function.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  function.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2, false, false).setPartial(false).setRuntime(false)));
  function.addPass(llvm::SimplifyCFGPass());  // turns become one block: InstCombine would sink through them one by one, in quadratic time
  function.addPass(llvm::EarlyCSEPass(true));
  function.addPass(llvm::InstCombinePass());
  function.addPass(llvm::SimplifyCFGPass());
  function.addPass(ScaleOnce());
  function.addPass(llvm::ADCEPass());

  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::AlwaysInlinerPass(false));
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(function)));
  pipeline.run(module, modules);
}

// Straight-line strength reduction takes time quadratic in the accesses of a block, of which a tile has one a slot, for addresses
// that ptxas computes as well without it.
class Gate : public llvm::OptPassGate {
 public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override { return pass != "slsr"; }
};

// Milliseconds that this thread has had a core for.
double worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// The entry for bulk copies, in the same module; with fewer stages where they do not fit beside what the kernel exchanges. Nothing of it is
// left where none fits.
void add_bulk(Compiled& compiled, const BulkKernel& bulk, llvm::Module& module, const Options& options, const Chip& chip, SourcePlaces* places) {
  for (passes::BulkPlan plan = bulk.plan;;) {
    Emitter emitter(bulk.kernel, module, options, chip, places, &plan);
    Outcome made = emitter.run();
    if (made) {
      compiled.bulk = std::move(made->bulk);
      // What only this entry does on the fastest path, the plain one need not explain.
      for (const ir::Decision& decision : made->decisions)
        for (ir::Decision& plain : compiled.decisions)
          if (decision.kind == ir::Decision::Kind::Contraction && plain.kind == decision.kind && plain.span == decision.span && plain.path != decision.path) {
            plain.path = "else: " + plain.path;
            plain.reason.clear();
            plain.fast = true;
          }
      for (ir::Decision& decision : made->decisions)
        if (std::find(compiled.decisions.begin(), compiled.decisions.end(), decision) == compiled.decisions.end()) compiled.decisions.push_back(std::move(decision));
      break;
    }
    emitter.erase();
    const bool full = made.error().diagnostic && made.error().diagnostic->code == diag::Code::SharedTooLarge;
    if (full && plan.shrink()) continue;
    if (!full && plan.teams == 2) {
      plan.teams = 1;
      continue;
    }
    compiled.decisions.push_back({ir::Decision::Kind::Loop, bulk.kernel[plan.loop].span, "loop over contractions", "no entry for bulk copies", made.message(), false, false});
    break;
  }
  std::stable_sort(compiled.decisions.begin(), compiled.decisions.end(), [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
}

Outcome compile(const ir::Kernel& kernel, const Options& options, bool to_ptx, const BulkKernel* bulk) {
  const Chip* chip = passes::find_chip(options.chip);
  if (!chip) return Refusal(fmt::format("`{}` is no chip that can be compiled for; {} are", options.chip, passes::chip_names()));
  const std::unique_ptr<llvm::TargetMachine> machine = make_machine(*chip);
  if (!machine) return Refusal("internal: LLVM has no NVPTX target");
  Gate gate;
  llvm::LLVMContext context;
  context.setOptPassGate(gate);
  llvm::Module module(kernel.name, context);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  const double start = worked();
  SourcePlaces places;
  Emitter emitter(kernel, module, options, *chip, to_ptx ? &places : nullptr);
  Outcome compiled = emitter.run();
  if (!compiled) return compiled;
  if (bulk && !options.checked) add_bulk(*compiled, *bulk, module, options, *chip, to_ptx ? &places : nullptr);
  const double emitted = worked();
  if (!to_ptx) {
    llvm::raw_string_ostream stream(compiled->text);
    module.print(stream, nullptr);
    return compiled;
  }
  optimise(module, *machine);
  const double optimised = worked();
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return Refusal("internal: LLVM cannot write PTX");
  codegen.run(module);
  compiled->text = places.rewrite(text.str());
  compiled->stages = {emitted - start, optimised - emitted, worked() - optimised};
  return compiled;
}

}  // namespace

Outcome emit_ptx(const ir::Kernel& kernel, const Options& options, const BulkKernel* bulk) { return compile(kernel, options, true, bulk); }
Outcome emit_llvm(const ir::Kernel& kernel, const Options& options, const BulkKernel* bulk) { return compile(kernel, options, false, bulk); }

}  // namespace phobos::nvptx
