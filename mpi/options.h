/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line of roundcast-mpi, FILE and the fields of lib/roundcast/mpi.h. */
#ifndef ROUNDCAST_MPI_OPTIONS_H
#define ROUNDCAST_MPI_OPTIONS_H

#include "lib/roundcast/mpi.h"

struct options {
    const char *path; /* path of the schedule; NULL: only help was requested */
    struct roundcast_mpi_options ranks;
};

/* Reads argv; --help prints the options. E101, E102. */
bool options_read(int argc, char **argv, struct options *options, struct roundcast_error *err);

#endif
