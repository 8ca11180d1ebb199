/* SPDX-License-Identifier: Apache-2.0 */
/* subject: a collective that all ranks execute together, timed and checked: the schedule, or the
 * same collective of the MPI library. */
#ifndef ROUNDCAST_MPI_SUBJECT_H
#define ROUNDCAST_MPI_SUBJECT_H

#include "sched/base/err.h"

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

#endif
