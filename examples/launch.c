/* Launches examples/saxpy.ph by its contract, with nothing but the CUDA driver's interface:
     phobos build examples/saxpy.ph -o saxpy.ptx --contract saxpy.json
     cc examples/launch.c -lcuda -o launch && ./launch saxpy.ptx saxpy.json */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(call) do { int r = (call); if (r) { fprintf(stderr, "%s: CUDA error %d\n", #call, r); exit(1); } } while (0)

static char *read_file(const char *path) {
  static char text[2][1 << 20];
  static int used;
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  char *into = text[used++ % 2];
  into[fread(into, 1, sizeof text[0] - 1, file)] = 0;
  fclose(file);
  return into;
}
/* What stands behind the next `"key": ` from `json` on; a contract nests little enough for this to do as a JSON reader. */
static const char *find(const char *json, const char *key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\": ", key);
  const char *at = json ? strstr(json, quoted) : NULL;
  return at ? at + strlen(quoted) : NULL;
}
static long number(const char *json, const char *key) { const char *at = find(json, key); return at ? strtol(at, NULL, 10) : 0; }
static const char *word(const char *json, const char *key) {
  static char text[64];
  const char *at = find(json, key);
  return at && sscanf(at, "\"%63[^\"]\"", text) == 1 ? text : "";
}

int main(int count, char **words) {
  if (count != 3) return fprintf(stderr, "launch PTX CONTRACT\n"), 2;
  const char *ptx = read_file(words[1]), *contract = read_file(words[2]);
  enum { N = 1000 };
  float alpha = 2, x[N], y[N];
  for (int i = 0; i < N; ++i) x[i] = (float)i, y[i] = 1;

  CUdevice device; CUcontext context; CUmodule module; CUfunction kernel; CUdeviceptr on_gpu[2];
  CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0)); CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx)); CHECK(cuModuleGetFunction(&kernel, module, word(contract, "entry")));
  for (int i = 0; i < 2; ++i) { CHECK(cuMemAlloc(&on_gpu[i], sizeof x)); CHECK(cuMemcpyHtoD(on_gpu[i], i ? y : x, sizeof x)); }

  /* The arguments, in the order that the contract gives. */
  void *arguments[8]; int given = 0; long long n = N;
  const char *at = find(contract, "ptx_parameters"), *end = strchr(at, ']');
  for (at = find(at, "name"); at && at < end; at = find(at, "name")) {
    if (!strncmp(at, "\"alpha\"", 7)) arguments[given++] = &alpha;
    else if (!strncmp(at, "\"x\"", 3)) arguments[given++] = &on_gpu[0];
    else if (!strncmp(at, "\"y\"", 3)) arguments[given++] = &on_gpu[1];
    else if (!strncmp(at, "\"N\"", 3)) arguments[given++] = &n;
    else return fprintf(stderr, "the contract has a parameter that is not known here\n"), 1;
  }
  long step = number(find(contract, "grid"), "step"), threads = number(contract, "threads"), shared = number(contract, "dynamic_shared_bytes");
  if (shared > 48 * 1024) CHECK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared));
  CHECK(cuLaunchKernel(kernel, (unsigned)((N + step - 1) / step), 1, 1, (unsigned)threads, 1, 1, (unsigned)shared, NULL, arguments, NULL));
  CHECK(cuCtxSynchronize()); CHECK(cuMemcpyDtoH(y, on_gpu[1], sizeof y));
  for (int i = 0; i < N; ++i) if (y[i] != alpha * x[i] + 1) return fprintf(stderr, "y[%d] is %g\n", i, y[i]), 1;
  return printf("%d elements, as expected\n", N), 0;
}
