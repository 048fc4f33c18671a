#!/bin/sh
# Builds the extension and packs it with a `phobos` program: build/phobos-linux-x64.vsix.
#   package.sh PHOBOS_BINARY [TARGET]      needs Node 18 or later, and npm
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1" ]; then
  echo "usage: package.sh PHOBOS_BINARY [TARGET]" >&2
  exit 2
fi
program=$(realpath "$1")
target=${2:-linux-x64}
cd "$(dirname "$0")"

./install.sh
npm run --silent check
npm run --silent build

mkdir -p ../../build
out=$(realpath ../../build)/phobos-$target.vsix
node pack.mjs "$program" "$target" "$out"
echo "$out"
