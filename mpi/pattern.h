/* SPDX-License-Identifier: Apache-2.0 */
/* pattern: the contents of packets, which every rank can compute. They differ between packets,
 * between the repetitions of one packet, and between the ranks that contribute to it. */
#ifndef ROUNDCAST_MPI_PATTERN_H
#define ROUNDCAST_MPI_PATTERN_H

#include "sched/base/err.h"

#include <stddef.h>

/* The values that determine the bytes. */
struct pattern {
    uint32_t packet, repetition;
    uint32_t rank; /* that contributes to a combined packet; 0 for others */
};

/* Fills in the bytes of a packet in a repetition; if it is yet to arrive (`to_come`), fills in
 * wrong bytes only. */
void pattern_fill(char bytes[], size_t count, struct pattern pattern, bool to_come);

/* Combines bytes with those of a packet, by exclusive or. */
void pattern_combine(char bytes[], size_t count, struct pattern pattern);

/* Fills in floats of different sizes, whose sums depend on the order of addition. */
void pattern_floats(char bytes[], size_t count, struct pattern pattern);

/* A packet of `count` bytes at a rank, as messages name it. */
struct pattern_place {
    const char *what; /* the subject */
    int rank;
    uint32_t packet;
    size_t count;
};

/* Compares the bytes of a packet with those expected. E604 as pattern_check. */
bool pattern_compare(const char bytes[], const char expected[], const struct pattern_place *place,
                     struct err *err);

/* Checks the bytes of a packet. E604 names the rank, the packet and the first wrong byte. */
bool pattern_check(const char bytes[], size_t count, struct pattern pattern, int rank,
                   const char *what, struct err *err);

#endif
