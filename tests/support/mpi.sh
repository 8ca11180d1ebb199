# SPDX-License-Identifier: Apache-2.0
# mpi: prepares the tests of the ranks of MPI, which set $ranks, the text of what is skipped without
# Open MPI, and source it after tap.sh. Sets $here, the folder of the tests in C, and
# $ranks_program, and changes to $TMP.

here=$PWD/tests/mpi
case $ROUNDCAST in /*) ;; *) ROUNDCAST=$PWD/$ROUNDCAST ;; esac
ranks_program=${ROUNDCAST%/*}/roundcast-mpi
if ! command -v mpirun >/dev/null || [ ! -x "$ranks_program" ]; then
    skip "$ranks" "no Open MPI (openmpi-bin, libopenmpi-dev)"
    finish
fi
cd "$TMP" || exit
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export HWLOC_COMPONENTS=-gl # it looks for displays, at every start
# Ranks that report an error end by themselves, so that each one writes its counts of coverage.
export OMPI_MCA_orte_abort_on_non_zero_status=0
