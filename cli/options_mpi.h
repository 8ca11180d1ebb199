/* SPDX-License-Identifier: Apache-2.0 */
/* options_mpi: how a schedule is to be executed by MPI; for `roundcast mpi` and for the program of
 * its ranks. */
#ifndef ROUNDCAST_OPTIONS_MPI_H
#define ROUNDCAST_OPTIONS_MPI_H

#include "cli/options.h"

#include <stddef.h>

#define OPTIONS_MPI_SIZES 32
#define OPTIONS_MPI_BYTES (UINT32_C(1) << 30)

struct options_mpi {
    struct options common;
    const char *path;
    enum { OPTIONS_MPI_ROUNDS, OPTIONS_MPI_DEPENDENCY } order; /* what a sending waits for */
    uint32_t repeat;
    const char *sizes;                             /* as they were given */
    uint32_t bytes[OPTIONS_MPI_SIZES], byte_count; /* of a packet */
};

/* Parses the command line of `roundcast mpi`, and of the ranks. E101, E102. */
enum options_outcome options_mpi_parse(int argc, char **argv, struct options_mpi *options,
                                       struct err *err);

/* "rounds" or "dependency". */
const char *options_mpi_order(const struct options_mpi *options);

#endif
