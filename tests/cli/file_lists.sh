#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# file_lists: the lists of the RTL's files for other tools have all files and no others, each after
# the files that it uses, and three tools elaborate every top from the list alone. Counter-cases:
# lists with a file too few, too many, or too early. Files that comments of the RTL name exist.
#
# tags: tools
. "$(dirname "$0")/tap.sh"

same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
version=$(sed -n 's/^#define ROUNDCAST_VERSION "\(.*\)"/\1/p' sched/base/version.h)
all=$(find rtl -name '*.sv' -not -path 'formal/*' | sort)

# yaml EXPRESSION FILE: evaluates an expression of the file, as d, with a reader of YAML.
yaml() { /usr/bin/python3 -c "import sys, yaml; d = yaml.safe_load(open(sys.argv[1])); print($1)" "$2"; }
grep -v '^[/+]' rtl/roundcast.f | sed 's,^,rtl/,' >"$TMP/f"
yaml "chr(10).join(f for f in d['filesets']['rtl']['files'] if isinstance(f, str))" \
    roundcast.core >"$TMP/core"
yaml "chr(10).join(d['sources'][0]['files'])" Bender.yml >"$TMP/bender"
same "FuseSoC's file says what it is" "$(head -n 1 roundcast.core)" "CAPI=2:"
same "… and the version" "$(yaml "d['name']" roundcast.core)" "roundcast::roundcast:$version"
same "… and is a target for each top" \
    "$(yaml "sorted(t['toplevel'] for t in d['targets'].values() if 'toplevel' in t)" \
        roundcast.core)" "['axi_corners', 'rc_cube_auto_machine', 'rc_cube_machine', 'rc_fat_tree_machine', 'rc_multistage_machine']"
yaml "chr(10).join(p + ' ' + t['toplevel'] for t in d['targets'].values()
    for p in t.get('parameters', []))" roundcast.core >"$TMP/parameters"
