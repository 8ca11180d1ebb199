/* SPDX-License-Identifier: Apache-2.0 */
/* pattern: the contents of packets, which every rank can compute. They differ between packets, and
 * between the repetitions of one packet. */
#ifndef ROUNDCAST_MPI_PATTERN_H
#define ROUNDCAST_MPI_PATTERN_H

#include "sched/base/err.h"

#include <stddef.h>

/* The values that determine the bytes. */
struct pattern {
    uint32_t packet, repetition;
};

/* Fills in the bytes of a packet in a repetition; if it is yet to arrive (`to_come`), fills in
 * wrong bytes only. */
void pattern_fill(char bytes[], size_t count, struct pattern pattern, bool to_come);

/* Checks the bytes of a packet. E604 names the rank, the packet and the first wrong byte. */
bool pattern_check(const char bytes[], size_t count, struct pattern pattern, int rank,
                   const char *what, struct err *err);

#endif
