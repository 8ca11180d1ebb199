/* SPDX-License-Identifier: Apache-2.0 */
/* partial: partial permutations, the rounds that routers get: input i sends to output to[i], or
 * nowhere if that is MULTISTAGE_IDLE, and no two inputs send to one output.
 */
#ifndef ROUNDCAST_PARTIAL_H
#define ROUNDCAST_PARTIAL_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Count the circuits of to[ports]; false if an output is out of range. O(ports). */
bool partial_count(const uint32_t to[], uint32_t ports, uint32_t *live);

/* from[] as the inverse of to[], MULTISTAGE_IDLE where nobody sends; from[ports + 1], of which the
 * last is nobody's. Returns the outputs in use, fewer than the circuits if two inputs send to one
 * output. Precondition: partial_count holds. O(ports). */
uint32_t partial_invert(const uint32_t to[], uint32_t ports, uint32_t from[]);

/* Let idle inputs send to idle outputs, both in ascending order, so that from[ports], the inverse
 * of to[ports], is a permutation; spare[ports] is overwritten. O(ports). */
void partial_complete(const uint32_t to[], uint32_t ports, uint32_t spare[], uint32_t from[]);

/* Name the first input that asks for the impossible, and whom it clashes with: E403, `network: …`.
 * Always false. holder[ports] is overwritten. O(ports). */
bool partial_refuse(const char *network, const uint32_t to[], uint32_t ports, uint32_t holder[],
                    struct err *err);

/* All of it: from[ports + 1] as a permutation of which to[ports] is a part, and the circuits of the
 * round. E403 as partial_refuse. O(ports). */
bool partial_permutation(const char *network, const uint32_t to[], uint32_t ports, uint32_t spare[],
                         uint32_t from[], uint32_t *live, struct err *err);

#endif
