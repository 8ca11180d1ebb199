/* SPDX-License-Identifier: Apache-2.0 */
/* subject: a collective that all ranks execute together, timed and checked: the schedule, or the
 * same collective of the MPI library. */
#ifndef ROUNDCAST_MPI_SUBJECT_H
#define ROUNDCAST_MPI_SUBJECT_H

#include "mpi/execute.h"
#include "sched/base/err.h"
#include "sched/exchange/operations.h"
#include "sched/schedule/schedule.h"

struct subject {
    void *with;
    /* Writes the bytes of an execution to their sources, and wrong bytes to their destinations. */
    void (*fill)(void *with, uint32_t repetition);
    int (*call)(void *with); /* Returns what MPI returns. */
    /* Checks the bytes at their destinations. E604. */
    bool (*check)(void *with, uint32_t repetition, struct err *err);
};

struct subject_times {
    double least, median; /* seconds, of the rank that took longest; at rank 0 only */
};

/* Executes, checks and times the subject `repeat` times. All ranks call this function and get the
 * same error: E604, E104, E501 for an error of MPI. */
bool subject_measure(const struct subject *subject, uint32_t repeat, struct subject_times *times,
                     struct err *err);

/* Returns whether all ranks succeeded; otherwise all ranks get the error of the first rank that
 * failed. */
bool subject_agree(bool well, struct err *err);

/* -- The same collective in the MPI library ---------------------------------------------------- */

/* The collective of a schedule, as the MPI library implements it, as a subject. */

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

/* -- A schedule -------------------------------------------------------------------------------- */

/* A schedule as a subject (subject.h). */

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
