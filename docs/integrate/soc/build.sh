#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh: builds the firmware that broadcasts a file.
#
#     build.sh ROUNDCAST FILE FOLDER
#
# FOLDER gets firmware.hex, which soc_tb.sv loads. Requires clang and lld.
set -eu
roundcast=$1 file=$2 folder=$3
here=$(dirname "$0")
root=$here/../../..
bytes=$(stat -c %s "$file")
[ "$bytes" -ge 1 ] && [ "$bytes" -le 256 ] || {
    echo "build.sh: FILE: $file has $bytes bytes; expected 1 to 256" >&2
    exit 2
}
packets=$(((bytes + 15) / 16))                       # of 16 bytes, 8 flits, at most
"$roundcast" schedule matching -n 8 -m "$packets" -o "$folder/soc.sched" >"$folder/soc.log"
"$roundcast" route "$folder/soc.sched" --payload "$file" --image c -o "$folder/image" \
    --json >"$folder/route.json"
flits=$(sed -n 's/^  "flits": \([0-9]*\),$/\1/p' "$folder/route.json")
clang --target=riscv32 -march=rv32i -mabi=ilp32 -std=c11 -ffreestanding -O2 -Wall -Wextra \
    -I"$root" -DPACKETS="$packets" -DFLITS="$flits" -DBYTES="$bytes" -nostdlib -fuse-ld=lld \
    -Wl,-T,"$here/link.ld" -Wl,-e,start -o "$folder/firmware.elf" \
    "$here/start.S" "$here/firmware.c" "$root"/driver/*.c "$folder/image/image.c"
llvm-objcopy -O binary "$folder/firmware.elf" "$folder/firmware.bin"
od -An -v -tx4 -w4 "$folder/firmware.bin" | tr -d ' ' >"$folder/firmware.hex"
