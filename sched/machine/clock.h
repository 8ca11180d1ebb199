/* SPDX-License-Identifier: Apache-2.0 */
/* clock: flits and registers with which a machine is the postal model (docs/machine.md).
 *
 * A unit of time is F cycles, F the flits of a packet, and L registers from endpoint to endpoint
 * make λ = 1 + L/F. So λ = p/q in lowest terms asks for F = q·G and L = (p-q)·G with any G ≥ 1, the
 * cycles of a tick.
 */
#ifndef ROUNDCAST_CLOCK_H
#define ROUNDCAST_CLOCK_H

#include "sched/base/rational.h"
#include "sched/machine/machine.h"

/* A λ, and the flits of a packet. Precondition: λ ≥ 1, needed ≥ 1. */
struct clock_request {
    struct rational lambda;
    uint32_t needed; /* flits that a packet requires at least */
    uint32_t given;  /* flits that were requested; 0: any */
    bool shrink;     /* fewer flits than needed are better than no machine */
};

/* Finds the flits of a packet for a machine whose registers are given: `needed` if λ leaves a
 * choice (only λ = 1 does), or exactly `given`. E401 if these registers cannot make λ, or only with
 * other flits. */
bool clock_flits(const struct machine *machine, const struct clock_request *request,
                 uint32_t *flits, struct err *err);

/* Finds the flits and the registers: flits are `needed` rounded up to a multiple of q, fewer if
 * `shrink` and there is no room for the registers; of the registers (pipe and pad of *machine) one
 * follows as many stages as possible, the others follow the network. E401 if the machine cannot
 * have that many registers, or if `given` is no multiple of q. */
bool clock_registers(struct machine *machine, const struct clock_request *request, uint32_t *flits,
                     struct err *err);

#endif
