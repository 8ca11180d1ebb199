#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh: runs three tools and two scripts on the RTL; prints nothing but a summary if all accept
# it.
#
#     lint.sh WORK_DIRECTORY RTL.sv...
#
#   banned      constructs that Yosys accepts and misinterprets (banned.awk)
#   strict      constructs that IEEE 1800 forbids and some tools accept (strict.awk), also in
#               properties and testbenches
#   verilator   -Wall at each of the shapes below; no warning
#   yosys       elaborates the files at each shape and runs `check -assert`: on the whole, or on
#               each of its modules if the shape is marked as large, ~2,128,…
#   icarus      -g2012 -Wall elaboration at each shape; no warning
#
# Then each check runs on a snippet from bad/ that it must reject.
set -eu
if [ $# -lt 2 ]; then
  echo "usage: lint.sh WORK_DIRECTORY RTL.sv..." >&2
  exit 2
fi
work=$1
shift
rtl=$*
include=-I$(dirname "$1")            # headers are beside any file: ../common
here=$(dirname "$0")
rm -rf "$work"
mkdir -p "$work"
at_once=$(nproc)     # shapes
whole='flatten; opt_clean;'
# Shapes of the multistage machine, as Ports, Pipe, Pad, Width, Packets, Flits, Rows: every Pipe and
# Pad at some size, odd word widths, the smallest and large memories; above 64 ports a row of a
# table has several columns.
shapes='2,1,0,16,16,4,64      2,0,2,1,2,2,2      4,2,0,31,16,4,64    4,0,0,16,2,16,4     8,1,0,16,16,4,64
        8,3,2,17,64,2,256     32,0,2,16,16,4,64  32,2,0,8,16,64,64   32,1,2,31,256,16,16
        ~64,3,0,16,16,4,64    ~128,2,2,31,2,2,1024'
names='Ports Pipe Pad Width Packets Flits Rows'

# Shapes of other networks: Beneš with N not a power of two and several columns, the last one short;
# omega; Waksman; multicast with one stage, and with several columns; networks that combine.
shape_shapes='0,3,1,0,16,16,4,64   0,5,0,1,16,4,2,16   0,7,2,0,31,2,4,2   0,22,1,0,16,16,4,64   ~0,70,3,2,1,16,4,64
              1,2,1,0,16,16,4,64   1,16,2,1,16,4,4,16  4,6,1,0,16,4,4,16  4,16,2,1,31,4,2,16  3,2,1,1,16,4,4,16  3,8,2,0,31,2,2,16  ~3,64,1,0,16,16,4,64
              5,2,1,0,1,16,4,64    5,8,2,1,31,2,2,16'
shape_names='Kind Ports Pipe Pad Width Packets Flits Rows'

# Shapes with a setting index or computed programs: tables that several rows share; tags at powers
# of two and other numbers; masks of one bit, of three, and where settings have several columns;
# stored and computed programs with each; the shortest period and one of all rows; more packets than
# positions and fewer.
index_shapes='2,1,0,1,2,2,2,1,2,2,0      8,1,0,16,16,4,64,1,8,16,1  ~70,3,1,16,16,4,64,1,64,64,0  3,0,1,31,64,2,16,2,16,4,0
              8,1,0,16,16,4,64,2,64,8,1  22,2,0,15,2,4,64,2,64,64,1  5,1,2,8,16,4,16,0,16,8,1
              2,1,0,1,2,2,2,3,2,2,0      8,0,1,16,16,4,64,3,8,16,1  ~128,3,0,16,16,4,64,3,64,64,0'
index_names='Ports Pipe Pad Width Packets Flits Rows Settings Tables SettingPeriod Computed'

# Shapes with ranges: the narrowest word, a number of nodes that is not a power of two, the fewest
# splits and one for each row, beside a setting index and without one.
range_shapes='2,1,0,2,2,2,2,0,2,0,1,2  3,1,1,4,4,4,8,0,8,0,1,2  8,0,1,31,16,8,8,0,8,0,1,8  ~22,2,0,16,16,8,64,1,8,8,1,16
              8,1,0,7,2,4,16,2,16,4,1,4'
range_names='Ports Pipe Pad Width Packets Flits Rows Settings Tables SettingPeriod Ranges Splits'

# Shapes of Clos networks: fewer and more middle crossbars than ports of an outer one, stages with
# different numbers of columns, more levels.
clos_shapes='2,16,4,4,2,1,0,16,16,4,64   2,12,2,3,2,0,1,31,4,2,16   2,15,7,3,2,2,0,16,4,4,16   2,27,3,3,3,1,2,16,2,4,16
             2,16,2,2,4,3,0,1,4,4,16     ~2,72,9,9,2,1,0,16,4,4,16'
clos_names='Kind Ports Middle Radix Levels Pipe Pad Width Packets Flits Rows'

# Shapes of the fat tree, 16 bits per level: a number of leaves that is not a power of two, a single
# router, 64 ports, several lanes, buffers of one packet and of a number that is not a power of two,
# two packets read at once, the smallest memories, words of 1 and 31 bits.
tree_shapes="2,384'h20002,384'h10001,384'h100010,1,0,16,16,4,64           1,384'h3,384'h1,384'h1,1,0,1,2,2,2
             3,384'h200030002,384'h200020001,384'h700010003,2,2,16,4,2,64  2,384'h20005,384'h50001,384'h10003,1,1,31,8,16,256
             ~2,384'h40004,384'h100001,384'h90005,1,0,16,64,8,128          ~1,384'h40,384'h1,384'h5,1,1,8,16,4,16"
tree_names='Height Children Capacity Depth Reads Pad Width Packets Flits Rows'

# Shapes of routers that combine: a root alone, a number of inputs that is not a power of two.
combining_shapes="2,384'h30002,384'h20001,384'h700010003,2,1,16,16,4,64  1,384'h3,384'h1,384'h1,1,0,1,2,2,2"
combining_names="$tree_names Combine"

# Shapes of self-timed routers: queues of one packet and of a number that is not a power of two,
# roots with and without levels below.
auto_shapes="2,384'h20002,384'h10001,384'h100010,384'h100010,1,0,16,16,4,64   3,384'h200030002,384'h200020001,384'h700010003,384'h100030005,2,2,16,4,2,64
             ~2,384'h40004,384'h100001,384'h90005,384'h400040,3,0,16,64,8,128  ~1,384'h40,384'h1,384'h5,384'h9,1,1,8,16,4,16"
auto_names='Height Children Capacity Depth Queue Reads Pad Width Packets Flits Rows Auto'

# Shapes of the cube: no routers, routers of two ports, several reads and pads, buffers of one
# packet and of a number that is not a power of two, the smallest memories, words of 1 and 31 bits.
cube_shapes='1,4,1,0,16,16,4,64  1,1,2,2,1,2,2,2      2,1,1,1,31,8,16,256  2,16,1,0,16,16,8,64
             3,5,2,2,8,16,4,16   ~4,16,1,0,16,16,8,64  ~5,3,3,1,16,4,2,64    ~6,16,1,0,16,64,16,256'
cube_names='Dimensions Depth Reads Pad Width Packets Flits Rows'

# Shapes of the self-timed cube: no routers, queues and buffers of one packet and of numbers that
# are not powers of two, a header that fills the word, more packets than rows and more rows than
# packets.
cubeauto_shapes='1,4,1,0,6,16,4,64  2,1,1,1,31,16,16,256  2,16,16,0,16,16,8,64  3,5,3,2,8,64,2,16  ~4,16,16,0,16,64,8,64
                 ~5,3,7,1,16,128,4,64'
cubeauto_names='Dimensions Depth Queue Pad Width Packets Flits Rows'

# Shapes of a single node of a cube, which has no pads.
node_shapes='2,16,1,16,16,8,64  3,5,2,1,2,2,4  4,16,1,15,16,16,256  6,7,3,31,16,16,256'
node_names='Dimensions Depth Reads Width Packets Flits Rows'

# Shapes of the bus wrappers: the fewest and the most bits of a field; both kinds of Wishbone.
wishbone_shapes='6,0 12,1 28,0'
wishbone_names='FieldBits Pipelined'
# Shapes of the serial line: the shortest bits, those of the board, the longest.
uart_shapes='8 12 65535'
uart_names='Divider'
bus_shapes='6 28'

# Shapes of the machine without endpoints: as Ports, Kind, Settings, Reconfig, SettingPeriod, Pipe,
# Width, Rows; words may be wider than those of a machine.
fabric_shapes='2,0,0,0,0,1,1,2  7,0,1,0,16,0,16,16  8,1,0,1,16,1,64,16  12,4,0,0,0,2,512,16'
fabric_names='Ports Kind Settings Reconfig SettingPeriod Pipe Width Rows'

# arguments SHAPE PREFIX SEPARATOR: prints parameters, for example -GPorts=2 -GPipe=1; their names
# are in $names.
arguments() {
  echo "$1" | awk -F , -v names="$names" -v prefix="$2" -v separator="$3" '
    { split(names, name, " "); for (i = 1; i <= NF; i++) printf " %s%s%s%s", prefix, name[i], separator, $i }'
}

# Each check prints its findings and fails if there are any: CHECK MODULE SHAPE FILES...
banned() { shift 2; awk -f "$here/banned.awk" "$@"; }
strict() { shift 2; awk -f "$here/strict.awk" "$@"; }

with_verilator() {
  module=$1 parameters=$([ -z "$2" ] || arguments "$2" -G =)
  shift 2
  # shellcheck disable=SC2086
  "${VERILATOR:-verilator}" --lint-only -Wall "$include" "$here/../rtl/roundcast.vlt" --top-module "$module" $parameters "$@"
}

with_yosys() {
  module=$1 parameters=$([ -z "$2" ] || echo "chparam $(arguments "$2" '-set ' ' ') $1;")
  shift 2
  "${YOSYS:-yosys}" -q -p "read_verilog -sv -defer $*; $parameters
    hierarchy -check -top $module; proc; $whole check -assert"
}

with_icarus() {
  module=$1 parameters=$([ -z "$2" ] || arguments "$2" "-P$1." =)
  shift 2
  # shellcheck disable=SC2086
  "${IVERILOG:-iverilog}" -g2012 -Wall "$include" -o "$work/icarus.vvp" -s "$module" $parameters "$@" > \
      "$work/icarus.log" 2>&1 || {
    cat "$work/icarus.log"
    return 1
  }
  ! grep . "$work/icarus.log"
}

# check_shape MODULE SHAPE FOLDER: runs the three tools on a shape in parallel; logs and exit
# statuses are in the folder.
check_shape() (
  module=$1 shape=${2#\~} work=$3
  [ "$shape" = "$2" ] || whole=
  mkdir -p "$work"
  for check in with_verilator with_yosys with_icarus; do
    # shellcheck disable=SC2086
    { if $check "$module" "$shape" $rtl > "$work/$check.log" 2>&1; then echo 0; else echo 1; fi \
        > "$work/$check.status"; } &
  done
  wait
)

failed=0
complain() { echo "lint: $1"; failed=1; }

# shellcheck disable=SC2086
{
  banned - - $rtl || complain "banned constructs in the RTL"
  strict - - $rtl "$here"/../formal/*.sv "$here"/../tests/rtl/*.sv "$here"/../qa/*/*.sv "$here"/../qa/*/*/*.sv \
      "$here"/../docs/integrate/*.v "$here"/../docs/integrate/*.sv || complain "illegal SystemVerilog"
  count=0
  for kind in multistage fabric shape index range clos tree combining auto cube cubeauto node wishbone axi apb uart; do
    case $kind in
    multistage) top=rc_multistage_machine ;;
    fabric) top=rc_multistage_fabric shapes=$fabric_shapes names=$fabric_names ;;
    shape) top=rc_multistage_machine shapes=$shape_shapes names=$shape_names ;;
    index) top=rc_multistage_machine shapes=$index_shapes names=$index_names ;;
    range) top=rc_multistage_machine shapes=$range_shapes names=$range_names ;;
    clos) top=rc_multistage_machine shapes=$clos_shapes names=$clos_names ;;
    tree) top=rc_fat_tree_machine shapes=$tree_shapes names=$tree_names ;;
    combining)
      top=rc_fat_tree_machine shapes=$(printf '%s,1\n' $combining_shapes) names=$combining_names ;;
    auto) top=rc_fat_tree_machine shapes=$(printf '%s,1\n' $auto_shapes) names=$auto_names ;;
    cube) top=rc_cube_machine shapes=$cube_shapes names=$cube_names ;;
    cubeauto) top=rc_cube_auto_machine shapes=$cubeauto_shapes names=$cubeauto_names ;;
    node) top=cube_node shapes=$node_shapes names=$node_names ;;
    uart) top=rc_uart shapes=$uart_shapes names=$uart_names ;;
    wishbone) top=rc_wishbone shapes=$wishbone_shapes names=$wishbone_names ;;
    axi) top=rc_axi_lite shapes=$bus_shapes names=FieldBits ;;
    apb) top=rc_apb shapes=$bus_shapes names=FieldBits ;;
    esac
    for shape in $shapes; do
      count=$((count + 1))
      echo "$top ($names) = $shape" > "$work/$count.what"
      check_shape $top "$shape" "$work/$count" &
      [ "$count" -lt "$at_once" ] || wait -n
    done
  done
  wait
  for number in $(seq "$count"); do
    for check in with_verilator with_yosys with_icarus; do
      [ "$(cat "$work/$number/$check.status")" = 0 ] || {
        cat "$work/$number/$check.log"
        complain "${check#with_} complains about $(cat "$work/$number.what")"
      }
    done
  done

  for case in banned:typedef_vector banned:struct_array_field banned:inverted_cast \
              banned:product_replication banned:shifted_cast strict:use_before_declaration \
              strict:initial_always_ff strict:shared_always_ff strict:looped_always_ff \
              with_verilator:width with_yosys:two_drivers with_icarus:unknown_module; do
    snippet=${case#*:}
    if ${case%%:*} "$snippet" "" "$here/bad/$snippet.sv" > "$work/$snippet.log" 2>&1; then
      complain "${case%%:*} accepts bad/$snippet.sv"
    fi
  done
}

[ $failed = 0 ] || exit 1
echo "lint: $(echo "$rtl" | wc -w) files, $count shapes, verilator, yosys, icarus and bans: clean; 12 bad snippets rejected"
