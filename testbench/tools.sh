#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make sure that the tools and libraries of a purpose are there; install what is missing from the
# distribution's packages.
#
#     tools.sh build|check|demo|test|synth|formal|lint|waves|figures|plots|bench|browser|cluster …
#
# As root, or where sudo asks for no password, it installs; else it prints the command to run and
# fails.
set -u

# One at a time, if make runs several: the package manager takes a lock of its own.
mkdir -p build
exec 9> build/tools.lock
flock 9

# purpose  command or header  package
table='
build  cc                       gcc
build  /usr/include/jansson.h   libjansson-dev
build  /usr/include/sqlite3.h   libsqlite3-dev
build  /usr/include/zlib.h      zlib1g-dev
check  /usr/include/cmocka.h    libcmocka-dev
check  cadical                  cadical
check  glpsol                   glpk-utils
demo   cc                       gcc
demo   /usr/include/jansson.h   libjansson-dev
demo   /usr/include/sqlite3.h   libsqlite3-dev
demo   /usr/include/zlib.h      zlib1g-dev
demo   c++                      g++
demo   verilator                verilator
test   /usr/include/cmocka.h    libcmocka-dev
test   cadical                  cadical
test   glpsol                   glpk-utils
test   yosys                    yosys
test   iverilog                 iverilog
test   nextpnr-ice40            nextpnr-ice40
test   icepack                  fpga-icestorm
test   /usr/share/fpga-icestorm/chipdb/chipdb-8k.txt fpga-icestorm-chipdb
test   node                     nodejs
test   npm                      npm
test   /usr/lib/python3/dist-packages/yaml python3-yaml
test   /usr/bin/chromium        chromium
test   /usr/bin/chromedriver    chromium-driver
test   /usr/lib/python3/dist-packages/selenium python3-selenium
browser /usr/bin/chromium       chromium
browser /usr/bin/chromedriver   chromium-driver
browser /usr/lib/python3/dist-packages/selenium python3-selenium
browser /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core
browser import                  imagemagick
test   sqlite3                  sqlite3
test   parallel                 parallel
test   zsh                      zsh
test   fish                     fish
test   pkg-config               pkg-config
test   /usr/lib/python3/dist-packages/jsonschema  python3-jsonschema
synth  yosys                    yosys
synth  nextpnr-ice40            nextpnr-ice40
board  yosys                    yosys
board  nextpnr-ice40            nextpnr-ice40
board  icepack                  fpga-icestorm
board  /usr/share/fpga-icestorm/chipdb/chipdb-8k.txt fpga-icestorm-chipdb
board  verilator                verilator
board  c++                      g++
yowasp node                     nodejs
yowasp npm                      npm
formal yosys                    yosys
fuzz   clang                    clang
cluster /usr/include/jansson.h  libjansson-dev
cluster parallel                parallel
cluster rsync                   rsync
cluster sqlite3                 sqlite3
cluster ssh                     openssh-client
cluster /usr/sbin/sshd          openssh-server
cluster /usr/sbin/munged        munge
cluster /usr/sbin/slurmctld     slurmctld
cluster /usr/sbin/slurmd        slurmd
cluster sbatch                  slurm-client
coverage clang-19              clang-19
coverage clang                 clang
coverage /usr/lib/llvm-14/lib/libomp.so libomp-dev
coverage llvm-cov-19           llvm-19
coverage /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.profile-x86_64.a libclang-rt-19-dev
coverage jq                    jq
lint   verilator                verilator
lint   yosys                    yosys
lint   iverilog                 iverilog
waves  gtkwave                  gtkwave
waves  Xvfb                     xvfb
waves  xwininfo                 x11-utils
waves  import                   imagemagick
figures dot                     graphviz
plots  gnuplot                  gnuplot-nox
bench  cc                       gcc
peers  c++                      g++
peers  /usr/include/systemc.h   libsystemc-dev
peers  /usr/include/simgrid/s4u.hpp libsimgrid-dev
mpi    mpirun                   openmpi-bin
mpi    mpicc                    libopenmpi-dev
'

missing=
for purpose in "$@"; do
    wanted=$(printf '%s\n' "$table" | awk -v purpose="$purpose" '$1 == purpose {print $2 ":" $3}')
    [ -n "$wanted" ] || { echo "tools.sh: no such purpose: $purpose" >&2; exit 2; }
    for entry in $wanted; do
        what=${entry%%:*} package=${entry##*:}
        case $what in
        /*) [ -e "$what" ] && continue ;;
        *) command -v "$what" >/dev/null 2>&1 && continue ;;
        esac
        case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac
    done
done
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends$missing"
echo "roundcast needs these packages, which are not installed:$missing" >&2
if [ "$(id -u)" -eq 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    echo "run: sudo $command" >&2
    exit 1
fi
echo "installing them" >&2
export DEBIAN_FRONTEND=noninteractive
# The package lists of a new machine may be absent or old: fetch them when the first try fails.
$sudo $command >&2 || { $sudo apt-get update >&2 && $sudo $command >&2; } || {
    echo "could not install them; run: sudo $command" >&2
    exit 1
}
