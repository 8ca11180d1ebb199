#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# guards: every tool that elaborates the RTL rejects illegal parameters, without options for it, and
# names the parameter; defaults are legal, also where a tool elaborates modules as it reads them.
#
# Guards are RC_REQUIRE of rtl/common/rc_require.svh. Each module has a legal instance, as small as
# possible, which all tools accept with all warnings and without a message, and changes of it which
# all must reject, each by a guard of that name: an error with another cause proves nothing about
# the guard. Verilator is run with -Wno-fatal for them, and Yosys without `hierarchy -check`. Yosys
# without -defer elaborates all modules as it reads them, which is half of the time: it is run for
# the first change only, because for given parameters it elaborates the same modules again. Every
# tool tries one legal instance of each machine, which contains the other modules, and a change of
# it. Icarus, the fastest, tries all instances and all changes of all modules; in `make test-all`
# every tool does. At the end each guard of the RTL must have rejected something.
#
# Counter-case: without its guards all tools accept a memory of 12 words, so the guards reject it.
#
# tags: long tools
. "$(dirname "$0")/tap.sh"

packages=$(grep -l '^package' rtl/*/*.sv | tr '\n' ' ')

for tool in "${VERILATOR:-verilator}" "${YOSYS:-yosys}" "${IVERILOG:-iverilog}"; do
    if ! command -v "$tool" >/dev/null; then
        skip "illegal parameters are refused" "no $tool"
        finish
    fi
done

# files MODULE: sets rtl to the files of the modules that it consists of, packages first: an error
# in another file is irrelevant, and a tool starts sooner. One awk finds the names in all files.
declare -A listed file_of names_in
while read -r file name; do
    file_of[$name]=$file
done < <(printf '%s\n' rtl/*/*.sv | sed -E 's,^(.*/([^/]*)\.sv)$,\1 \2,')
while read -r name words; do
    names_in[$name]=$words
done < <(awk '
    FNR == 1 {
        module = FILENAME
        gsub(/^.*\/|\.sv$/, "", module)
        modules[module]
        split("", seen)
    }
    {
        sub(/\/\/.*/, "")
        while (match($0, /[A-Za-z0-9_]+/)) {
            word = substr($0, RSTART, RLENGTH)
            $0 = substr($0, RSTART + RLENGTH)
            if (word ~ /^rc_[a-z0-9_]+$/ && !(word in seen)) {
                seen[word]
                words[module] = words[module] " " word
            }
        }
    }
    END { for (module in modules) print module words[module] }' rtl/*/*.sv)
list() {
    local name file=${file_of[$1]:-}
    if [ -z "$file" ] || [ -n "${listed[$file]:-}" ]; then return; fi
    listed[$file]=1
    for name in ${names_in[$1]}; do list "$name"; done
}
files() {
    listed=()
    list "$1"
    for file in $packages; do unset "listed[$file]"; done
    rtl="$packages ${!listed[*]}"
}

# set_all FORM PARAMETERS: prints the parameters of "A=1,B=2" in the form of a tool's options.
set_all() {
    local pair
    for pair in ${2//,/ }; do
        # shellcheck disable=SC2059  # a form
        printf -- "$1 " "${pair%%=*}" "${pair#*=}"
    done
}

# Each tool on a module of the files $rtl, with parameters, in the weakest form that must reject
# illegal ones, or with -Wall and -check if $strict; its messages are in $TMP/log.
strict=
# shellcheck disable=SC2046,SC2086  # words
with_verilator() {
    "${VERILATOR:-verilator}" --lint-only ${strict:--Wno-fatal -Wno-lint -Wno-style} -Irtl/common \
        rtl/roundcast.vlt --top-module "$1" $(set_all '-G%s=%s' "$2") $rtl >"$TMP/all" 2>&1
    local status=$?
    # Newer versions end with a report.
    grep -v '^- V' "$TMP/all" >"$TMP/log"
    return $status
}

# shellcheck disable=SC2046,SC2086
with_icarus() {
    "${IVERILOG:-iverilog}" -g2012 $strict -Irtl/common -o "$TMP/vvp" -s "$1" $(set_all \
        "-P$1.%s=%s" "$2") $rtl >"$TMP/log" 2>&1
}

yosys_reads() {
    "${YOSYS:-yosys}" -q -p "read_verilog -sv $1 $rtl; ${3:+chparam $(set_all '-set %s %s' "$3") $2;}
        hierarchy ${strict:+-check} -top $2; proc; ${strict:+check -assert}" >"$TMP/log" 2>&1
}
with_yosys() { yosys_reads -defer "$@"; }
with_yosys_at_once() { yosys_reads "" "$@"; }

# names GUARD TOOL: checks that the tool named the guard. Icarus reports
# FILE:LINE: error: Unknown module type: rc_illegal_GUARD.
names() {
    local said form
    case $2 in
    with_icarus) form="Unknown module type: rc_illegal_${1}(_|"$'\n'")" ;;
    *) form="(ERROR: |%Warning-USERERROR: [^"$'\n'"]*: )${1} (must|requires)" ;;
    esac
    contents said "$TMP/log"
    [[ $said =~ $form ]]
}
# rejected: keeps the messages of Icarus, which name the guards.
rejected() {
    local said
    contents said "$TMP/log"
    printf '%s\n' "$said" >>"$TMP/hit"
}

