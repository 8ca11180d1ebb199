# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# proof.sh: what prove.sh and cone.sh have in common, which source it.

# set_parameters NAME=VALUE...: as `chparam` takes them.
set_parameters() {
  settings=
  for parameter in "$@"; do settings="$settings -set ${parameter%%=*} ${parameter#*=}"; done
}

# choose NAME FORMAL_DIRECTORY: the proof of that name. Writes its block of proofs.txt to
# $work/proof, and sets depth, module, its parameters, and properties, their file.
choose() {
  awk -v name="$1" '
    /^#/ || !NF { next }
    !/^ / { mine = $1 == name }
    mine { sub(/^ +/, ""); print }' "$2/proofs.txt" > "$work/proof"
  asked=$1 properties=$2
  # shellcheck disable=SC2046  # the fields of the line are words
  set -- $(head -n 1 "$work/proof")
  if [ $# -lt 3 ]; then
    echo "${0##*/}: no proof '$asked' in $properties/proofs.txt" >&2
    exit 2
  fi
  # shellcheck disable=SC2034  # whoever sources this reads them
  depth=$2 module=$3 properties=$properties/$3.sv
  shift 3
  set_parameters "$@"
}

# elaborate FILES DEFINE: how Yosys reads properties and what they stand around. Memories become
# registers before modules become one, so that properties see their words: a wire with the attribute
# hierconn is the one of its name in a submodule, u_x.mem[0]. A copy of a file with a fault is
# elsewhere than the header that it includes, which is found from rtl/common.
elaborate() {
  echo "read_verilog -sv -formal -defer ${properties:+-I${properties%/*}/../rtl/common} $2 $1
    chparam $settings $module
    prep -top $module; memory_map"
}
