/* SPDX-License-Identifier: Apache-2.0 */
/* omega_passes: divides a round among as few passes of an omega network as it can find.
 *
 * Circuits that need one lane behind some stage must be in different passes. First-fit: circuit by
 * circuit, each in the first pass whose lanes on its way are all free. What that takes depends on
 * the order, so several are tried: by source, by destination, both with bits reversed, and those
 * first that share their lanes with most others. Then an order is made of the best division, pass
 * by pass, the last one first, or the fullest, or as drawn: first-fit then takes no more passes,
 * and often fewer (iterated greedy, Culberson 1992). The search ends at the lower bound, as many
 * passes as circuits need the most wanted lane, or when it has done its work (omega_passes.c).
 */
#ifndef ROUNDCAST_OMEGA_PASSES_H
#define ROUNDCAST_OMEGA_PASSES_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory; opaque, reused from call to call, one per thread. */
struct omega_passes;

/* Precondition: a shape of multistage_omega. E104. Memory O(ports · log ports). */
struct omega_passes *omega_passes_new(const struct multistage *net, struct err *err);
void omega_passes_free(struct omega_passes *work);

struct omega_passes_count {
    uint32_t passes; /* 0 for a round without circuits */
    uint32_t bound;  /* no division has fewer */
};

/* Divide the circuits input i → to[i]; MULTISTAGE_IDLE inputs are none. pass[i] becomes the pass,
 * from 0, of circuit i, or MULTISTAGE_IDLE. Equal rounds get equal passes.
 *     to[ports], pass[ports]
 * Errors: E403 if two inputs want one output or an output is out of range. O(circuits · stages ·
 * passes / 8) for each order tried. */
bool omega_passes_divide(struct omega_passes *work, const uint32_t to[], uint32_t pass[],
                         struct omega_passes_count *count, struct err *err);

#endif
