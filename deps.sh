#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deps.sh: install the tools and libraries that a purpose needs and that are missing, from the
# distribution's packages, in one call of apt-get.
#
#     deps.sh PURPOSE…             install what is missing, as root or where sudo needs no password
#     deps.sh --missing PURPOSE…   install nothing: print what is missing, and exit 1
#     deps.sh --packages PURPOSE…  print the packages of the purposes, missing or not
#
# If it cannot install, it prints the command to run and exits 1. An unknown purpose exits 2.
set -u

# package  what shows that it is installed  purposes
#
# What shows it: a command, a header in angle brackets, or a file, which may be a pattern. `$CC` is
# the compiler that make was given.
table='
gcc                   $CC                     build demo bench
libjansson-dev        <jansson.h>             build demo cluster
libsqlite3-dev        <sqlite3.h>             build demo
zlib1g-dev            <zlib.h>                build demo
g++                   c++                     demo board peers
verilator             verilator               demo board lint
liblz4-dev            <lz4.h>                 demo board
libcmocka-dev         <cmocka.h>              check
cadical               cadical                 check
glpk-utils            glpsol                  check
yosys                 yosys                   test synth board formal lint
iverilog              iverilog                test lint
nextpnr-ice40         nextpnr-ice40           test synth board
fpga-icestorm         icepack                 test board
fpga-icestorm-chipdb  /usr/share/fpga-icestorm/chipdb/chipdb-8k.txt  test board
nodejs                node                    test yowasp
npm                   npm                     test yowasp
python3-yaml          /usr/lib/python3/dist-packages/yaml        test
python3-jsonschema    /usr/lib/python3/dist-packages/jsonschema  test
python3-selenium      /usr/lib/python3/dist-packages/selenium    test browser
chromium              /usr/bin/chromium       test browser
chromium-driver       /usr/bin/chromedriver   test browser
fonts-dejavu-core     /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf  browser
imagemagick           import                  browser waves
sqlite3               sqlite3                 test cluster
parallel              parallel                test cluster
zsh                   zsh                     test
fish                  fish                    test
pkg-config            pkg-config              test
rsync                 rsync                   cluster
openssh-client        ssh                     cluster
openssh-server        /usr/sbin/sshd          cluster
munge                 /usr/sbin/munged        cluster
slurmctld             /usr/sbin/slurmctld     cluster
slurmd                /usr/sbin/slurmd        cluster
slurm-client          sbatch                  cluster
clang                 clang                   clang fuzz coverage
libomp-dev            /usr/lib/llvm-*/lib/libomp.so  clang fuzz coverage
clang-19              clang-19                coverage
llvm-19               llvm-cov-19             coverage
libclang-rt-19-dev    /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.profile-x86_64.a  coverage
jq                    jq                      coverage
gtkwave               gtkwave                 waves
xvfb                  Xvfb                    waves
x11-utils             xwininfo                waves
graphviz              dot                     figures
gnuplot-nox           gnuplot                 plots
libsystemc-dev        <systemc.h>             peers
libsimgrid-dev        <simgrid/s4u.hpp>       peers
openmpi-bin           mpirun                  mpi peers
libopenmpi-dev        mpicc                   mpi peers
debootstrap           debootstrap             systems
'

# is_there WHAT: the column of the table that shows that a package is installed.
is_there() {
    case $1 in
    '$CC') set -- ${CC:-cc} && command -v "$1" >/dev/null 2>&1 ;;
    '<'*) has_header "$1" ;;
    /*) set -- $1 && [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# has_header '<HEADER>': in the usual folder, or where the compiler finds it.
has_header() {
    name=${1#<}
    [ -e "/usr/include/${name%>}" ] ||
        printf '#include %s\n' "$1" | ${CC:-cc} ${CPPFLAGS:-} -E - >/dev/null 2>&1
}

# rows PURPOSE: the rows of the table, or nothing if the purpose is unknown.
rows() {
    printf '%s\n' "$table" |
        awk -v purpose="$1" '{
            for (field = 3; field <= NF; field++)
                if ($field == purpose)
                    print $1, $2
        }'
}

# expand PURPOSE…: `test` is all that `make test` needs, `deps` what the steps of .ci/run need, too.
expand() {
    for purpose in "$@"; do
        case $purpose in
        test) echo build check demo figures mpi plots test waves ;;
        deps) expand test browser clang formal fuzz lint synth systems ;;
        coverage) expand test && echo coverage ;;
        bench | fuzz | peers | waves) echo demo "$purpose" ;;
        *) echo "$purpose" ;;
        esac
    done
}

mode=install
case ${1:-} in
--missing | --packages) mode=${1#--} && shift ;;
esac

# One at a time, if make runs several: the package manager takes a lock of its own.
if [ "$mode" = install ]; then
    mkdir -p build
    exec 9> build/tools.lock
    flock 9
fi

packages=
for purpose in $(expand "$@"); do
    wanted=$(rows "$purpose")
    [ -n "$wanted" ] || { echo "deps.sh: unknown purpose: $purpose" >&2; exit 2; }
    while read -r package what; do
        case " $packages " in *" $package "*) continue ;; esac
        [ "$mode" != packages ] && is_there "$what" && continue
        packages="$packages $package"
    done <<ROWS
$wanted
ROWS
done
[ -n "$packages" ] || exit 0
if [ "$mode" = packages ]; then
    printf '%s\n' $packages
    exit 0
fi

command="apt-get install -y --no-install-recommends$packages"
echo "roundcast needs these packages, which are not installed:$packages" >&2
root=$(id -u)
if [ "$mode" = missing ]; then
    [ "$root" -eq 0 ] || command="sudo $command"
    echo "install them with: $command" >&2
    exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "there is no apt-get here: install what corresponds to these packages of Debian" >&2
    exit 1
elif [ "$root" -eq 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    echo "install them with: sudo $command" >&2
    exit 1
fi
echo "installing them" >&2
export DEBIAN_FRONTEND=noninteractive
# The package lists of a new machine may be absent or old: fetch them when the first try fails.
$sudo $command >&2 || { $sudo apt-get update >&2 && $sudo $command >&2; } || {
    echo "could not install them; run: ${sudo:+sudo }$command" >&2
    exit 1
}
