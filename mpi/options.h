/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line of roundcast-mpi, FILE and the fields of mpi_request.h. */
#ifndef ROUNDCAST_MPI_OPTIONS_H
#define ROUNDCAST_MPI_OPTIONS_H

#include "sched/request/mpi_request.h"

struct options {
    const char *path; /* of the schedule; NULL: only help was asked for */
    struct mpi_request request;
};

/* Reads argv; --help prints the options. E101, E102. */
bool options_read(int argc, char **argv, struct options *options, struct err *err);

#endif
