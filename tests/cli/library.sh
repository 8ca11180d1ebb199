#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# library: libroundcast and libcsim as they are installed: programs are built with only the headers,
# libraries and pkg-config, by gcc and clang, shared and static.
#
# The prefix has a blank, quotes and a non-ASCII letter in its name. The programs are the installed
# examples, in a folder without the sources. The exports of the libraries are compared with the
# declarations that gcc finds in the headers. Counter-cases: headers with one function more or less,
# an unknown network, a program that searches for the shared library in the wrong place, a library
# with global state.
#
# tags: tools
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MAKELEVEL

build=$(realpath "$(dirname "$ROUNDCAST")")
prefix="$TMP/it's a \"préfix\""
library=$prefix/lib
make() { command make -s BUILD="$build" "$@"; }
same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2; expected $3"; fi; }
for tool in pkg-config gcc; do
    command -v $tool >/dev/null || { skip "libraries are installed" "no $tool"; finish; }
done

check "make install" make install PREFIX="$prefix"
check "… below DESTDIR" make install DESTDIR="$TMP/stage" PREFIX=/usr LIBDIR=lib/here
version=$("$ROUNDCAST" --version | awk '{ print $2 }')
mkdir "$TMP/work"
cp -r "$prefix/share/doc/roundcast"/{lib,csim} "$TMP/work"
cd "$TMP/work" || exit 1

# --- pkg-config -----------------------------------------------------------------------------------

export PKG_CONFIG_PATH=$library/pkgconfig
# flags OPTION… NAME: prints the output of pkg-config, one word a line.
flags() { eval "printf '%s\\n' $(pkg-config "$@")"; }
for name in roundcast csim; do
    same "$name.pc has the version" "$(pkg-config --modversion $name)" "$version"
    check "… which is $name's in the file's name" test -f "$library/lib$name.so.$version"
done
same "pkg-config finds the headers" "$(flags --cflags roundcast)" "-I$prefix/include"
same "… and the libraries" "$(flags --libs csim)" "-L$library
-lcsim"
same "the prefix is not DESTDIR's" \
    "$(sed -n 's/^prefix=//p' "$TMP/stage/usr/lib/here/pkgconfig/roundcast.pc")" /usr
same "… which the system's root goes before" \
    "$(PKG_CONFIG_PATH=$TMP/stage/usr/lib/here/pkgconfig PKG_CONFIG_SYSROOT_DIR=$TMP/stage \
        pkg-config --libs-only-L roundcast | tr -d ' ')" "-L$TMP/stage/usr/lib/here"
same "… and a moved prefix can be given" \
    "$(pkg-config --define-variable=prefix=/moved --cflags roundcast | tr -d ' ')" -I/moved/include

# --- exports --------------------------------------------------------------------------------------

# declared FOLDER HEADER…: prints the functions that these headers, and those of FOLDER that they
# include, declare for callers.
declared() {
    printf '#include <%s>\n' "${@:2}" >"$TMP/all.c"
    gcc -I"$1" -c -o /dev/null -aux-info "$TMP/aux" "$TMP/all.c"
    grep -F -e "/* $1/" "$TMP/aux" | sed -nE 's/^[^ ]+ [^ ]+ \*\/ extern //p' |
        sed -E 's/ \(.*//; s/.*[ *]//' | sort
}

all_declared() { declared "$1" roundcast.h roundcast/json.h; }

# exported LIBRARY: prints its dynamic names, without their versions.
exported() { nm -D --defined-only "$1" | sed -nE "s/.* T ([^@]*)@@$2\$/\\1/p" | sort; }

ln -s "$prefix" "$TMP/plain"
headers=$TMP/plain/include
same "libroundcast exports what its headers declare" "$(exported "$library/libroundcast.so" \
    ROUNDCAST_0.2)" "$(all_declared "$headers")"
same "libcsim exports what its headers declare" "$(exported "$library/libcsim.so" CSIM_0.2)" \
    "$(declared "$headers/roundcast" csim/kernel/csim.h csim/kernel/trace.h)"
check "there are some" test "$(exported "$library/libcsim.so" CSIM_0.2 | wc -l)" -gt 30
for name in roundcast csim; do
    node=$(tr a-z A-Z <<<$name)_${version%.*}
    same "lib$name exports nothing else" "$(nm -D --defined-only "$library/lib$name.so" |
        grep -vcE "@@$node| A $node\$")" 0
    same "lib$name.a shows the same names" "$(nm -g --defined-only "$library/lib$name.a" |
        sed -n 's/.* T //p' | sort)" "$(exported "$library/lib$name.so" "$node")"
    same "lib$name.so.0 is what programs look for" \
        "$(objdump -p "$library/lib$name.so" | awk '$1 == "SONAME" { print $2 }')" "lib$name.so.0"
