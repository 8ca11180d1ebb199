/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_c_combined: the C function of a schedule that combines packets (mpi_c.c). */
#ifndef ROUNDCAST_MPI_C_COMBINED_H
#define ROUNDCAST_MPI_C_COMBINED_H

#include "sched/exchange/operations.h"

#include <stdio.h>

/* Writes the text of mpi/execute_combined.h, a table of the actions of each rank, and the function.
 * Errors as ranks_new; E208 for a packet that is combined in order, except in scans, if a transfer
 * has options or joins a node that does not contribute: the side on which the operator takes what
 * arrives is then not known. O(transfers + ranks · packets). */
bool mpi_c_write_combined(FILE *to, const struct schedule *schedule, struct err *err);

#endif
