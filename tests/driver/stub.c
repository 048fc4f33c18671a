/* A libcuda.so for tests: memory is the host's, and a launch computes what its entry's name says, or fails as PHOBOS_STUB says.
   Each call that a test looks at is a line in the file that PHOBOS_STUB_LOG names.

     PHOBOS_STUB=word[,word…]   no-device, old, chip=75: what the machine is
                                by-grid: a launch takes a millisecond, and another for each CTA along x more or less than 4
                                illegal, misaligned, launch, memory, hang, crash, jit: how each launch (load, allocation) ends
     PHOBOS_STUB_ONCE=FILE      failures happen only while that file is there; the first removes it */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int CUresult;
static int broken; /* as a context stays that a kernel broke */
static char entry[128];
static unsigned ctas;

static void record(const char *format, ...) {
  const char *path = getenv("PHOBOS_STUB_LOG");
  FILE *log = path ? fopen(path, "a") : NULL;
  if (!log) return;
  va_list values;
  va_start(values, format);
  vfprintf(log, format, values);
  va_end(values);
  fputc('\n', log);
  fclose(log);
}
static const char *option(const char *name) {
  const char *all = getenv("PHOBOS_STUB");
  const size_t length = strlen(name);
  for (const char *at = all; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (!strncmp(at, name, length) && (at[length] == 0 || at[length] == ',' || at[length] == '=')) return at + length;
  return NULL;
}
static int fails(const char *name) {
  const char *once = getenv("PHOBOS_STUB_ONCE");
  if (!option(name)) return 0;
  return !once || unlink(once) == 0;
}

CUresult cuInit(unsigned flags) { (void)flags; return 0; }
CUresult cuDriverGetVersion(int *version) { *version = option("old") ? 11040 : 13000; return 0; }
CUresult cuGetErrorName(CUresult result, const char **name) {
  *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : result == 716 ? "CUDA_ERROR_MISALIGNED_ADDRESS" : result == 701 ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
        : result == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : result == 218 ? "CUDA_ERROR_INVALID_PTX" : result == 715 ? "CUDA_ERROR_ILLEGAL_INSTRUCTION" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
CUresult cuGetErrorString(CUresult result, const char **text) { (void)result; *text = "as the stub has it"; return 0; }
CUresult cuDeviceGetCount(int *count) { *count = option("no-device") ? 0 : 1; return 0; }
CUresult cuDeviceGet(int *device, int which) { *device = which; return 0; }
CUresult cuDeviceGetName(char *name, int size, int device) { (void)device; snprintf(name, (size_t)size, "stub"); return 0; }
CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = 1u << 30; return 0; }
CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *chip = option("chip");
  const int number = chip ? atoi(chip + 1) : 90;
  (void)device;
  *value = attribute == 75 ? number / 10 : attribute == 76 ? number % 10 : attribute == 16 ? 132 : attribute == 97 ? 227 * 1024 : 0;
  return 0;
}
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { (void)device; *context = &broken; record("context"); return 0; }
CUresult cuDevicePrimaryCtxRelease_v2(int device) { (void)device; return 0; }
CUresult cuDevicePrimaryCtxReset_v2(int device) { (void)device; broken = 0; return 0; }
CUresult cuCtxSetCurrent(void *context) { (void)context; return 0; }
CUresult cuCtxSynchronize(void) { return broken; }
CUresult cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (broken) return broken;
  if (fails("memory")) return 2;
  *address = (unsigned long long)(uintptr_t)malloc(bytes);
  return 0;
}
CUresult cuMemFree_v2(unsigned long long address) { free((void *)(uintptr_t)address); return 0; }
CUresult cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, int interleave, int swizzle, int promotion, int fill) {
  (void)interleave, (void)promotion, (void)fill, (void)address, (void)steps;
  memset(map, 0, 128);
  record("map %d %u: %llu x %llu, %llu bytes a row, boxes of %u x %u, swizzle %d", type, rank, (unsigned long long)extents[1], (unsigned long long)extents[0],
         (unsigned long long)strides[0], box[1], box[0], swizzle);
  return 0;
}
CUresult cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) { memcpy((void *)(uintptr_t)to, from, bytes); return broken; }
CUresult cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) { if (!broken) memcpy(to, (void *)(uintptr_t)from, bytes); return broken; }
CUresult cuMemsetD8_v2(unsigned long long to, unsigned char value, size_t bytes) { memset((void *)(uintptr_t)to, value, bytes); return broken; }
CUresult cuModuleLoadData(void **module, const void *image) {
  *module = entry;
  record("load %s", strstr(image, ".target") ? "ptx" : "cubin");
  return broken;
}
CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  if (fails("jit")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5) strcpy(values[i], "ptxas fatal: the stub refuses it");
    return 218;
  }
  return cuModuleLoadData(module, image);
}
CUresult cuModuleUnload(void *module) { (void)module; return 0; }
CUresult cuModuleGetFunction(void **function, void *module, const char *name) {
  (void)module;
  snprintf(entry, sizeof entry, "%s", name);
  *function = entry;
  return broken;
}
CUresult cuFuncSetAttribute(void *function, int attribute, int value) { (void)function; record("attribute %d %d", attribute, value); return 0; }
CUresult cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                        void **arguments, void **extra) {
  (void)function; (void)stream; (void)extra;
  record("launch %s %u,%u,%u %u,%u,%u %u", entry, gx, gy, gz, bx, by, bz, shared);
  ctas = gx;
  if (broken) return broken;
  if (fails("launch")) return 701;
  if (fails("illegal")) { broken = 700; return 0; }
  if (fails("misaligned")) { broken = 716; return 0; }
  if (fails("crash")) abort();
  if (fails("hang")) { broken = -1; return 0; }
  if (!strcmp(entry, "saxpy") || !strcmp(entry, "add")) {
    const int offset = !strcmp(entry, "saxpy") ? 1 : 0;
    const float alpha = offset ? *(float *)arguments[0] : 1, *x = *(float **)arguments[offset];
    const float *y = *(float **)arguments[offset + 1];
    float *out = *(float **)arguments[offset ? 2 : 2];
    const long long n = *(long long *)arguments[3];
    record("arguments %g %lld", alpha, n);
    for (long long i = 0; i < n; ++i) out[i] = alpha * x[i] + y[i];
  }
  return 0;
}
CUresult cuEventCreate(void **event, unsigned flags) { (void)flags; *event = &broken; return broken > 0 ? broken : 0; }
CUresult cuEventDestroy_v2(void *event) { (void)event; return 0; }
CUresult cuEventRecord(void *event, void *stream) { (void)event; (void)stream; return broken > 0 ? broken : 0; }
CUresult cuEventQuery(void *event) { (void)event; return broken < 0 ? 600 : broken; }
CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) { (void)flags; *memory = calloc(1, bytes); return broken; }
CUresult cuMemHostGetDevicePointer_v2(unsigned long long *address, void *memory, unsigned flags) { (void)flags; *address = (unsigned long long)(uintptr_t)memory; return 0; }
CUresult cuMemFreeHost(void *memory) { free(memory); return 0; }
CUresult cuEventSynchronize(void *event) {
  (void)event;
  while (broken < 0) pause();
  return broken;
}
CUresult cuEventElapsedTime(float *ms, void *from, void *to) { (void)from; (void)to; *ms = option("by-grid") ? 1.0f + (ctas > 4 ? ctas - 4 : 4 - ctas) : 0.5f; return broken; }
