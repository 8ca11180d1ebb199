/* SPDX-License-Identifier: Apache-2.0 */
/* clock: finds the flits and registers with which a machine implements the postal model
 * (docs/machine.md).
 *
 * A unit of time is F cycles, where F is the number of flits of a packet, and L registers from
 * endpoint to endpoint make λ = 1 + L/F. So λ = p/q in lowest terms requires F = q·G and L =
 * (p-q)·G for some G ≥ 1, the cycles of a tick.
 */
#ifndef ROUNDCAST_CLOCK_H
#define ROUNDCAST_CLOCK_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"

/* A λ, and the flits of a packet. Precondition: λ ≥ 1, on a
 * machine that combines λ > 1; needed ≥ 1. */
struct clock_request {
    struct rational lambda;
    uint32_t needed; /* minimum number of flits that a packet requires */
    uint32_t given;  /* number of flits that was requested; 0: any */
    bool shrink;     /* use fewer flits than needed if no machine fits otherwise */
};

/* Finds the flits of a packet for a machine whose registers are fixed: `needed` if λ leaves a
 * choice (only λ = 1 does), or exactly `given`. E401 if these registers cannot make λ, or only with
 * another number of flits. */
bool clock_flits(const struct machine *machine, const struct clock_request *request,
                 uint32_t *flits, struct err *err);

/* Finds the flits and the registers. The number of flits is `needed` rounded up to a multiple of q,
 * or less if `shrink` and there is no room for the registers. As many registers as possible (pipe
 * of *machine) follow the stages, the others (pad) follow the network. E401 if the machine cannot
 * have that many registers, or if `given` is not a multiple of q. */
bool clock_registers(struct machine *machine, const struct clock_request *request, uint32_t *flits,
                     struct err *err);

#endif
