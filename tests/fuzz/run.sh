#!/bin/sh
# Runs one fuzzer: run.sh FUZZER SECONDS. It begins with the kernels of the tree and with tests/fuzz/corpus/NAME. What it finds
# grows in corpus-NAME beside it; what breaks it lies there too, as NAME-crash-…, and belongs into tests/fuzz/found/NAME once it is
# mended. `keep.sh FUZZER` makes tests/fuzz/corpus/NAME anew from what has grown.
set -eu

if [ $# -ne 2 ] || [ ! -x "$1" ]; then
  echo "usage: run.sh FUZZER SECONDS" >&2
  exit 2
fi
fuzzer=$(realpath "$1")
seconds=$2
name=$(basename "$fuzzer" | sed 's/^fuzz_//')
cd "$(dirname "$0")/../.."
folder=$(dirname "$fuzzer")
corpus=$folder/corpus-$name
seeds=$folder/seeds
mkdir -p "$corpus" "$seeds"
for file in examples/*.ph tests/lang/*.ph tests/lang/*/*.ph tests/run/*.ph tests/fuzz/found/"$name"/* tests/fuzz/corpus/"$name"/*; do
  [ -f "$file" ] && cp "$file" "$seeds/$(echo "$file" | tr / -)"
done
# A session looks at its texts many times; a slow input of the others is a finding.
timeout=10
[ "$name" = session ] && timeout=60
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
echo "$name: $(ls "$seeds" | wc -l) seeds, $seconds s"
exec "$fuzzer" -max_total_time="$seconds" -timeout=$timeout -rss_limit_mb=3000 -max_len=6000 -dict=tests/fuzz/phobos.dict \
  -artifact_prefix="$folder/$name-" -print_final_stats=1 -verbosity=0 "$corpus" "$seeds"
