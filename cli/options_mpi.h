/* SPDX-License-Identifier: Apache-2.0 */
/* options_mpi: the options of `roundcast mpi`. */
#ifndef ROUNDCAST_OPTIONS_MPI_H
#define ROUNDCAST_OPTIONS_MPI_H

#include "cli/options.h"
#include "sched/request/mpi_request.h"

struct options_mpi {
    struct options_common common;
    const char *path;
    struct mpi_request request;
};

/* Those of a command line; err, with which `common` is set by the caller. E101, E102. */
enum options_outcome options_mpi_parse(int argc, char **argv, struct options_mpi *options,
                                       struct err *err);

#endif
