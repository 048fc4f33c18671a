#!/bin/sh
# Checks the grammar: its generated files, its corpus, its queries.
#
#   tests/grammar/check.sh            check
#   tests/grammar/check.sh --update   generate the parser anew and write the trees of the corpus that parse
#
# Exit status: 0 passed, 1 failed, 77 not checked because the tree-sitter CLI or what it needs cannot be had here.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
grammar=$root/grammar/tree-sitter-phobos
cli=$root/tools/tree-sitter
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TREE_SITTER_LIBDIR="$work/lib" TREE_SITTER_DIR="$work/config"
mkdir -p "$TREE_SITTER_LIBDIR" "$TREE_SITTER_DIR"
echo '{"parser-directories": []}' >"$TREE_SITTER_DIR/config.json"

failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

skip() {
  echo "not checked: $1"
  [ $failed -eq 0 ] || exit 1
  exit 77
}

# Every named node that a tree can hold occurs in the corpus. Supertypes, whose names start with `_`, occur in no tree.
check_coverage() {
  count=0
  for type in $(awk -F'"' '/^    "type":/ { type = $4 } /^    "named": true/ && type !~ /^_/ { print type }' \
    "$grammar/src/node-types.json"); do
    grep -rqE "\($type([ )]|\$)" "$grammar/test/corpus" || fail "no test in the corpus has a node \`$type\`"
    count=$((count + 1))
  done
  [ $count -gt 40 ] || fail "only $count kinds of node were found in node-types.json"
  echo "corpus: $count kinds of node"
}

generate() { # folder with grammar.js
  (cd "$1" && "$cli" generate --abi 14 --no-bindings) >"$work/log" 2>&1 || {
    cat "$work/log"
    fail "the grammar does not generate"
    return 1
  }
}

check_generated() {
  mkdir "$work/grammar"
  cp "$grammar/grammar.js" "$grammar/package.json" "$work/grammar"
  generate "$work/grammar" || return
  if diff -rq "$grammar/src" "$work/grammar/src"; then
    echo "generated files: up to date"
  else
    fail "src/ is not what grammar.js generates; run tests/grammar/check.sh --update and commit the result"
  fi
}

check_corpus() {
  if (cd "$grammar" && "$cli" test) >"$work/log" 2>&1; then
    echo "corpus: $(grep -c '✓' "$work/log") tests passed"
  else
    cat "$work/log"
    fail "the corpus"
  fi
}

# A byte-order mark is skipped. It stands at the start of a file only, so the corpus cannot hold it.
check_byte_order_mark() {
  printf '\357\273\277kernel k() { a }\n' >"$work/bom.ph"
  (cd "$grammar" && "$cli" parse "$work/bom.ph") >"$work/log" 2>&1 && grep -q '^  (kernel_definition' "$work/log" || {
    cat "$work/log"
    fail "a file with a byte-order mark"
  }
}

check_queries() {
  sample=$grammar/test/sample.ph
  for query in "$grammar"/queries/*.scm; do
    name=$(basename "$query")
    if ! (cd "$grammar" && "$cli" query "$query" "$sample") >"$work/$name.log" 2>&1; then
      cat "$work/$name.log"
      fail "$name does not fit the grammar"
      continue
    fi
    patterns=$(sed -n 's/^ *pattern: *\([0-9]*\).*/\1/p' "$work/$name.log" | sort -nu)
    last=$(echo "$patterns" | tail -n 1)
    for index in $(seq 0 "${last:-0}"); do
      echo "$patterns" | grep -qx "$index" || fail "pattern $index of $name matches nothing in test/sample.ph"
    done
    echo "$name: $(echo "$patterns" | wc -l) patterns match"
  done
  (cd "$grammar" && "$cli" query --captures queries/highlights.scm "$sample") 2>/dev/null |
    sed -n 's/.*start: \(([0-9, ]*)\).*/\1/p' | sort | uniq -d >"$work/twice"
  [ ! -s "$work/twice" ] || fail "highlights.scm names these nodes twice: $(tr '\n' ' ' <"$work/twice")"
}

check_coverage

command -v node >/dev/null || skip "node, which the tree-sitter CLI runs grammar.js with, is not installed"
command -v cc >/dev/null || skip "there is no C compiler"
"$cli" --version >"$work/version" 2>&1
status=$?
[ $status -ne 3 ] || skip "$(tail -n 1 "$work/version")"
[ $status -eq 0 ] || fail "tools/tree-sitter: $(cat "$work/version")"
cat "$work/version"

if [ "${1:-}" = --update ]; then
  generate "$grammar"
  (cd "$grammar" && "$cli" test --update) >"$work/log" 2>&1
fi
check_generated
check_corpus
check_byte_order_mark
check_queries
exit $failed