done
mkdir "$TMP/other"
ln -s "$headers/roundcast" "$TMP/other"
sed 's/^const char \*roundcast_version(void);/&\nvoid roundcast_more(void);/' \
    "$headers/roundcast.h" >"$TMP/other/roundcast.h"
same "(a function that is declared only is seen)" "$(comm -3 <(all_declared "$TMP/other") \
    <(exported "$library/libroundcast.so" ROUNDCAST_0.2))" roundcast_more
sed -i '/roundcast_more/d; /^const char \*roundcast_version/d' "$TMP/other/roundcast.h"
same "(one that is exported only is seen)" "$(comm -13 <(all_declared "$TMP/other") \
    <(exported "$library/libroundcast.so" ROUNDCAST_0.2))" roundcast_version

# state FILE…: prints the names of variables that can change.
state() {
    objdump -t "$@" | awk 'NF > 3 && $(NF-2) ~ /^\.(t?data|t?bss)$/ && $(NF-1) !~ /^0+$/ {
        sub(/\.[0-9]+$/, "", $NF)
        print $NF
    }' | sort
}
# Only three parts of the library have variables: the files and children of a program that watches
# signals; the note about a cache in a temporary folder, which is printed once; and, for each
# thread, the name of a network that is returned. GTKWave's writer of FST has its own variables.
objects() { printf "$build/obj/%s.o\n" "$@"; }
mapfile -t parts < <(objects sched/base/interrupt testbench/engine/cache \
    sched/request/field_values fst/{fstapi,fastlz,lz4})
same "libroundcast has no other state" "$(state "$library/libroundcast.a")" "$(state "${parts[@]}")"
echo 'int calls; int count(void) { return ++calls; }' | gcc -xc -c -o "$TMP/state.o" -
same "(state is seen)" "$(state "$TMP/state.o")" calls
# ends NM-OPTION FILE: prints the functions that it calls and that end the program, or print.
ends() {
    nm "$@" | sed 's/@.*//; s/.* //' |
        grep -xE 'exit|_exit|abort|printf|puts|putchar|perror|system' | sort -u
}
# Child processes of the library exit, and GTKWave's writer exits if it cannot write.
same "libroundcast ends no program, and prints nothing" "$(ends -D "$library/libroundcast.so")" \
    "$({ ends -u "$build/obj/testbench/engine/build.o"; ends -u "$build/obj/fst/fstapi.o"; } | sort -u)"
check "(the program does)" ends -D "$prefix/bin/roundcast"

# --- programs -------------------------------------------------------------------------------------

cat >bench.c <<'END'
#include "csim/examples/crossbar.h"
#include <csim/kernel/trace.h>
#include <inttypes.h>

int main(int argc, char **argv)
{
    struct err err = {0};
    struct csim *sim = csim_create();
    struct csim_signal in, select, out, busy;
    csim_signal(csim_root(sim), &in, 16, 4, "in");
    csim_signal(csim_root(sim), &select, 8, 4, "select");
    csim_signal(csim_root(sim), &out, 16, 4, "out");
    csim_signal(csim_root(sim), &busy, 8, 1, "busy");
    csim_external(&in);
    csim_external(&select);
    struct crossbar *x = crossbar_new(csim_root(sim), "crossbar", 4, 16);
    csim_bind(&x->in, &in);
    csim_bind(&x->select, &select);
    csim_bind(&x->out, &out);
    if (argc < 3)
        csim_bind(&x->busy, &busy);
    if (!csim_elaborate(sim, &err)) {
        err_print(stderr, &err, NULL);
        return 1;
    }
    struct csim_trace *trace = csim_trace_open(sim, argv[1], NULL, &err);
    csim_poke(in.net)[2] = 7;
    csim_poke(select.net)[0] = csim_poke(select.net)[3] = 3;
    csim_settle(sim);
    printf("%" PRIu32 " busy;", csim_get(&busy));
    csim_cycle(sim);
    for (uint32_t port = 0; port < 4; port++)
        printf(" %" PRIu32, csim_read(&out)[port]);
    puts("");
    return !csim_trace_close(trace, &err);
}
END