tools='with_verilator with_icarus with_yosys with_yosys_at_once'
rest=${ROUNDCAST_EXHAUSTIVE:+${tools% *}}
rest=${rest:-with_icarus}
# ask MODULE: sets asked to the tools that try its legal instance and its first change.
declare -A tried
ask() {
    asked=with_icarus
    if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ] || [[ $1 == *_machine && -z ${tried[$1]:-} ]]; then
        asked=$tools
    fi
    tried[$1]=1
}

# guards MODULE LEGAL CHANGE…: checks that the legal instance is accepted and each change of it is
# rejected. A change is "A=1,B=2"; the guard is that of the last parameter, or of the parameter
# after a colon; `any` is for a value that makes tools fail before they reach the guard.
guards() {
    local module=$1 legal=$2 change tool guard said asked
    ask "$module"
    files "$module"
    shift 2
    said=
    strict=-Wall
    for tool in $asked; do
        doing="$tool $module $legal"
        if ! $tool "$module" "$legal" ||
            [ -s "$TMP/log" ]; then said+="$tool: $(head -3 "$TMP/log")"$'\n'; fi
    done
    if [ -z "$said" ]; then ok "$module takes ${legal:-its defaults}"; else not_ok \
        "$module takes ${legal:-its defaults}" "$said"; fi
    strict=
    for change in "$@"; do
        guard=${change##*:}
        [ "$guard" != "$change" ] || guard=${change##*,} guard=${guard%%=*}
        change=${change%%:*}
        said=
        for tool in $asked; do
            # shellcheck disable=SC2034  # tap.sh prints it
            doing="$tool $module $legal,$change"
            if $tool "$module" "$(changed "$legal" "$change")"; then
                said+="$tool takes it"$'\n'
            elif [ "$guard" != any ] && ! names "$guard" "$tool"; then
                said+="$tool says $(head -3 "$TMP/log")"$'\n'
            fi
            [ "$tool" != with_icarus ] || rejected
        done
        if [ -z "$said" ]; then ok "$module refuses $change"; else not_ok \
            "$module refuses $change" "$said"; fi
        asked=$rest
    done
}

# changed LEGAL CHANGE: prints the parameters of both, each once.
changed() {
    local pair words=
    for pair in ${1//,/ }; do
        case ,$2 in *",${pair%%=*}="*) ;; *) words+=$pair, ;; esac
    done
    echo "$words$2"
}

# The usual call, with all files and without -defer.
rtl="$packages $(grep -L '^package' rtl/*/*.sv)"
rtl=${rtl//$'\n'/ }
strict=-Wall
# The files are read once for all tops.
script="read_verilog -sv $rtl; design -save read"
for top in rc_multistage_machine rc_fat_tree_machine rc_cube_machine rc_cube_auto_machine; do
    script+="; design -load read; hierarchy -check -top $top; proc; check -assert"
done
check "all files are read without -defer, for each machine" "${YOSYS:-yosys}" -q -p "$script"

minus="32'shffffffff"                # -1, which Yosys' chparam does not read

mkdir "$TMP/common"
cp rtl/common/*.svh "$TMP/common"
sed '/RC_REQUIRE/{:a;/")$/!{N;ba};d}' rtl/common/rc_ram.sv >"$TMP/common/rc_ram.sv"
rtl=$TMP/common/rc_ram.sv
for tool in $tools; do
    check "without its guards rc_ram takes Depth=12, $tool" "$tool" rc_ram Depth=12
done
strict=

# An instance, as an integrator would write it.
cat >"$TMP/top.sv" <<'END'
module top (input wire clk, input wire [1:0] address, output wire word);
  rc_ram #(.Depth(3)) ram (.clk_i(clk), .strobe_i(1'b0), .we_i(1'b0), .waddr_i(address),
                           .wdata_i(1'b0), .re_i(1'b1), .raddr_i(address), .rdata_o(word));
endmodule
END
rtl="rtl/common/rc_ram.sv $TMP/top.sv"
for tool in $tools; do
    text="an instance of 3 words is refused, $tool"
    if "$tool" top "" || ! names Depth "$tool"; then not_ok "$text" "$(head -3 "$TMP/log")"; else
        ok "$text"; fi
done

guards rc_ram "" Width=0 Depth=0 Depth=1 Depth=12 Cleared=1,Init=1:Cleared
guards rc_column_ram "" Columns=0 Width=0 Depth=12
guards rc_or_tree "" Words=0
guards rc_first "" Words=0 Width=0
guards rc_first_flags "" Words=0

guards rc_reset "" Cycles=1
guards rc_sequencer "" Rows=1 Rows=12 Flits=12
guards rc_setting_index "" SettingPeriod=1 SettingPeriod=12
guards rc_setting_counter "" SettingPeriod=12
guards rc_computed_program "Packets=4,OffsetBits=4" Entries=3 OffsetBits=2
guards rc_periodic_packet "" Packets=4,OffsetBits=2
guards rc_endpoint "" Width=0 Width=513 Packets=0 Packets=1 Packets=12 Flits=1 Flits=3 Rows=1 Rows=6 Entries=4 Lists=1
guards rc_endpoint "Ranges=1,Width=4,NodeBits=2,Nodes=4,Node=1" Headers=1:Ranges Init=1:any \
    Computed=1,OffsetBits=2:Ranges
guards rc_range_program "Width=4,NodeBits=2,Nodes=4" Width=3 Width=513 Nodes=5 Nodes=1 Node=4
guards rc_range_table "" Splits=1 Splits=6 NodeBits=0 NodeBits=16
guards rc_endpoint "Computed=1,Rows=4,Entries=2,OffsetBits=2" Entries=3 OffsetBits=1
guards rc_endpoint "Combine=1" Computed=1,OffsetBits=3,Combine=1 Shared=2,Combine=1
guards rc_endpoint "Shared=2" Shared=0 Shared=$minus:any Computed=1,OffsetBits=3:Shared \
    Headers=1,Width=2:Shared Ranges=1,Width=2:Shared
guards rc_endpoint "Combine=3" Computed=1,OffsetBits=3,Combine=3 Shared=2,Combine=3 Combine=4
guards rc_shell "Rows=4,Combine=3,Latency=1" Combine=4
guards rc_multistage_machine "Combine=2" Combine=3 Operators=0 Operators=128
guards rc_combine "" Width=0 Width=513 Operators=0 Operators=128
guards rc_node_memory "" Members=0 Members=$minus
guards rc_shell "Rows=4,Hops=1,Combine=2,Shared=2,Latency=1" Ranges=1,Width=2:Combine Combine=3
guards rc_endpoint "Combine=2" Width=32:Width
guards rc_endpoint "Headers=1,Width=3,NodeBits=2,Packets=8" NodeBits=3,Width=3 Packets=16,Width=3 OffsetBits=4,Computed=1 Lists=1,Init=1:any
guards rc_shell "Rows=4,Ranges=1,Splits=4,Width=2" Splits=8 Splits=3 Headers=1:Ranges
guards rc_shell "Rows=4" Nodes=1 Tables=0 SettingPeriod=1 SettingPeriod=3 \
    SettingPeriod=8 Computed=1 Reconfig=1 Shared=2,Combine=1:Combine FieldBits=5 FieldBits=29 \
    Outside=1,Combine=1:Outside

guards rc_stream_endpoint "" Width=0
guards rc_bus_port "" FieldBits=5 FieldBits=29
guards rc_uart_receiver "" Divider=7 Divider=65536
guards rc_uart_sender "" Divider=7 Divider=65536
guards rc_uart "" Divider=7 Divider=$minus
guards rc_wishbone "" FieldBits=5 FieldBits=29 Pipelined=2 Pipelined=$minus
guards rc_axi_lite "" FieldBits=5 FieldBits=29
guards rc_apb "" FieldBits=5 FieldBits=29

guards rc_switch2 "" LaneBits=0
guards rc_combine_switch "" LaneBits=1 LaneBits=514
guards rc_crossbar "" Inputs=0 Outputs=0 LaneBits=0
guards rc_crossbar_stage "Crossbars=4,Stride=2" Inputs=0 Outputs=0 Rows=3 Crossbars=3 Stride=3:Crossbars Stride=0:Crossbars
guards rc_setting_table "" Fields=0 FieldBits=0 FieldBits=33 Rows=5
guards rc_tag_settings "" Ports=1
guards rc_tag_shifts "Ports=6" Ports=1 Level=3 Level=$minus Registered=1:Registers
guards rc_mask_settings "" Ports=1 Ports=6
guards rc_stage "Ports=6" Ports=1 Level=3 Level=$minus Rows=7 Copies=1:Ports Masks=1:Ports Combines=1,LaneBits=2:Ports
guards rc_stage "Ports=4" Tags=1,Copies=1 Masks=1,Copies=1 Copies=1,Fewer=1 Tags=1,Fewer=1 Masks=1,Fewer=1 \
    Copies=1,Combines=1,LaneBits=2:Combines Combines=1:LaneBits
guards rc_multistage_network "Kind=4,Ports=8" Ports=1 Tags=1:Kind Masks=1:Kind
guards rc_multistage_network "Ports=6" Kind=7 Kind=$minus Ports=0 Ports=1 Levels=2 Pipe=6 Pipe=$minus Pad=$minus Rows=6 \
    Kind=1:Ports Kind=3:Ports Kind=5,LaneBits=2:Ports \
    Kind=6,LaneBits=2:Ports Masks=1:Ports
guards rc_multistage_network "Kind=2,Ports=4" Middle=0 Radix=1 Radix=3:Ports Levels=1 Levels=3,Ports=8:Middle \
    Levels=3,Middle=2,Ports=6 Tags=1:Kind Masks=1:Kind
guards rc_multistage_core "" Settings=4 Rows=1 Tables=4 Settings=1:SettingPeriod Kind=1,Settings=2
guards rc_multistage_core "Settings=1,Rows=4,Tables=2,SettingPeriod=2" Tables=3 Tables=8 \
    Reconfig=1,Rows=131072,Tables=65536:Rows
guards rc_multistage_machine "" Kind=9 Ports=1 Settings=4 Width=513 Packets=12 Flits=3 Rows=1 Rows=6 Pipe=2 \
    Kind=1,Ports=12 Tables=4 Settings=1:SettingPeriod Computed=1:SettingPeriod
guards rc_multistage_machine "Settings=1,Rows=4,Tables=2,SettingPeriod=2" Tables=1 Tables=3 Tables=8 \
    SettingPeriod=3 SettingPeriod=8 Kind=1,Settings=2 Computed=1,Reconfig=1 \
    Reconfig=1,Rows=131072,Tables=65536:Rows
guards rc_multistage_fabric "" Kind=5 Kind=6 Ports=1 Settings=4 Width=0 Packets=12 Flits=3 Rows=6 Kind=1,Ports=12 Tables=4 \
    Settings=1:SettingPeriod FieldBits=5
guards rc_multistage_fabric "Settings=1,Rows=4,Tables=2,SettingPeriod=2" Tables=3 Kind=1,Settings=2 \
    Reconfig=1,Rows=131072,Tables=65536:Rows

guards rc_branch_queue "" Queue=0
guards rc_read_ports "" Branches=0 Reads=0
guards rc_router_core "" Ports=1 Depth=0 Depth=65536 Reads=0 Width=0 Flits=3 Registers=1
guards rc_router_core "Combine=1" Registers=2
guards rc_combine_tree "" Words=1 Width=0 Width=513 Registers=2 Registers=$minus
guards rc_router "" Ports=1 Depth=0 Reads=0 Width=0 Flits=3 Rows=1 Rows=3
guards rc_router_auto "" Children=1 ChildLanes=0 ParentLanes=$minus LeavesPerChild=0 Depth=0 Queue=0 Queue=65536 Reads=0 \
    Width=1 Flits=3
guards rc_fat_tree_machine "" Height=0 Height=25:any "Children=384'h1" "Capacity=384'h0" "Depth=384'h0" \
    Reads=0 Reads=13 Pad=$minus:any Packets=12 Rows=3 Auto=1,Width=2,Combine=1:Combine
guards rc_fat_tree_machine "Combine=1" Operators=0
guards rc_cube_machine "Dimensions=2,Combine=1" Operators=0
guards rc_fat_tree_machine "Auto=1,Width=2" "Queue=384'h0" Width=1
guards rc_cube_machine "Dimensions=2" Dimensions=0 Depth=0 Reads=13 Pad=$minus:any Flits=3

guards rc_cube_auto_router "" Ports=0
guards rc_cube_auto_output "" Port=1 Port=$minus
guards rc_cube_auto_remainder "" Divisor=0 Bits=0 Cycles=0
guards rc_cube_auto_sums "" Dimensions=0 Node=2 Node=$minus Root=2 Root=$minus
guards rc_cube_auto_node "Width=6" Dimensions=0 Node=2 Depth=0 Queue=0 Queue=65536 Width=4 Packets=4 Packets=12 Flits=3 Rows=3
guards rc_cube_auto_machine "" Dimensions=0 Queue=0 Pad=$minus:any Width=4 Packets=1 Packets=4 Rows=1

# "FILE GUARD" for each guard of the RTL.
grep -oE 'RC_REQUIRE\([A-Za-z_]+' rtl/*/*.sv | sed 's/:RC_REQUIRE(/ /' |
    sort -u >"$TMP/guards"
sed -nE 's,^([^:]*):.* rc_illegal_([A-Za-z_]+)$,\1 \2,p' "$TMP/hit" | sort -u >"$TMP/rejected"
check "each guard has refused something" diff "$TMP/guards" "$TMP/rejected"
sed -i 1d "$TMP/rejected"
check "(one that has not is found)" bash -c '! diff "$1/guards" "$1/rejected"' _ "$TMP"
finish
