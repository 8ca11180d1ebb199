/* SPDX-License-Identifier: Apache-2.0 */
/* payload_cut: cuts a payload into packets whose flits fit the memory of a machine. */
#ifndef ROUNDCAST_PAYLOAD_CUT_H
#define ROUNDCAST_PAYLOAD_CUT_H

#include "sched/route/compile.h"

/* Parameters for cutting a payload into packets on a machine. */
struct payload_cut {
    const struct compile_request *request;
    const struct machine *machine;
    uint32_t packets; /* of the payload: those of the machine times shares */
    uint32_t shares;  /* nodes with packets of their own; 1: a packet is the same at all nodes */
    uint32_t most;    /* maximum number of flits of a packet: payload_cut_most */
};

/* Returns the maximum number of flits of a packet on this machine, a power of two; 0 with the error
 * of machine_check if its routers cannot be built. */
uint32_t payload_cut_most(const struct compile_request *request, const struct machine *machine,
                          uint32_t packets, struct err *err);

/* Reads the payload, if there is one, and sets *needed to the flits that its packets require, else
 * to the default. The error for a file that is too large lists the cuts that fit. E102 for flits
 * out of range, E104, E201, E405. */
bool payload_cut_read(const struct payload_cut *cut, struct payload *payload, uint32_t *needed,
                      struct err *err);

/* Cuts the payload that was read, or a pseudo-random one, into packets of `flits` flits. E102 if a
 * packet of this machine cannot have as many, E104, E405. */
bool payload_cut_pack(const struct payload_cut *cut, uint32_t flits, struct payload *payload,
                      struct err *err);

#endif
