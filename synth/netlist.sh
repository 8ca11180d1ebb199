#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# netlist.sh: a machine as a netlist of simple gates and flip-flops, in Verilog.
#
#     netlist.sh OUT.v rc_multistage_machine-ports8-pipe1-pad0-width16-packets16-flits4-rows64
#     RTL.sv...
#     netlist.sh OUT.v "rc_router_core Ports=3 Depth=2" RTL.sv...
#
# The machine's module, then parameters, named as in the RTL, in any order; those left out keep the
# RTL's defaults. One with a value for each level of a tree has them from level 1 on: children4_4.
# Any module is named so, too, with a blank behind it and its parameters as in the RTL.
#
# The module has the name and the ports of the RTL, so that whatever drives one drives the other.
# Tables and packet memories stay memories, one array each, as an ASIC's RAM macros would:
# everything around them is gates. They have no contents until the host loads them, and no flip-flop
# has an initial value. OUT.v appears only when the netlist is complete and `check -assert` has
# passed; Yosys' log stands in OUT.log.
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

# chparam, not `hierarchy -chparam`: Yosys 0.23 derives the defaults as well with the latter and
# stops. splitnets: a vector whose bits feed one another looks like a combinational loop to a
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
