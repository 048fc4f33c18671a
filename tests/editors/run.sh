#!/bin/sh
# An editor without an extension of its own, without a screen (Helix: on a terminal that nobody sees): run.sh PHOBOS neovim|emacs|helix
# Exit status 77: it is not to be had here (for Neovim an error with PHOBOS_NO_SKIP=1).
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
  echo "usage: run.sh PHOBOS neovim|emacs|helix" >&2
  exit 2
fi
PHOBOS=$(realpath "$1")
editor=$2
here=$(realpath "$(dirname "$0")")
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

case $editor in
neovim)
  if ! command -v nvim >/dev/null; then
    echo "editors: Neovim is needed" >&2
    [ "${PHOBOS_NO_SKIP:-}" = 1 ] && exit 1
    exit 77
  fi
  timeout 200 nvim --headless --clean -n -S "$here/neovim.lua" </dev/null
  ;;
emacs)
  # Emacs 29 has eglot; Debian's 28 has it from elpa-eglot.
  if ! command -v emacs >/dev/null || ! emacs --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1; then
    echo "editors: Emacs with eglot is needed" >&2
    exit 77
  fi
  timeout 200 emacs --batch --eval "(package-initialize)" -l "$here/emacs.el" </dev/null
  ;;
helix)
  timeout 200 "$here/helix.py" "$PHOBOS" "$PHOBOS_FILE" </dev/null
  ;;
*)
  echo "usage: run.sh PHOBOS neovim|emacs|helix" >&2
  exit 2
  ;;
esac
