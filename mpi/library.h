/* SPDX-License-Identifier: Apache-2.0 */
/* library: the collective of a schedule, as the MPI library implements it, as a subject. */
#ifndef ROUNDCAST_MPI_LIBRARY_H
#define ROUNDCAST_MPI_LIBRARY_H

#include "mpi/subject.h"
#include "sched/schedule/schedule.h"

struct library {
    const struct library_row *row; /* NULL: MPI has no such collective */
    const struct schedule *schedule;
    int rank, ranks, root;
    uint32_t m;           /* packets of a block */
    int bytes, block;     /* bytes of a packet, and of a block */
    char *send, *receive; /* [ranks · block] */
    int *counts;          /* [ranks]: bytes of the block of each rank */
};

/* Finds the collective of the library. Free it with library_free. */
void library_new(const struct schedule *schedule, struct library *library);

/* Returns its name, such as "MPI_Bcast"; NULL if there is none. */
const char *library_name(const struct library *library);

/* Sets the bytes of a packet. E102 for more than MPI can count, E104. */
bool library_size(struct library *library, uint32_t bytes, struct err *err);

struct subject library_subject(struct library *library);

void library_free(struct library *library);

#endif
