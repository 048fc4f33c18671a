#!/bin/sh
# The extension in a real VS Code in a headless browser: run.sh PHOBOS [SUITE [PATTERN]]
# SUITE: themes, grammar, editor or views; without one all of them. PATTERN: only its steps with such a name.
# Exit status 77: what it needs is not to be had here (an error with PHOBOS_NO_SKIP=1).
# PHOBOS_UPDATE=1 makes the pictures in docs/images anew.
set -eu

if [ $# -lt 1 ] || [ $# -gt 3 ] || [ ! -x "$1" ]; then
  echo "usage: run.sh PHOBOS [SUITE [PATTERN]]" >&2
  exit 2
fi
phobos=$(realpath "$1")
suite=${2:-}
pattern=${3:-}
cd "$(dirname "$0")"

# What cannot be had here is a skip, unless skips are errors.
end_with() {
  [ "$1" = 77 ] && [ "${PHOBOS_NO_SKIP:-}" = 1 ] && exit 1
  exit "$1"
}
last_line() { # text, which from the end
  printf '%s\n' "$1" | tail -n "${2:-1}" | head -n 1
}

setup=$(./setup.sh) || end_with $?
PATH=$(last_line "$setup" 2)/bin:$PATH
package=$(../package.sh "$phobos") || end_with $?
PHOBOS_CODE_SERVER=$(last_line "$setup")
PHOBOS_VSIX=$(last_line "$package")
export PATH PHOBOS_CODE_SERVER PHOBOS_VSIX
set -- themes.test.mjs grammar.test.mjs editor.test.mjs views.test.mjs
[ -z "$suite" ] || set -- "$suite.test.mjs"
[ -z "$pattern" ] || set -- "--test-name-pattern=$pattern" "$@"
exec node --test --test-reporter=spec --test-concurrency=1 "$@"