# compile COMPILER STATIC NAME SOURCE…: builds the program NAME-COMPILER-STATIC with the library
# that the first part of its name names; STATIC is `shared` or `static`.
compile() {
    local options=() words
    [ "$2" = shared ] || options=(--static)
    mapfile -t words < <(flags "${options[@]}" --cflags --libs "${3%%-*}")
    [ "$2" = shared ] || words+=(-static)
    "$1" -std=c11 -Wall -Wextra -Werror -I. "${@:4}" "${words[@]}" -o "./$3-$1-$2"
}

# prints TEXT EXPECTED PROGRAM…: checks the last line, with the shared libraries of the prefix.
prints() {
    local printed
    printed=$(LD_LIBRARY_PATH=$library "${@:3}" 2>&1 | tail -n 1)
    same "$1" "$printed" "$2"
}

for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$compiler builds upon them" "no $compiler"
        continue
    fi
    for language in c:c11 c++:c++17; do
        for header in roundcast.h roundcast/{error,field,json,text}.h csim/kernel/csim.h csim/kernel/trace.h; do
            check "$compiler reads $header as ${language#*:}" "$compiler" -Wall -Wextra -Werror \
                -fsyntax-only -x "${language%:*}" -std="${language#*:}" -I"$headers" \
                -I"$headers/roundcast" - <<<"#include <$header>"
        done
    done
    for how in shared static; do
        check "$compiler builds the broadcast, $how" compile "$compiler" $how roundcast \
            lib/examples/broadcast.c
        prints "… which runs" "12 rounds (bound 12) of 13 cycles" "./roundcast-$compiler-$how"
        check "$compiler builds the simulation, $how" compile "$compiler" $how roundcast-simulate \
            lib/examples/simulate.c
        prints "… which runs" "run       544 cycles, 1984 arrivals, 2048 packets checked" \
            "./roundcast-simulate-$compiler-$how"
        check "$compiler builds the crossbar, $how" compile "$compiler" $how csim bench.c \
            csim/examples/crossbar.c
        prints "… which runs" "2 busy; 7 0 0 7" "./csim-$compiler-$how" "$how.vcd"
        check "… and writes its waves" grep -q 'scope module crossbar' "$how.vcd"
        prints "… and a port that is left out is refused" "roundcast: crossbar.busy: bound to \
nothing; expected a signal or port of the root [E701 unbound]" "./csim-$compiler-$how" "$how.vcd" without
    done
done
objdump -p roundcast-gcc-shared >"$TMP/needs"
check "the program asks for the version of its symbols" grep -q ROUNDCAST_0.2 "$TMP/needs"
check "(it does not run without the library)" sh -c '! ./roundcast-gcc-shared 2>/dev/null'
sed 's/"benes:32,pipe=2"/"bens:32"/' lib/examples/simulate.c >wrong.c
check "an example whose network is unknown" compile gcc shared roundcast-wrong wrong.c
check "… fails" sh -c '! LD_LIBRARY_PATH=$1 ./roundcast-wrong-gcc-shared 2>wrong' - "$library"
check "… with the error and its code" grep -q "bens.*\[E401 network\]" wrong
# Engines are compiled from the sources that are installed with the library.
sed 's/request.engine = "csim"/request.engine = "rtl"/' lib/examples/simulate.c >rtl.c
check "a program that simulates the RTL" compile gcc shared roundcast-rtl rtl.c
check "… fails without Verilator" sh -c '! env -u ROUNDCAST_ENGINES -u ROUNDCAST_ROOT \
    VERILATOR=/nowhere/verilator "LD_LIBRARY_PATH=$1" ./roundcast-rtl-gcc-shared 2>rtl' - "$library"
check "… which is reported, as the sources are found" grep -q 'verilator.*\[E501 tool\]' rtl
cp -r "$library" alone
check "(a library without them does not find them)" sh -c '! env -u ROUNDCAST_ENGINES \
    -u ROUNDCAST_ROOT LD_LIBRARY_PATH=alone ./roundcast-rtl-gcc-shared 2>rtl'
check "… which is reported" grep -q 'no sources of the RTL.*\[E501 tool\]' rtl
if command -v g++ >/dev/null; then
    echo '#include <roundcast.h>
        int main() {
            roundcast_request request;
            return !roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, nullptr) ||
                roundcast_build(&request, nullptr) != nullptr;
        }' >"$TMP/x.cc"
    mapfile -t words < <(flags --cflags --libs roundcast)
    check "C++ links it" g++ "$TMP/x.cc" "${words[@]}" -o plus
    check "… and runs" env LD_LIBRARY_PATH="$library" ./plus
else
    skip "C++ links it" "no g++"
fi

finish
