/* SPDX-License-Identifier: Apache-2.0 */
/* clock: flits and registers with which a machine is the postal model (docs/machine.md).
 *
 * A unit of time is F cycles, F the flits of a packet, and L registers from endpoint to endpoint
 * make λ = 1 + L/F. So λ = p/q in lowest terms asks for F = q·G and L = (p-q)·G with any G ≥ 1, the
 * cycles of a tick.
 */
#ifndef ROUNDCAST_CLOCK_H
#define ROUNDCAST_CLOCK_H

#include "sched/machine/machine.h"

/* The flits of a packet, for a machine whose registers are given: at least `needed` where λ leaves
 * a choice (which it does for λ = 1 only), or just `given` (0: not given). E401 if these registers
 * cannot make λ, or only with other flits. Precondition: λ ≥ 1, needed ≥ 1. */
bool clock_flits(const struct machine *machine, struct rational lambda, uint32_t needed,
                 uint32_t given, uint32_t *flits, struct err *err);

/* Choose both: the flits, `needed` rounded up to a multiple of q, and the registers (pipe and pad
 * of *machine): one behind as many stages as fit, the others behind the network. Where `shrink`,
 * fewer flits than needed are taken rather than none. E401 if there cannot be so many registers, or
 * if `given` (0: not given) is no multiple of q. Precondition: λ ≥ 1, needed ≥ 1. */
bool clock_registers(struct machine *machine, struct rational lambda, uint32_t needed,
                     uint32_t given, bool shrink, uint32_t *flits, struct err *err);

#endif
