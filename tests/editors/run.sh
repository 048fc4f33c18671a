#!/bin/sh
# Editors without an extension of their own, without a screen: run.sh PHOBOS
# Exit status 77: Neovim is not to be had here (an error with PHOBOS_NO_SKIP=1).
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: run.sh PHOBOS" >&2
  exit 2
fi
PHOBOS=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
if ! command -v nvim >/dev/null; then
  echo "editors: Neovim is needed" >&2
  [ "${PHOBOS_NO_SKIP:-}" = 1 ] && exit 1
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/a kernel.ph" <<'END'
kernel k(x: tensor<f32>[N]) {
  let lane = ctx.lane
  if lane == 0 {
    barrier()
  }
  x[ctx.thread] = f32(lane)
}
END
export PHOBOS PHOBOS_FILE="$folder/a kernel.ph" HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_DATA_HOME="$folder" XDG_STATE_HOME="$folder" XDG_CACHE_HOME="$folder"
timeout 200 nvim --headless --clean -n -S "$here/neovim.lua" </dev/null
