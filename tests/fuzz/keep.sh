#!/bin/sh
# Makes tests/fuzz/corpus/NAME anew: keep.sh FUZZER. Of what the fuzzer has found (corpus-NAME beside it) and of what is there, the
# smallest inputs that together reach all that any of them reaches; at most 200 of them, and none larger than 2,000 bytes.
set -eu

if [ $# -ne 1 ] || [ ! -x "$1" ]; then
  echo "usage: keep.sh FUZZER" >&2
  exit 2
fi
fuzzer=$(realpath "$1")
name=$(basename "$fuzzer" | sed 's/^fuzz_//')
kept=$(dirname "$(realpath "$0")")/corpus/$name
grown=$(dirname "$fuzzer")/corpus-$name
merged=$(mktemp -d)
trap 'rm -rf "$merged"' EXIT
mkdir -p "$kept" "$grown"
"$fuzzer" -merge=1 -max_len=2000 -rss_limit_mb=3000 -verbosity=0 "$merged" "$kept" "$grown"
rm -f "$kept"/*
ls -S -r "$merged" | head -n 200 | while read -r file; do cp "$merged/$file" "$kept/"; done
echo "$name: $(ls "$kept" | wc -l) inputs, $(cat "$kept"/* | wc -c) bytes"
