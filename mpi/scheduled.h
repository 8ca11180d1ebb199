/* SPDX-License-Identifier: Apache-2.0 */
/* scheduled: a schedule as a subject (subject.h). */
#ifndef ROUNDCAST_MPI_SCHEDULED_H
#define ROUNDCAST_MPI_SCHEDULED_H

#include "mpi/execute.h"
#include "mpi/subject.h"
#include "sched/exchange/operations.h"

struct scheduled {
    struct ranks ranks;
    struct execute_operation *operation;
    struct execute_rank rank;
    bool by_dependency;
    int number; /* of this rank */
};

/* Makes the operations of this rank from a verified schedule. E104, E208. Free it with
 * scheduled_free. */
bool scheduled_new(const struct schedule *schedule, bool by_dependency, struct scheduled *scheduled,
                   struct err *err);

/* Sets the bytes of a packet. E104. */
bool scheduled_size(struct scheduled *scheduled, uint32_t bytes, struct err *err);

/* Returns the number of bytes that this rank receives. */
uint64_t scheduled_checked(const struct scheduled *scheduled);

struct subject scheduled_subject(struct scheduled *scheduled);

void scheduled_free(struct scheduled *scheduled);

#endif
