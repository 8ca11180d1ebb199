#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# driver: the driver is freestanding C: both compilers accept it without a C library, for this
# processor and, with clang, for RISC-V, and its objects call only each other; so does the program
# of its page. Counter-case: a program that calls the C library.
#
# tags: source
. "$(dirname "$0")/tap.sh"
flags="-std=c11 -ffreestanding -fno-builtin -O2 -Wall -Wextra -Wshadow -Wconversion
    -Wstrict-prototypes -Werror -I."
sed -n '/^```c$/,/^```$/p' driver/README.md | sed '/^```/d' >"$TMP/program.c"

# outside FOLDER: prints the names that the objects of the folder use and do not define.
outside() {
    nm "$1"/*.o | awk 'NF == 2 && $1 == "U" { used[$2] } NF == 3 { here[$3] }
        END { for (name in used) if (!(name in here)) print name }' | sort
}

# compiles FOLDER COMPILER…: compiles the driver and the program.
compiles() {
    local folder=$TMP/$1 file
    shift
    mkdir "$folder"
    for file in driver/*.c "$TMP/program.c"; do
        # shellcheck disable=SC2086 # words
        "$@" $flags -c "$file" -o "$folder/$(basename "$file").o" || return
    done
}
image="roundcast_image
roundcast_image_words"
check "the C compiler accepts the driver and its program" compiles host "${CC:-cc}"
check "… which need nothing but an image" test "$(outside "$TMP/host")" = "$image"
if command -v clang >/dev/null; then
    check "clang accepts them, for RISC-V" compiles riscv clang --target=riscv32 -march=rv32i \
        -mabi=ilp32
    check "… which need nothing else there" test "$(outside "$TMP/riscv")" = "$image"
else
    skip "clang accepts them, for RISC-V" "clang is not installed"
fi
mkdir "$TMP/wrong"
echo 'extern int puts(const char *); int main(void) { return puts("") + rc_driver_text(0)[0]; }' |
    "${CC:-cc}" -std=c11 -O2 -I. -include driver/rc_driver.h -c -xc - -o "$TMP/wrong/wrong.o"
cp "$TMP"/host/rc_*.o "$TMP/wrong/"
check "(a call of the C library is found)" test "$(outside "$TMP/wrong")" = puts
finish
