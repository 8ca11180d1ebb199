#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# init: a machine whose memories are initialised from the files of `route --image mem`, without a
# host, behaves in every cycle like a machine that a host loads: init_tb.sv, in Icarus, for every
# kind of machine that supports the form, all settings and programs; for one machine also as
# synthesised by Yosys. Each machine is reset in a run, and started again, unless a run changes what
# the next one begins with. After the run the packets are read and compared. unpack reads the same
# schedule from the files. Counter-cases: an edited word in each kind of memory; received words that
# are not cleared; a second run that a host would have to load; a self-timed hypercube is rejected.
#
# With ROUNDCAST_EXHAUSTIVE Verilator also compiles the first machine, and one that keeps what nodes
# receive apart.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"
root=$PWD

# compile OUT TOP PORTS PARAMETERS FILE…: compiles the testbench with the sources of `list`;
# without a second start if `again` is 0.
compile() {
    local out=$1 top=$2 ports=$3 parameters=$4
    shift 4
    (cd rtl && "${IVERILOG:-iverilog}" -g2012 -s init_tb -Pinit_tb.Ports="$ports" \
        -Pinit_tb.Again="${again:-1}" \
        -DTOP="$top" "-DPARAMETERS=$parameters" -o "$out" -c "${list:-roundcast.f}" "$@" \
        ../tests/rtl/init_tb.sv) 2>&1 | grep -v 'constant selects in always_\*'
}
# Simulates in the image's folder; omits Icarus' notes on the order of arrays and on short files.
said() { (cd "$TMP/i" && vvp -n "$TMP/vvp") 2>&1 | grep -v -e 'Not enough words' -e inconsistency; }
# seen_in TEXT SEEN: checks that differences were seen.
seen_in() {
    case $2 in
    *", 0 differences") not_ok "$1" "$2" ;;
    *differences) ok "$1" ;;
    *) not_ok "$1" "$2" ;;
    esac
}
differs() {
    local text=$1 file=$2 seen
    cp "$TMP/i/$file" "$TMP/good"
    sed -i "$3" "$TMP/i/$file"
    seen=$(said)
    mv "$TMP/good" "$TMP/i/$file"
    seen_in "$text" "$seen"
}

# Number of words of packets that a host writes.
written() { grep -c '^[4c].......[89a-f]' "$TMP/i/image.writes"; }
# compiled_differs TEXT PORTS TOP PARAMETERS: checks that the machine, compiled again, differs.
compiled_differs() { seen_in "$1" "$(compile "$TMP/vvp" "rc_$3" "$2" "$4")$(said)"; }

# runs PORTS TOP PARAMETERS EXPECTED OPTION…: runs a schedule's image, made by route with options.
runs() {
    local ports=$1 top=$2 parameters=$3 expected=$4 seen
    shift 4
    rm -rf "$TMP/i"
    if ! "$ROUNDCAST" route "$TMP/s" "$@" --image writes --image mem -o "$TMP/i" >"$TMP/log" 2>&1
    then
        not_ok "$top $*" "$(cat "$TMP/log")"
        return
    fi
    seen=$(compile "$TMP/vvp" "rc_$top" "$ports" "$parameters")$(said)
    if [ "$seen" = "$expected, $(written) words held, 0 differences" ]; then
        ok "$top $*"
    else
        not_ok "$top $*" "$seen"
    fi
}
# unpacked OPTION…: checks that unpack reads the same schedule from the image's two forms.
unpacked() {
    check "… and unpack reads the same from its files" \
        cmp <("$ROUNDCAST" unpack "$@" "$TMP/i/registers.mem" || echo failed) \
        <("$ROUNDCAST" unpack "$@" "$TMP/i/image.hex")
}
memories=.Width\(16\),.Packets\(16\),.Flits\(8\),.Rows\(64\)

