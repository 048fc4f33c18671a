// Kernels in IR text that together use every operation.
#pragma once

#include <string_view>

namespace phobos::test {

struct Sample {
  std::string_view text;
  std::string_view expected;  // instructions that its PTX has, separated by spaces
};

inline constexpr std::string_view scalar_head = R"(kernel scalars
threads 64
min_blocks 2
max_registers 96
dimension N
parameter F: buffer<f32>[N] read written
parameter D: buffer<f64>[N] read written
parameter H: buffer<f16>[N] read written
parameter G: buffer<bf16>[N] read written
parameter I: buffer<i32>[N] read written
parameter L: buffer<i64>[N] read written
parameter B: buffer<i8>[N] read written
parameter U: buffer<u8>[N] read written
parameter P: buffer<bool>[N] read written
parameter flag: bool
parameter n: i32
{
  %t: index varying = ctx<thread>
)";

inline constexpr Sample samples[] = {
    {R"(kernel control
threads 64
dimension N
parameter X: buffer<i32>[N] read
parameter Y: buffer<i32>[N] written
{
  %t: index varying = ctx<thread>
  %b: index = ctx<block.x>
  %n: index = const 64
  %o: index = mul %b, %n
  %i: index varying = add %o, %t
  %out: bool varying = cmp.ge %i, %N
  if %out {
    return
  } else {
    yield
  }
  %x: i32 varying = load %X, %i
  %zero: i32 = const 0
  %one: i32 = const 1
  %two: i32 = const 2
  %lim: i32 = const 100
  %r: i32 varying, %s: i32 varying = while %x, %zero (%v: i32 varying, %c: i32 varying) {
    %go: bool varying = cmp.ne %v, %one
    condition %go, %v, %c
  } do (%v1: i32 varying, %c1: i32 varying) {
    %c2: i32 varying = add %c1, %one
    %over: bool varying = cmp.gt %c2, %lim
    if %over {
      break %v1, %c2
    } else {
      yield
    }
    %m: i32 varying = rem %v1, %two
    %even: bool varying = cmp.eq %m, %zero
    %h: i32 varying = if %even {
      %q: i32 varying = div %v1, %two
      continue %q, %c2
    } else {
      %three: i32 = const 3
      %q3: i32 varying = mul %v1, %three
      yield %q3
    }
    %w: i32 varying = add %h, %one
    yield %w, %c2
  }
  %z: i32 varying = scope {
    %neg: bool varying = cmp.lt %r, %zero
    if %neg {
      leave %zero
    } else {
      yield
    }
    yield %s
  }
  %l: index = const 0
  %e: index = const 4
  %st: index = const 1
  %u: i32 varying = for<unroll> %l, %e, %st, %z (%k: index, %a: i32 varying) {
    %k32: i32 = convert %k
    %a1: i32 varying = add %a, %k32
    yield %a1
  }
  store %Y, %u, %i
  return
}
)", "st.global.b32 .maxntid"},
    {R"(kernel gemm
threads 128
dimension M
dimension K
dimension N
parameter A: buffer<f32>[M, K] read
parameter B: buffer<f32>[K, N] read
parameter C: buffer<f32>[M, N] read written
parameter beta: f32
{
  %pm: index = ctx<block.x>
  %pn: index = ctx<block.y>
  %T: index = const 64
  %z: index = const 0
  %step: index = const 16
  %r: index = mul %pm, %T
  %c: index = mul %pn, %T
  %f0: f32 = const 0
  %acc0: tile<f32>[64, 64] = splat %f0
  %acc: tile<f32>[64, 64] = for %z, %K, %step, %acc0 (%kt: index, %acc1: tile<f32>[64, 64]) {
    %a: tile<f32>[64, 16] = tile_load %A, %r, %kt
    %b: tile<f32>[16, 64] = tile_load %B, %kt, %c
    %acc2: tile<f32>[64, 64] = dot %a, %b, %acc1
    yield %acc2
  }
  %old: tile<f32>[64, 64] = tile_load %C, %r, %c
  %be: tile<f32>[64, 64] = splat %beta
  %y: tile<f32>[64, 64] = mul %be, %old
  %s: tile<f32>[64, 64] = add %acc, %y
  tile_store %C, %s, %r, %c
  return
}
)", "fma.rn.f32 bar.sync ld.shared.v4.b32 ld.global.nc.v4.b32 st.global.v4.b32 @%p"},
    {R"(kernel bytes
threads 128
dimension M
dimension K
dimension N
parameter A: buffer<i8>[M, K] read
parameter B: buffer<i8>[N, K] read
parameter W: buffer<u8>[K, N] read
parameter C: buffer<i32>[M, N] written
{
  %z: index = const 0
  %a: tile<i8>[32, 16] = tile_load %A, %z, %z
  %b: tile<i8>[32, 16] = tile_load %B, %z, %z
  %w: tile<u8>[32, 32] = tile_load %W, %z, %z
  %c: tile<i32>[32, 32] = dot<transposed> %a, %b
  %d: tile<i32>[32, 32] = dot %w, %w, %c
  tile_store %C, %d, %z, %z
  return
}
)", "dp4a.s32.s32 mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"},
    {R"(kernel halves
threads 128
dimension M
dimension K
parameter A: buffer<f16>[M, K] read
parameter B: buffer<bf16>[M, K] read
parameter C: buffer<f16>[M, K] written
parameter D: buffer<bf16>[M, K] written
parameter E: buffer<f64>[M, K] read written
{
  %z: index = const 0
  %a: tile<f16>[64, 32] = tile_load %A, %z, %z
  %b: tile<bf16>[64, 32] = tile_load %B, %z, %z
  %c: tile<f32>[64, 64] = dot<transposed> %a, %a
  %d: tile<f32>[64, 64] = dot<transposed> %b, %b, %c
  %h: tile<f16>[64, 64] = convert %d
  %g: tile<bf16>[64, 64] = convert %d
  %h2: tile<f16>[64, 64] = exp %h
  %m: tile<f16>[64, 1] = row_fold<max> %h2
  %mb: tile<f16>[64, 64] = broadcast %m
  %h3: tile<f16>[64, 64] = sub %h2, %mb
  tile_store %C, %h3, %z, %z
  tile_store %D, %g, %z, %z
  %e: tile<f64>[6, 10] = tile_load %E, %z, %z
  %f: tile<f64>[6, 6] = dot<transposed> %e, %e
  tile_store %E, %f, %z, %z
  return
}
)", "cvt.rn.f16.f32 cvt.rn.bf16.f32 fma.rn.f64"},
    {R"(kernel shapes
threads 96
dimension M
dimension N
parameter X: buffer<f32>[M, N] read written
parameter I: buffer<i32>[M, N] read written
parameter T: buffer<f32>[2, M, N] read written
{
  %z: index = const 0
  %x: tile<f32>[12, 20] = tile_load %X, %z, %z
  %t: tile<f32>[20, 12] = transpose %x
  %r: tile<f32>[24, 10] = reshape %t
  %r1: tile<f32>[240] = reshape %r
  %r2: tile<f32>[12, 20] = reshape %r1
  %c: tile<f32>[12, 20] = cumsum %r2
  %l: tile<f32>[12, 20] = tril %c
  %s: tile<f32>[12, 1] = row_fold<sum> %l
  %sb: tile<f32>[12, 20] = broadcast %s
  %row: tile<f32>[1, 20] = tile_load %X, %z, %z
  %rb: tile<f32>[12, 20] = broadcast %row
  %a: tile<f32>[12, 20] = add %sb, %rb
  tile_store %X, %a, %z, %z
  tile_store %X, %row, %z, %z
  tile_store %X, %s, %z, %z
  %am: tile<i32>[12, 1] = row_argmax %a
  tile_store %I, %am, %z, %z
  %io: tile<i32>[12, 20] = iota<0>
  %jo: tile<i32>[12, 20] = iota<1>
  %p: tile<bool>[12, 20] = cmp.lt %io, %jo
  %q: tile<i32>[12, 20] = select %p, %io, %jo
  tile_store %I, %q, %z, %z
  %long: tile<f32>[1, 1000] = tile_load %X, %z, %z
  %best: tile<i32>[1, 1] = row_argmax %long
  tile_store %I, %best, %z, %z
  %least: tile<f32>[1, 1] = row_fold<min> %long
  tile_store %X, %least, %z, %z
  %t3: tile<f32>[2, 1, 8] = tile_load %T, %z, %z, %z
  %b3: tile<f32>[2, 6, 8] = broadcast %t3
  tile_store %T, %b3, %z, %z, %z
  return
}
)", "shfl.sync.bfly.b32 ld.shared st.shared bar.sync"},
    {R"(kernel shared
threads 128
dimension M
parameter X: buffer<f32>[M, 128] read
parameter Y: buffer<f32>[M, 128] written
parameter Q: buffer<i8>[M, 128] read
parameter S: buffer<i32>[M] written
{
  %r: index = ctx<block.x>
  %t: index varying = ctx<thread>
  %z: index = const 0
  %last: index = const 127
  %two: f32 = const 2
  %b: shared<f32>[1, 128] = alloc
  %v: f32 varying = load %X, %r, %t
  %back: index varying = sub %last, %t
  store %b, %v, %z, %back
  barrier
  %w: f32 varying = load %b, %z, %t
  store %Y, %w, %r, %t
  %tile: tile<f32>[1, 128] = tile_load %b, %z, %z
  %k: tile<f32>[1, 128] = splat %two
  %m: tile<f32>[1, 128] = mul %tile, %k
  tile_store %b, %m, %z, %z
  %e: f32 varying = elem_load %b, %back
  elem_store %b, %e, %back
  %er: run<f32>[2] varying = elem_load %b, %z
  elem_store %b, %er, %z
  %q: run<i8>[4] varying = run_load<1> %Q, %r, %t
  %q32: run<i32>[4] varying = convert %q
  %qq: run<i32>[4] varying = mul %q32, %q32
  %sum: i32 varying = run_fold<sum> %qq
  store %S, %sum, %t
  %f: run<f32>[4] varying = run_load<1> %X, %r, %t
  run_store<1> %Y, %f, %r, %t
  return
}
)", "bar.sync ld.shared.b32 st.shared.b32 st.global.v4.b32"},
    {R"(kernel together
threads 256
persistent
dimension N
parameter X: buffer<f32>[N] read written
parameter C: buffer<i32>[N] read written
parameter L: buffer<i64>[N] read written
parameter bar: buffer<i32>[2] read written
{
  %t: index varying = ctx<thread>
  %lane: index varying = ctx<lane>
  %w: index warp = ctx<warp>
  %g: index = ctx<blocks.x>
  %z: index = const 0
  %one: index = const 1
  %forty: index = const 40
  %v: f32 varying = load %X, %t
  %s: f32 warp = collective<sum lane> %v
  %m: f32 = collective<max thread> %v
  %i: i32 varying = load %C, %t
  %is: i32 warp = collective<min lane> %i
  %it: i32 = collective<sum thread> %i
  %l: i64 varying = load %L, %t
  %ls: i64 = collective<sum thread> %l
  %p: bool varying = cmp.lt %t, %lane
  %any: bool warp = collective<any lane> %p
  %all: bool = collective<all thread> %p
  %x: f32 varying = shuffle<xor> %v, %one
  %y: f32 varying = shuffle<up> %x, %one
  %d: i64 varying = shuffle<down> %l, %one
  %f: f32 varying = shuffle<from> %y, %lane
  %o: f32 varying = shuffle<up> %f, %w
  %h: f16 varying = convert %o
  %h1: f16 varying = shuffle<xor> %h, %one
  %b1: bool varying = shuffle<down> %p, %forty
  %hh: f32 varying = convert %h1
  %sel: f32 varying = select %b1, %hh, %s
  store %X, %sel, %t
  store %L, %d, %t
  %old: i32 = atomic<add> %C, %z, %it
  %o2: i32 = atomic<max> %C, %one, %old
  %o3: i32 = atomic<exchange> %C, %one, %o2
  %o4: i32 = atomic<compare_exchange> %C, %one, %o3, %old
  %o5: f32 = atomic<add> %X, %z, %m
  %o6: i64 = atomic<min> %L, %z, %ls
  grid_barrier %bar
  %acq: i32 = load_acquire %C, %z
  store_release %C, %z, %acq
  return
}
)", "shfl.sync.bfly.b32 shfl.sync.up.b32 shfl.sync.idx.b32 redux.sync.add.s32 redux.sync.min.s32 vote.sync.any.pred atom.relaxed.gpu.global.cas.b32 "
    "atom.global.add.u32 atom.global.add.f32 ld.acquire.gpu.global.b32 st.release.gpu.global.b32 fence.acq_rel.gpu"},
};

}  // namespace phobos::test
