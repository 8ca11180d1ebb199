#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# file_lists: lists the files of the RTL, packages first and every file before its users, in the
# formats of three tools.
#
#     file_lists.sh f|core|bender VERSION
#
#   f       for -F of Verilator and commercial tools, or -c of Icarus in this folder
#   core    CAPI2 of FuseSoC
#   bender  manifest of Bender
#
# `make file-lists` writes roundcast.f here, and roundcast.core and Bender.yml in the root folder.
set -eu
cd "$(dirname "$0")"
shopt -s extglob
modules=(!(formal)/*.sv)
headers=(!(formal)/*.svh)
mapfile -t packages < <(grep -l '^package' "${modules[@]}")

# Prints "USED USER" for each file and each file that it instantiates, and for each file alone.
uses() {
    local file name
    for file in "${modules[@]}"; do
        echo "$file $file"
        grep -oE '\brc_[a-z0-9_]+( #\(| u_)' "$file" | grep -oE '^rc_[a-z0-9_]+' | sort -u |
            while read -r name; do echo */"$name.sv" "$file"; done
    done
}

files() {
    printf '%s\n' "${packages[@]}"
    uses | tsort | grep -vxF "$(printf '%s\n' "${packages[@]}")"
}

# parameters_of TOP: prints those of the parameters that the top has, separated by commas.
parameters='Ports Dimensions Width Packets Flits Rows FieldBits'
parameters_of() {
    local parameter
    for parameter in $parameters; do
        ! grep -q "^  parameter int $parameter " */"$1.sv" || echo "$parameter"
    done | paste -sd ,
}

tops=$(grep -lE '^module rc_[a-z_]+_machine' "${modules[@]}" | sed 's,.*/,,; s/\.sv$//')
case $1 in
f)
    echo '// SPDX-License-Identifier: Apache-2.0'
    echo '// Files are relative to this one. Tops:'
    printf '//   %s\n' $tops
    printf '+incdir+%s\n' "${headers[@]%/*}" | sort -u
    files
    ;;
core)
    cat <<END
CAPI=2:
# SPDX-License-Identifier: Apache-2.0
name: roundcast::roundcast:$2
description: Switch networks and routers that follow tables of rounds
filesets:
  rtl:
    file_type: systemVerilogSource
    files:
$(printf '      - rtl/%s: {is_include_file: true}\n' "${headers[@]}")
$(files | sed 's,^,      - rtl/,')
  verilator:
    file_type: vlt
    files:
      - rtl/roundcast.vlt
  axi:
    file_type: verilogSource
    files:
$(printf '      - rtl/%s\n' bus/*.v)
  corners:
    file_type: systemVerilogSource
    files:
      - tests/rtl/axi_corners.sv
parameters:
$(for name in $parameters; do echo "  $name: {datatype: int, paramtype: vlogparam}"; done)
targets:
  default:
    filesets: [rtl]
  axi:
    filesets: [rtl, axi]
  sim:
    filesets: [rtl, axi, corners]
    toplevel: axi_corners
    default_tool: icarus
    tools:
      icarus:
        iverilog_options: [-g2012]
END
    for top in $tops; do
        cat <<END
  lint_${top#rc_}:
    filesets: [rtl, verilator]
    toplevel: $top
    parameters: [$(parameters_of "$top")]
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
END
    done
    ;;
bender)
    cat <<END
# SPDX-License-Identifier: Apache-2.0
package:
  name: roundcast
# Targets: axi, the Verilog wrappers with AXI4-Lite; roundcast_test, a testbench of one of them.
sources:
  - include_dirs: [$(printf 'rtl/%s\n' "${headers[@]%/*}" | sort -u | paste -sd ,)]
    files:
$(files | sed 's,^,      - rtl/,')
  - target: any(axi, roundcast_test)
    files:
$(printf '      - rtl/%s\n' bus/*.v)
  - target: roundcast_test
    files:
      - tests/rtl/axi_corners.sv
END
    ;;
esac
