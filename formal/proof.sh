# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# proof.sh: common functions of prove.sh and cone.sh, which source it.

# set_parameters NAME=VALUE...: converts parameters to the syntax of `chparam`.
set_parameters() {
  settings=
  for parameter in "$@"; do settings="$settings -set ${parameter%%=*} ${parameter#*=}"; done
}

# choose NAME FORMAL_DIRECTORY: selects the proof NAME. Writes its block of proofs.txt to
# $work/proof, and sets depth, module, its parameters, and properties, its file.
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
  # shellcheck disable=SC2034 # read by the scripts that source this file
  depth=$2 module=$3 properties=$properties/$3.sv
  shift 3
  set_parameters "$@"
}

# needed FILE RTL.sv...: prints in one line, in their order, the files of the modules and packages
# that FILE names, and those that they name. All RTL takes Yosys half a second, for each refutation.
needed() {
  awk '
    function module(file) { sub(/.*[/]/, "", file); sub(/[.].*/, "", file); return file }
    BEGIN { for (i = 2; i < ARGC; i++) path[module(ARGV[i])] = ARGV[i] }
    { sub(/[/][/].*/, "") }
    {
      for (line = $0; match(line, /rc_[a-z0-9_]+/); line = substr(line, RSTART + RLENGTH)) {
        name = substr(line, RSTART, RLENGTH)
        if (name in path) names[FILENAME, ++count[FILENAME]] = path[name]
      }
    }
    END {
      wanted[queue[last = 1] = ARGV[1]]
      for (first = 1; first <= last; first++)
        for (n = 1; n <= count[queue[first]]; n++)
          if (!(names[queue[first], n] in wanted)) wanted[queue[++last] = names[queue[first], n]]
      for (i = 2; i < ARGC; i++) if (ARGV[i] in wanted) printf "%s ", ARGV[i]
    }' "$@"
}

# elaborate FILES DEFINE: commands with which Yosys reads properties and their module. Memories
# become registers before the hierarchy is flattened, so that properties can access their words: a
# wire with the attribute hierconn is the wire of that name in a submodule, u_x.mem[0]. A copy of a
# file with a fault is in another folder than the header that it includes, which is found in
# rtl/common.
elaborate() {
  echo "read_verilog -sv -formal -defer ${properties:+-I${properties%/*}/../rtl/common} $2 $1
    chparam $settings $module
    prep -top $module; memory_map"
}
