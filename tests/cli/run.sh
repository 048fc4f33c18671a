#!/bin/sh
# run.sh PHOBOS: what the program does with input that is wrong (bad_input.py), with input that is right (good_input.py), and the memory
# that runs take (memory.py).
set -eu
here=$(dirname "$0")
python3 "$here/bad_input.py" "$1"
python3 "$here/good_input.py" "$1"
python3 "$here/memory.py" "$1"