"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$TMP/s" >/dev/null
runs 8 multistage_machine ".Ports(8),$memories" "54 cycles, 22 packets completed"
unpacked
differs "(another setting is seen)" table-0002-0000.mem '2s/./f/'
differs "(a receiver that expects nothing)" receive-0005.mem 's/./0/g'
differs "(a sender that sends nothing)" send-0000.mem 's/./0/g'
differs "(a packet that is not there)" packets-0000.mem 's/./0/g'
differs "(another number of rows)" registers.mem 's/00000005/00000004/'
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then
    check "Verilator compiles it" "${VERILATOR:-verilator}" --binary -Wno-fatal -Mdir "$TMP/model" \
        -DTOP=rc_multistage_machine "-DPARAMETERS=.Ports(8),$memories" -F rtl/roundcast.f \
        tests/rtl/init_tb.sv --top-module init_tb
    check "… and sees no difference" bash -c \
        "cd '$TMP/i' && ../model/Vinit_tb | grep -q '^54 cycles, 22 .* $(written) words held, 0 diff'"
fi

# The netlist of Yosys has no memory that a host could load.
cat >"$TMP/begun.sv" <<END
module begun(input wire clk_i, input wire rst_i, input wire host_re_i,
    input wire [31:0] host_addr_i, output wire [31:0] host_rdata_o, input wire start_i,
    output wire run_o, output wire done_o, output wire obs_strobe_o, output wire [255:0] obs_o);
  rc_multistage_machine #(.Ports(8),.Width(16),.Packets(16),.Flits(8),.Rows(64),.Init("./")) u (
    .clk_i, .rst_i, .host_we_i(1'b0), .host_re_i, .host_addr_i, .host_wdata_i(32'b0),
    .host_rdata_o, .host_error_o(), .start_i, .busy_o(), .run_o, .done_o, .error_o(), .irq_o(),
    .obs_strobe_o, .obs_o);
endmodule
END
sources=$(grep -v '^[/+]' rtl/roundcast.f | sed "s,^,$root/rtl/," | tr '\n' ' ')
check "Yosys synthesises it" env -C "$TMP/i" "${YOSYS:-yosys}" -q -p "read_verilog -sv -defer \
    $sources ../begun.sv; hierarchy -check -top begun; synth -flatten -top begun; check -assert; \
    write_verilog -noattr ../begun.v"
sed '/^  `TOP #(`PARAMETERS, .Init/,/);$/c\
  begun u_begun (.clk_i(clk), .rst_i(rst), .host_re_i(re), .host_addr_i(addr),\
    .host_rdata_o(rdata_begun), .start_i(start), .run_o(run_begun),\
    .done_o(done_begun), .obs_strobe_o(strobe_begun), .obs_o(obs_begun));' \
    tests/rtl/init_tb.sv >"$TMP/init_tb.sv"
(cd rtl && "${IVERILOG:-iverilog}" -g2012 -s init_tb -DTOP=rc_multistage_machine \
    "-DPARAMETERS=.Ports(8),$memories" -o "$TMP/vvp" -c roundcast.f "$TMP/init_tb.sv" \
    "$TMP/begun.v") 2>&1 | grep -v 'constant selects in always_\*'
seen=$(said)
if [ "$seen" = "54 cycles, 22 packets completed, $(written) words held, 0 differences" ]; then
    ok "… which is in lockstep, too"
else
    not_ok "… which is in lockstep, too" "$seen"
fi

"$ROUNDCAST" schedule circulant -n 22 -m 16 -o "$TMP/s" >/dev/null
runs 24 multistage_machine ".Kind(2),.Ports(24),.Middle(4),.Radix(4),$memories" \
    "149 cycles, 337 packets completed" --network clos:4,4,6
unpacked
runs 22 multistage_machine ".Ports(22),$memories,.Settings(1),.Tables(8),.SettingPeriod(8)" \
    "269 cycles, 336 packets completed" --network benes:22 --settings indexed
runs 22 multistage_machine ".Ports(22),$memories,.Settings(2),.SettingPeriod(8),.Computed(1)" \
    "269 cycles, 336 packets completed" --network benes:22 --settings tags --programs computed
