#!/bin/sh
# The extension without an editor: types, lint, its modules, and what its manifest promises. unit.sh PHOBOS
# Exit status 77: Node or its packages are not to be had here.
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: unit.sh PHOBOS" >&2
  exit 2
fi
PHOBOS=$(realpath "$1")
export PHOBOS
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "unit.sh: Node and npm are not here" >&2
  exit 77
fi
./install.sh
npm run --silent check
npm run --silent lint
exec node --test --test-reporter=dot test/modules.test.mjs test/result.test.mjs test/pages.test.mjs test/language.test.mjs test/manifest.test.mjs test/grammar.test.mjs
