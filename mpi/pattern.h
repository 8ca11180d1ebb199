/* SPDX-License-Identifier: Apache-2.0 */
/* pattern: bytes of packets that are known everywhere, and that no other packet has, nor the same
 * one in another turn. */
#ifndef ROUNDCAST_MPI_PATTERN_H
#define ROUNDCAST_MPI_PATTERN_H

#include "sched/base/err.h"

#include <stddef.h>

/* What the bytes depend on. */
struct pattern {
    uint32_t packet, turn;
};

/* Fills in the bytes of a packet in a turn; if they are yet to come, each of them wrong. */
void pattern_fill(char bytes[], size_t count, struct pattern pattern, bool to_come);

/* Checks the bytes of a packet. E604 names the rank, the packet and the first wrong byte. */
bool pattern_check(const char bytes[], size_t count, struct pattern pattern, int rank,
                   const char *what, struct err *err);

#endif
