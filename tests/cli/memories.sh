#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# memories: the modules of memories become block RAMs on iCE40, ECP5 and Xilinx 7, as many as the
# data sheets allow, without a flip-flop outside: a block of iCE40 has 256 words of 16 bits, 512 of
# 8 or 1024 of 4; one of ECP5 (DP16KD) and of Xilinx (RAMB18E1) 512 words of 36 bits or 1024 of 18.
# All have an enable for each column of a word here.
#
# Counter-cases: a memory that is read without a clock has no block RAM; without no_rw_check Yosys
# adds flip-flops that return the old word of a collision.
#
# tags: tools
. "$(dirname "$0")/tap.sh"

if ! command -v "${YOSYS:-yosys}" >/dev/null; then
    skip "memories are block RAMs" "no yosys"
    finish
fi

# blocks TARGET FOLDER MODULE PARAMETERS: prints the block RAMs and the flip-flops of a memory.
blocks() {
    local pair set=
    for pair in ${4//,/ }; do set+=" -set ${pair%%=*} ${pair#*=}"; done
    "${YOSYS:-yosys}" -q -p "read_verilog -sv -defer -Irtl/common rtl/common/rc_initial.sv $2/$3.sv
        chparam $set $3; synth_$1 -top $3 -run begin:map_ffs; tee -o $TMP/stat stat" \
        >"$TMP/log" 2>&1 || { head -3 "$TMP/log"; return; }
    awk '$1 ~ /^(SB_RAM40_4K|DP16KD|RAMB18E1|RAMB36E1)$/ { blocks += $2 }
        $1 ~ /^\$_S?DFFE?/ || $1 ~ /^\$a?s?dffe?$/ { flip_flops += $2 }
        END { print blocks + 0, flip_flops + 0 }' "$TMP/stat"
}

# in_blocks MODULE PARAMETERS ICE40 ECP5 XILINX: checks the numbers of blocks of a memory.
in_blocks() {
    local target found
    for target in "ice40 $3" "ecp5 $4" "xilinx $5"; do
        found=$(blocks "${target% *}" rtl/common "$1" "$2")
        check "$1 of $2 on ${target% *}: ${target#* } blocks, no flip-flop" \
            test "$found" = "${target#* } 0"
    done
}
in_blocks rc_ram Width=16,Depth=256 1 1 1
in_blocks rc_ram Width=36,Depth=512 5 1 1
in_blocks rc_ram Width=17,Depth=1024 5 1 1
in_blocks rc_column_ram Columns=4,Width=4,Depth=256 1 1 1
in_blocks rc_column_ram Columns=4,Width=9,Depth=512 5 1 1

# fault SCRIPT TEXT PATTERN: changes rc_ram with sed; its numbers on iCE40 then match.
mkdir "$TMP/common"
fault() {
    sed "$1" rtl/common/rc_ram.sv >"$TMP/common/rc_ram.sv"
    check "(the fault is planted: $2)" bash -c '! cmp -s "$1" "$2"' _ rtl/common/rc_ram.sv \
        "$TMP/common/rc_ram.sv"
    check "($2)" grep -qE "$3" <(blocks ice40 "$TMP/common" rc_ram Width=16,Depth=256)
}
fault 's/if (re_i) rdata_o <= mem.raddr_i.;//; s/^endmodule/assign rdata_o = mem[raddr_i];&/' \
    "a read without a clock has no block" '^0 '
fault 's/no_rw_check/keep_words/' "the old word of a collision needs flip-flops" '^[12] [1-9]'
finish
