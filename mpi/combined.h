/* SPDX-License-Identifier: Apache-2.0 */
/* combined: a schedule that combines packets, as a subject (subject.h).
 *
 * A rank has for each packet its own contribution, its partial result and what it has received
 * (sched/schedule/schedule.h). In each round it combines what has arrived, in the order
 * of the schedule, starts all receipts and sends, and waits for them. With λ a packet is combined
 * when it has arrived by the times of the schedule. Packets that are not combined are
 * copied. Bytes are combined by exclusive or, because Open MPI 4.1 adds vectors of bytes with
 * saturation; floats are added in the order of the schedule, so that their sums have the bits that
 * the schedule defines. */
#ifndef ROUNDCAST_MPI_COMBINED_H
#define ROUNDCAST_MPI_COMBINED_H

#include "mpi/subject.h"
#include "sched/exchange/operations.h"
#include "sched/schedule/certificate.h"

#include <mpi.h>

/* What the bytes of packets are. */
enum combined_values {
    COMBINED_BYTES,  /* combined by exclusive or */
    COMBINED_FLOATS, /* added */
    COMBINED_TREES   /* a hash of a tree (certificate.h) */
};

struct combined {
    const struct schedule *schedule;
    struct operations operations;
    uint32_t number; /* of this rank */
    size_t most;     /* largest number of operations in a round */
    size_t bytes;    /* of a packet */
    enum combined_values values;
    bool *has; /* [3 · packets]: contents of the buffers below */
    /* [packets · bytes] each: contributions, partial results, what was received; [operations of the
     * rank · bytes]: what arrives */
    char *own, *all, *got, *arrived;
    char *expected; /* [bytes] */
    MPI_Request *request;
};

/* The result of a packet at a rank, in a repetition. */
struct combined_result {
    uint32_t rank, packet, repetition;
};

/* Computes the expected bytes of a result: the exclusive or of the contributions, by the definition
 * of the collective. Returns false if the rank wants no result, or has none: nothing is below the
 * first rank of an exclusive scan. O(ranks · bytes). */
bool combined_expect(const struct schedule *schedule, const struct combined_result *result,
                     char expected[], size_t bytes);

/* Prepares a verified schedule. E104. Free it with combined_free. */
bool combined_new(const struct schedule *schedule, struct combined *combined, struct err *err);

/* Sets the bytes of a packet, and what they are. E104. */
bool combined_size(struct combined *combined, uint32_t bytes, enum combined_values values,
                   struct err *err);

/* Returns the number of bytes of the packets that this rank wants. */
uint64_t combined_checked(const struct combined *combined);

struct subject combined_subject(struct combined *combined);

/* Executes the schedule with the hashes of trees, and computes the certificate of the results
 * (sched/schedule/certificate.h) at rank 0. All ranks call this function. E104, E501. */
bool combined_certificate(struct combined *combined, uint64_t *certificate, struct err *err);

void combined_free(struct combined *combined);

/* --- Parts that the execution and the expected results share ------------------------------ */

/* Combines the values of a packet with others. */
void combined_add(const struct combined *combined, char *to, const char *from);

/* Returns whether a rank starts with the packets of a demand, or with a contribution to them. */
bool combined_starts(const struct demand *demand, uint32_t rank);

/* Writes the contribution of a rank. */
void combined_contribute(const struct combined *combined, char *bytes, uint32_t packet,
                         uint32_t rank, uint32_t repetition);

/* Returns whether a transfer has arrived at the time of a step, so that its receiver combines it
 * before it sends. */
bool combined_has_arrived(const struct schedule *schedule, size_t transfer, size_t step);

/* Returns the bytes of the result of a packet; NULL if the rank has received none. */
const char *combined_result_of(const struct combined *combined, const struct demand *demand,
                               uint32_t packet);

/* Checks the sums of floats: those that the schedule gives when one process follows it. */
bool combined_check_floats(void *with, uint32_t repetition, struct err *err);

#endif
