#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# image_forms: only the requested forms of an image are written, unpack reads the same schedule from
# each, and the lists of writes (firmware includes the list in C) leave the same words in each node
# of a machine as image.hex, with fewer writes. Counter-cases: a form that was not requested is not
# written, and the test detects an edited word and a write to all nodes of a word that only one node
# has.
. "$(dirname "$0")/tap.sh"

"$ROUNDCAST" schedule matching -n 8 -m 3 -o "$TMP/b.sched" >/dev/null
accepts "104 words" "route writes each form" route "$TMP/b.sched" --image writes --image c -o "$TMP/b" \
    --network benes:8 --width 8
accepts "" "… or none more" route "$TMP/b.sched" -o "$TMP/plain"
check "(no form is written without the option)" test "$(ls "$TMP/plain")" = \
    $'image.hex\npayload.bin\nschedule.sched'
"$ROUNDCAST" unpack "$TMP/b/image.hex" >"$TMP/hex"
for form in writes c; do
    accepts "" "unpack reads $form" unpack "$TMP/b/image.$form"
    check "… as the same schedule" cmp "$TMP/out" "$TMP/hex"
    "$ROUNDCAST" unpack - <"$TMP/b/image.$form" >"$TMP/out"
    check "… from standard input, too" cmp "$TMP/out" "$TMP/hex"
done

# The words of image.hex, as $readmemh interprets it.
expanded() {
    local token at=0
    for token in $(grep -v '^//' "$1"); do
        case $token in
        @*) at=$((16#${token#@})) ;;
        *) printf '%08x%s\n' $((at++)) "$token" ;;
        esac
    done
}
# The contents of every memory after pairs of address and word, of a machine of 8 nodes with 2^6
# rows and 2^7 flits: a line for each word, in order.
left_by() {
    local pair address region bits node field
    local -A memory=()
    while read -r pair; do
        address=$((16#${pair:0:8})) region=$((16#${pair:0:1} & 7)) bits=$((region == 4 ? 7 : 6))
        if ((address >> 31 == 0)); then
            memory[$(printf %08x $address)]=${pair:8}
            continue
        fi
        field=$((region << 28 | address & (1 << bits) - 1))
        for node in {0..7}; do
            memory[$(printf %08x $((field | node << bits)))]=${pair:8}
        done
    done
    for address in "${!memory[@]}"; do
        echo "$address ${memory[$address]}"
    done | sort
}
cat >"$TMP/firmware.c" <<'END'
#include <stdint.h>
#include <stdio.h>
extern const uint32_t roundcast_image[][2];
extern const uint32_t roundcast_image_words;
int main(void)
{
    for (uint32_t k = 0; k < roundcast_image_words; k++)
        printf("%08x%08x\n", (unsigned)roundcast_image[k][0], (unsigned)roundcast_image[k][1]);
}
END
check "(the machine is the one that this page knows)" \
    grep -q '^// machine benes:8,.* packets=16 flits=8 rows=64$' "$TMP/b/image.hex"
expanded "$TMP/b/image.hex" >"$TMP/words"
left_by <"$TMP/words" >"$TMP/left"
grep -v -e '^//' -e '^ffffffffffffffff$' "$TMP/b/image.writes" >"$TMP/writes"
check "writes leaves what image.hex leaves" cmp "$TMP/left" <(left_by <"$TMP/writes")
check "… with fewer writes" test "$(wc -l <"$TMP/writes")" -lt "$(wc -l <"$TMP/words")"
sed 's/^4/c/' "$TMP/writes" >"$TMP/all"
left_by <"$TMP/all" >"$TMP/left-all"
check "(packets of one node, written to all, are seen at the others)" test \
    "$(diff "$TMP/left" "$TMP/left-all" | grep -c '^>')" -ge $((7 * 3 * 4))
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "firmware by $compiler" "it is not there"; continue; }
    check "firmware by $compiler" $compiler -std=c11 -Wall -Wextra -Wshadow -Wconversion -Werror \
        "$TMP/firmware.c" "$TMP/b/image.c" -o "$TMP/firmware"
    "$TMP/firmware" >"$TMP/seen"
    check "… writes the same list" cmp "$TMP/seen" "$TMP/writes"
done
check "the firmware of docs/integrate.md compiles" gcc -std=c11 -Wall -Wextra -Wshadow \
    -Wconversion -Werror -c -xc -o "$TMP/load.o" <(sed -n '/^```c$/,/^```/p' docs/integrate.md |
        grep -v '^```')
sed 's/{0x10000001, 0x......../{0x10000001, 0x12345678/' "$TMP/b/image.c" >"$TMP/other.c"
gcc "$TMP/firmware.c" "$TMP/other.c" -o "$TMP/firmware"
check "(another word is seen)" bash -c "'$TMP/firmware' | diff - '$TMP/words' | grep -q 12345678"

# Memories on a full disk: the error occurs when the file is closed, or earlier.
"$ROUNDCAST" schedule binomial -n 2 -m 1 -o "$TMP/two.sched" >/dev/null
for flits in 32 64; do
    (ulimit -f 1 && exec "$ROUNDCAST" route "$TMP/two.sched" --image mem --flits $flits -o "$TMP/full") \
        >/dev/null 2>"$TMP/err"
    check "memories of $flits flits on a full disk are refused" test "$?,$(grep -c \
        'packets-0000.mem: cannot write: File too large; .* \[E202 write\]$' "$TMP/err")" = 2,1
    check "… and nothing is left" test ! -e "$TMP/full"
done
check "(another word is seen)" bash -c "'$TMP/firmware' | diff - '$TMP/writes' | grep -q 12345678"
finish
