#!/bin/sh
# run.sh PHOBOS: what the program does with input that is wrong (bad_input.py), with input that is right (good_input.py), the memory
# that runs take (memory.py), what builds meet (building.py); what kernels print, the steps of a trace, the debug adapter (dap.py), and long runs that are interrupted, the latter two on a terminal.
set -eu
here=$(dirname "$0")
python3 "$here/bad_input.py" "$1"
python3 "$here/good_input.py" "$1"
python3 "$here/memory.py" "$1"
python3 "$here/building.py" "$1"
python3 "$here/printing.py" "$1"
python3 "$here/trace.py" "$1"
python3 "$here/dap.py" "$1"
python3 "$here/interrupt.py" "$1"