same "… has parameters of the tops" "$(while read -r name top; do
    grep -q "^  parameter int $name " rtl/*/"$top.sv" || echo "$name of $top"
done <"$TMP/parameters")" ""
check "… for each of them" test "$(awk '{ print $2 }' "$TMP/parameters" | uniq | wc -l)" = 4
same "… and the wrappers for block designs" "$(yaml "chr(10).join(d['filesets']['axi']['files'])" \
    roundcast.core)" "$(find rtl -name '*.v' | sort)"
same "Bender's has them for a target" "$(yaml "chr(10).join(d['sources'][1]['files'])" Bender.yml)" \
    "$(find rtl -name '*.v' | sort)"
same "Bender's has the name" "$(yaml "d['package']['name']" Bender.yml)" roundcast

# Headers, and the folders in which tools search for them.
headers=$(find rtl -name '*.svh' | sort)
same "FuseSoC's has the headers" "$(yaml "chr(10).join(n for f in d['filesets']['rtl']['files']
    if isinstance(f, dict) for n in f if f[n]['is_include_file'])" roundcast.core)" "$headers"
folders=$(xargs -n 1 dirname <<<"$headers" | sort -u)
same "Bender's has their folders" \
    "$(yaml "chr(10).join(d['sources'][0]['include_dirs'])" Bender.yml)" "$folders"
same "… the other list too" "$(sed -n 's,^+incdir+,rtl/,p' rtl/roundcast.f)" "$folders"

# early LIST: prints files that are listed before a file whose module or package they use.
early() {
    local files
    mapfile -t files <"$1"
    awk '
        FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.sv$/, "", name); seen[name] }
        {
            line = $0
            while (match(line, /(^|[^A-Za-z0-9_])rc_[a-z0-9_]+( #\(| u_|::)/)) {
                used = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                sub(/^[^r]/, "", used)
                sub(/( #\(| u_|::)$/, "", used)
                if (!(used in seen)) print FILENAME
            }
        }' "${files[@]}" | sort -u
}
for list in f core bender; do
    same "$list has all files, once each" "$(sort "$TMP/$list")" "$all"
    same "… and each after the files that it uses" "$(early "$TMP/$list")" ""
done
tac "$TMP/f" >"$TMP/back"
check "(a list that is turned round is found)" test -n "$(early "$TMP/back")"

# elaborated NAME COMMAND…: checks that the command prints nothing, except the report of newer
# versions of Verilator.
elaborated() {
    local text=$1 said
    shift
    if said=$("$@" 2>&1) && ! grep -v '^- V' <<<"$said" | grep -q .; then
        ok "$text"
    else
        not_ok "$text" "$(head -5 <<<"$said")"
    fi
}
verilator=${VERILATOR:-verilator} yosys=${YOSYS:-yosys} iverilog=${IVERILOG:-iverilog}
in_rtl() { (cd rtl && "$@"); }
for top in rc_cube_auto_machine rc_cube_machine rc_fat_tree_machine rc_multistage_machine \
    rc_wishbone rc_axi_lite rc_apb rc_uart; do
    elaborated "Verilator elaborates $top from the list" "$verilator" --lint-only -Wall \
        -F rtl/roundcast.f rtl/roundcast.vlt --top-module $top
    elaborated "… Icarus too" in_rtl "$iverilog" -g2012 -Wall -o "$TMP/vvp" -s $top -c roundcast.f
    elaborated "… and Yosys" "$yosys" -q -p \
        "read_verilog -sv -defer $(tr '\n' ' ' <"$TMP/f"); hierarchy -check -top $top; proc;
         check -assert"
done
grep -v rc_endpoint.sv rtl/roundcast.f >"$TMP/short.f"
cp -r rtl "$TMP/"
cp "$TMP/short.f" "$TMP/rtl/roundcast.f"
check "(without one of the files Verilator refuses)" bash -c \
    '! "$1" --lint-only -F "$2/rtl/roundcast.f" --top-module rc_cube_machine 2>/dev/null' \
    _ "$verilator" "$TMP"
sed -i '/^+incdir/d' "$TMP/rtl/roundcast.f"
check "(without the folder of the headers too)" bash -c \
    '! "$1" --lint-only -F "$2/rtl/roundcast.f" --top-module rc_or_tree 2>/dev/null' \
    _ "$verilator" "$TMP"

# The wrappers with AXI4-Lite are generated, and have all parameters of their machines but those
# that they set (FieldBits) or that Verilog cannot pass (Init).
generator=(rtl/bus/axi_wrappers.awk rtl/bus/axi_wrappers.txt rtl/bus/axi_template.txt)
wrapper() { awk -v wrapper="$1" -f "${generator[@]}"; }
parameters_of() { sed -n 's/^  parameter .*\b\([A-Z][A-Za-z]*\) *=.*/\1/p' "$1"; }
awk -f "${generator[@]}" >"$TMP/wrappers"
same "the wrappers with AXI4-Lite are those of the generator" \
    "$(printf '%s\n' rtl/bus/*.v)" "$(sed 's,.*,rtl/bus/&.v,' "$TMP/wrappers" | sort)"
while read -r name; do
    check "$name is up to date" cmp <(wrapper "$name") "rtl/bus/$name.v"
    same "… and has all parameters of its machine" \
        "$(parameters_of rtl/*/"${name%_axi}_machine.sv" | grep -vxE 'FieldBits|Init')" \
        "$(parameters_of "rtl/bus/$name.v")"
done <"$TMP/wrappers"
sed '/^Ranges/d' rtl/bus/axi_wrappers.txt >"$TMP/fewer.txt"
generator[1]=$TMP/fewer.txt
check "(a parameter less is seen)" bash -c '! cmp -s "$1" rtl/bus/rc_multistage_axi.v' _ \
    <(wrapper rc_multistage_axi)
check "(a wrapper that is not described is rejected)" test "$(wrapper rc_none; echo $?)" = 1

# missing FILE…: prints "FILE NAME" for each file that a comment names and that does not exist.
find . -path ./build -prune -o -type f -printf '%f\n' | sort -u >"$TMP/names"
missing() {
    local file
    for file in "$@"; do
        grep -oE '//.*' "$file" | grep -oE '[A-Za-z0-9_]+\.(svh?|v|[ch]|cc|sh|awk|mk|md|txt)\b' |
            sort -u | grep -vxFf "$TMP/names" | sed "s,^,$file ,"
    done
}
check "comments of the RTL name files that exist" \
    test -z "$(missing rtl/*/*.sv rtl/*/*.svh synth/*.sv | tee "$TMP/missing")"
echo "wire a; // as in ram.sv, not rc_ram.sv" >"$TMP/a.sv"
same "(one that does not is found)" "$(missing "$TMP/a.sv")" "$TMP/a.sv ram.sv"
finish
