"""A kernel compiled by `phobos build`, launched from Python by what its contract says, on tensors of PyTorch.

Only the CUDA driver's interface is used (by ctypes), so what is timed is the kernel and nothing of a runtime of ours."""
import ctypes, json, math, pathlib, subprocess, tempfile

import torch

DRIVER = ctypes.CDLL("libcuda.so.1")
INTEGERS = {"bool": ctypes.c_uint8, "i8": ctypes.c_int8, "u8": ctypes.c_uint8, "i16": ctypes.c_int16, "u16": ctypes.c_uint16,
            "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64, "u64": ctypes.c_uint64}
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


ELEMENT = {1: 0, 2: 1, 4: 2}          # CU_TENSOR_MAP_DATA_TYPE_UINT8, _UINT16, _UINT32
TF32 = 11                             # CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
SWIZZLE = {32: 1, 64: 2, 128: 3}      # CU_TENSOR_MAP_SWIZZLE_32B, _64B, _128B
L2_PROMOTION_256B = 3


class TensorMap(ctypes.Structure):
    _fields_ = [("opaque", ctypes.c_uint64 * 16)]


class BuildError(RuntimeError):
    """`phobos build` refused the kernel; the text is what it said."""


def check(code, what):
    if code:
        text = ctypes.c_char_p()
        DRIVER.cuGetErrorString(code, ctypes.byref(text))
        raise RuntimeError(f"{what}: {(text.value or b'?').decode()} ({code})")


class Kernel:
    """`file`'s kernel `name` with the autotune constants and dimensions `constants` (a dict), of which the rest is chosen by cost where all dimensions
    are there; `kernel(x=..., alpha=...)` gives a function that launches
    it on the current stream. Dimensions come from the tensors, the grid from the contract."""

    def __init__(self, phobos, file, name, constants=None):
        with tempfile.TemporaryDirectory() as folder:
            ptx, contract = pathlib.Path(folder, "kernel.ptx"), pathlib.Path(folder, "contract.json")
            words = [f"{key}={value}" for key, value in (constants or {}).items()]
            done = subprocess.run([phobos, "build", str(file), *words, "--kernel", name, "-o", str(ptx), "--contract", str(contract)],
                                  capture_output=True, text=True, timeout=300)
            if done.returncode:
                raise BuildError((done.stderr or done.stdout).strip())
            text, self.contract = ptx.read_bytes(), json.loads(contract.read_text())
        torch.cuda.current_stream()  # makes the context that the module is loaded into
        torch.zeros(1, device="cuda")
        self.module = ctypes.c_void_p()
        check(DRIVER.cuModuleLoadData(ctypes.byref(self.module), text), "loading the PTX")

    def entry(self, name, shared):
        function = ctypes.c_void_p()
        check(DRIVER.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode()), "finding the entry")
        if shared > 48 << 10:
            check(DRIVER.cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, shared), "shared memory")
        return function

    def __call__(self, **given):
        sizes = self.sizes(given)
        values = [self.value(parameter, given, sizes) for parameter in self.contract["ptx_parameters"]]
        grid = [math.ceil((sizes[side["extent"]] if isinstance(side["extent"], str) else side["extent"]) / side["step"])
                for side in self.contract["grid"]]
        chosen, bulk = self.contract, self.contract["bulk"]
        if bulk and all(self.may_copy(bulk, given[each["tensor"]]) for each in bulk["maps"]):
            chosen = bulk
            values += [tensor_map(each, given[each["tensor"]]) for each in bulk["maps"]] + [ctypes.c_uint32(extent) for extent in grid]
            blocks = math.prod(grid)
            rounds = math.ceil(blocks / min(blocks, torch.cuda.get_device_properties(0).multi_processor_count))
            grid = [math.ceil(blocks / rounds), 1, 1]  # as many as have equally much to do
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        threads, shared = chosen["threads"], chosen["dynamic_shared_bytes"]
        function = self.entry(chosen["entry"], shared)

        def launch(keep=(given, values)):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            check(DRIVER.cuLaunchKernel(function, *grid, threads, 1, 1, shared, stream, pointers, None), "the launch")

        return launch

    def may_copy(self, bulk, tensor):
        rows, columns = tensor.shape
        return 0 < rows <= bulk["largest_extent"] and 0 < columns <= bulk["largest_extent"] and columns * tensor.element_size() % bulk["row_granule"] == 0

    def sizes(self, given):
        sizes = {}
        for parameter in self.contract["parameters"]:
            if parameter["kind"] == "tensor":
                for extent, size in zip(parameter["shape"], given[parameter["name"]].shape, strict=True):
                    if sizes.setdefault(extent, size) != size:
                        raise ValueError(f"`{extent}` is {sizes[extent]} and {size}")
        return sizes

    def value(self, parameter, given, sizes):
        if parameter["kind"] == "pointer":
            return ctypes.c_uint64(given[parameter["name"]].data_ptr())
        if parameter["kind"] == "dimension":
            return ctypes.c_int64(sizes[parameter["name"]])
        if parameter["type"] == "f32":
            return ctypes.c_float(given[parameter["name"]])
        if parameter["type"] in INTEGERS:
            return INTEGERS[parameter["type"]](given[parameter["name"]])
        raise ValueError(f"no way to pass `{parameter['name']}`: {parameter}")


def tensor_map(described, tensor):
    """What cuTensorMapEncodeTiled makes of a row-major tensor; the driver wants it at a multiple of 64 bytes."""
    room = (ctypes.c_uint8 * (ctypes.sizeof(TensorMap) + 64))()
    made = TensorMap.from_buffer(room, -ctypes.addressof(room) % 64)
    rows, columns = tensor.shape
    sizes, strides = (ctypes.c_uint64 * 2)(columns, rows), (ctypes.c_uint64 * 1)(columns * tensor.element_size())
    box, ones = (ctypes.c_uint32 * 2)(described["box_columns"], described["box_rows"]), (ctypes.c_uint32 * 2)(1, 1)
    element = TF32 if described["rounding"] == "tf32" else ELEMENT[described["element_bytes"]]
    check(DRIVER.cuTensorMapEncodeTiled(ctypes.byref(made), element, 2, ctypes.c_void_p(tensor.data_ptr()), sizes, strides, box, ones,
                                        0, SWIZZLE[described["swizzle"]], L2_PROMOTION_256B, 0), "making a tensor map")
    return made
