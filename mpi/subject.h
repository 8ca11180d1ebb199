/* SPDX-License-Identifier: Apache-2.0 */
/* subject: something that all ranks do at once, to be timed and checked: the schedule, or the same
 * collective of the library. */
#ifndef ROUNDCAST_MPI_SUBJECT_H
#define ROUNDCAST_MPI_SUBJECT_H

#include "sched/base/err.h"

struct subject {
    void *with;
    /* Put the bytes of a turn where they start, and wrong ones where they are to come. */
    void (*fill)(void *with, uint32_t turn);
    int (*call)(void *with); /* Returns what MPI returns. */
    /* Have they come? E604. */
    bool (*check)(void *with, uint32_t turn, struct err *err);
};

struct subject_times {
    double least, median; /* seconds, of the rank that took longest; at rank 0 only */
};

/* Do it `repeat` times, check each, and time it. All ranks call it, and all get the same error:
 * E604, E104, E501 for an error of MPI. */
bool subject_measure(const struct subject *subject, uint32_t repeat, struct subject_times *times,
                     struct err *err);

/* Is all well at all ranks? Else all have the error of the first at which it is not. */
bool subject_agree(bool well, struct err *err);

#endif