unpacked
"$ROUNDCAST" schedule tree-total-exchange --tree 2,2 --capacity 1,2 --ports multi -o "$TMP/s" >/dev/null
tree=".Height(2),.Children(384'h20002),.Capacity(384'h20001),.Depth(384'h100010)"
runs 4 fat_tree_machine "$tree,$memories" "33 cycles, 16 packets completed" --network fat-tree
differs "(another row of a router)" table-0000-0000.mem 's/a100081/0100001/'
"$ROUNDCAST" schedule tree-broadcast --tree 2,2 --capacity 1,2 --ports multi -o "$TMP/s" >/dev/null
runs 4 fat_tree_machine "$tree,.Queue(384'h100010),.Auto(1),$memories" \
    "65 cycles, 3 packets completed" --network fat-tree-auto
"$ROUNDCAST" schedule cube-broadcast --dim 3 --sources 0,5 -o "$TMP/s" >/dev/null
runs 24 cube_machine ".Dimensions(3),.Depth(16),.Width(16),.Packets(32),.Flits(8),.Rows(64)" \
    "65 cycles, 60 packets completed" --network cube

# Nodes that combine. What nodes keep apart is cleared at the start: compared with sources that fill
# these memories with ones. In an exclusive scan node 0 receives nothing; the word that the host
# reads there is its own.
sed "s/mem\[word\] = '0;/mem[word] = '1;/" rtl/common/rc_ram.sv >"$TMP/rc_ram.sv"
sed "s,^common/rc_ram.sv,$TMP/rc_ram.sv," rtl/roundcast.f >"$TMP/uncleared.f"
combining=".Ports(7),.Combine(2),$memories"
"$ROUNDCAST" schedule window-all-reduce -n 7 -m 2 -o "$TMP/s" >/dev/null
runs 7 multistage_machine "$combining" "69 cycles, 42 packets completed" --network benes:7
unpacked -r 3
differs "(a sender that also sends what it has received)" send-0000.mem 's/^[456]/7/'
differs "(a receipt that is combined)" receive-0000.mem 's/^[89]/a/'
"$ROUNDCAST" schedule exclusive-scan -n 7 -m 2 -o "$TMP/s" >/dev/null
runs 7 multistage_machine "$combining" "69 cycles, 28 packets completed" --network benes:7
list=$TMP/uncleared.f compiled_differs "(received words that are not cleared)" \
    7 multistage_machine "$combining"
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then
    check "Verilator compiles it" "${VERILATOR:-verilator}" --binary -Wno-fatal \
        -Mdir "$TMP/apart" -GPorts=7 -DTOP=rc_multistage_machine "-DPARAMETERS=$combining" \
        -F rtl/roundcast.f tests/rtl/init_tb.sv --top-module init_tb
    check "… and sees no difference" bash -c \
        "cd '$TMP/i' && ../apart/Vinit_tb | grep -q '^69 cycles, 28 .* $(written) words held, 0 d'"
fi

# A run of other nodes that combine changes what the next one begins with: a host loads it again.
again=0
combining=".Ports(7),.Combine(1),$memories"
"$ROUNDCAST" schedule reduce-broadcast -n 7 -m 2 -o "$TMP/s" >/dev/null
runs 7 multistage_machine "$combining" "80 cycles, 24 packets completed" --network benes:7
again=1 compiled_differs "(a second run)" 7 multistage_machine "$combining"
combining=".Dimensions(3),.Combine(1),$memories"
"$ROUNDCAST" schedule all-reduce --dim 3 -m 2 -o "$TMP/s" >/dev/null
runs 24 cube_machine "$combining" "12 cycles, 48 packets completed" --network cube
list=$TMP/uncleared.f compiled_differs "(received words that are not cleared)" \
    24 cube_machine "$combining"
again=1 compiled_differs "(a second run)" 24 cube_machine "$combining"
"$ROUNDCAST" schedule tree-reduce --tree 2,2 --capacity 1,2 --ports multi -o "$TMP/s" >/dev/null
runs 4 fat_tree_machine "$tree,.Combine(1),$memories" "20 cycles, 1 packets completed" \
    --network fat-tree
"$ROUNDCAST" schedule cube-broadcast --dim 3 --sources 0,5 -o "$TMP/s" >/dev/null
refuses 2 E208 "mem is not available for cube-auto" "(a self-timed hypercube is refused)" route "$TMP/s" \
    --network cube-auto --image mem -o "$TMP/none"
check "… before anything is written" test ! -e "$TMP/none"
finish
