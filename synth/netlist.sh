#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# netlist.sh: synthesises a machine to a Verilog netlist of simple gates and flip-flops.
#
#     netlist.sh OUT.v rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits4-rows64
#     RTL.sv...
#     netlist.sh OUT.v "rc_router_core Ports=3 Depth=2" RTL.sv...
#
# The first form names the module of a machine, followed by parameters with their RTL names, in any
# order; omitted parameters keep their defaults. A parameter with one value per level of a tree
# lists them from level 1 on: children4_4. The second form names any module, followed by blanks and
# parameters as in the RTL.
#
# The netlist module has the name and ports of the RTL, so that the same testbench drives both.
# Tables and packet memories remain memories, one array each, as RAM macros of an ASIC would;
# everything else is gates. Memories have no contents until the host loads them, and no flip-flop
# has an initial value. OUT.v is written only when the netlist is complete and `check -assert` has
# passed; the log of Yosys is in OUT.log.
set -eu
if [ $# -lt 3 ]; then
  echo "usage: netlist.sh OUT.v rc_multistage_machine-ports8-pipe1-... RTL.sv..." >&2
  exit 2
fi
out=$1
case $2 in
*\ *) parameters=$(echo "${2#* }" | sed -E "s/([A-Za-z]+)=([^ ]+)/-set \\1 \\2/g") ;;
*) parameters=$(echo "$2" |
    awk -f "$(dirname "$0")/parameters.awk" -v form='-set %s %s') || parameters=none ;;
esac
if [ "$parameters" = none ]; then
  echo "netlist.sh: parameters '$2'; expected rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits4-rows64" >&2
  exit 2
fi
top=${2%%[- ]*}
shift 2
mkdir -p "$(dirname "$out")"
part=$out.$$
trap 'rm -f "$part"' EXIT

# chparam, not `hierarchy -chparam`: with the latter, Yosys 0.23 also derives the defaults and
# stops. splitnets: a vector whose bits depend on each other looks like a combinational loop to a
# simulator.
if ! "${YOSYS:-yosys}" -q -l "${out%.v}.log" -p "
  read_verilog -sv -defer $*
  chparam $parameters $top
  synth -flatten -top $top -run begin:fine
  opt -fast -full; techmap; opt -fast
  abc -g simple; opt -fast
  check -assert; stat
  splitnets; opt_clean -purge
  write_verilog -noattr $part"
then
  echo "netlist.sh: Yosys failed; see ${out%.v}.log" >&2
  exit 1
fi
mv "$part" "$out"
