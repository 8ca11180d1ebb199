#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cone.sh: lists the registers on which the assertions of a proof can depend.
#
#     cone.sh OUT.cone NAME FORMAL_DIRECTORY RTL.sv...
#     cone.sh OUT.cone "rc_router_core Ports=3 Depth=2" FORMAL_DIRECTORY RTL.sv...
#
# Writes a line "MODULE REGISTER 0|1" for each register of the RTL in the proof NAME of proofs.txt:
# 1 if an assertion depends on it, directly or through others, in any number of cycles (the cone of
# influence). Registers with the same name in a module share a line, including elements of an array
# and words of a memory. The second form reads a module without assertions.
set -eu
if [ $# -lt 4 ]; then
  echo "usage: cone.sh OUT.cone NAME FORMAL_DIRECTORY RTL.sv..." >&2
  exit 2
fi
out=$1 work=${1%.cone}-cone
mkdir -p "$work"
. "$(dirname "$0")/../../formal/proof.sh"
case $2 in
rc_*)
  properties='' module=${2%% *}
  # shellcheck disable=SC2086  # parameters are words
  set_parameters ${2#"$module"} ;;
*) choose "$2" "$3" ;;
esac
shift 3

# Marks each register with its module before the hierarchy is flattened. A module with parameters
# has a derived name, and its original name as an attribute.
marks=
for file in "$@"; do
  mine=${file##*/}
  mine=${mine%.sv}
  marks="$marks
    setattr -set rc_module \"$mine\" A:hdlname=*$mine =$mine %u t:\$dff %i"
done

if ! timeout "${FORMAL_SECONDS:-120}" "${YOSYS:-yosys}" -q -l "$work/log" -p "
  $(elaborate "$* $properties" "")
  dffunmap $marks
  flatten; async2sync; dffunmap
  select -set cone t:\$assert %ci* t:\$dff %i
  setattr -set rc_cone 1 @cone
  tee -q -o $work/registers dump t:\$dff" > /dev/null 2>&1
then
  echo "cone.sh: Yosys failed; see $work/log" >&2
  exit 1
fi

awk '
  $1 == "cell" { name = "" }
  $2 == "\\rc_module" { module = $3; gsub(/"/, "", module) }
  $2 == "\\rc_cone" { inside = 1 }
  $2 == "\\Q" { name = $3; sub(/(\[[0-9]+\])+$/, "", name); sub(/.*[.\\]/, "", name) }
  $1 == "end" {
    if (module != "") print module, name, inside + 0
    module = ""
    inside = 0
  }' "$work/registers" | sort -u > "$out.part"
mv "$out.part" "$out"
