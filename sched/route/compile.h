/* SPDX-License-Identifier: Apache-2.0 */
/* compile: turns a request into an image. Before there is a schedule it chooses the network, the
 * payload and the clock; afterwards it rewrites the schedule for the network, and sets memories,
 * headers and tables. */
#ifndef ROUNDCAST_COMPILE_H
#define ROUNDCAST_COMPILE_H

#include "sched/image/image.h"
#include "sched/machine/machine.h"
#include "sched/route/rewrite.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct compile_request {
    bool has_network;       /* else the smallest network that fits */
    bool has_latency;       /* pipe or pad was requested */
    bool has_memory;        /* packets, flits and rows were requested */
    bool split;             /* rounds that the network blocks may be split into several */
    uint32_t operation;     /* enum machine_operator, for a machine that combines */
    bool has_operator;      /* the operator was requested */
    bool has_operators;     /* the operators that are built were requested */
    uint32_t reconfigure;   /* cycles of a change of settings, on a machine with reconfiguration */
    struct machine machine; /* the properties that were requested */
    uint32_t flits;         /* of a packet; 0: as many as the payload needs */
    const char *payload;    /* a file; NULL: pseudo-random bytes */
    uint64_t seed;
};

/* Chooses the network and reads the payload for a collective. The network is the one requested, or
 * the smallest that fits. In the postal model flits, registers and λ = 1 + L/F must agree: λ = 0/0
 * is computed from flits and registers; the registers follow from λ unless pipe or pad were
 * requested, in which case the flits follow from both. For a reduction the payload has packets for
 * each node, and the machine combines. Errors: E102, E201, E208, E401, E405. Free
 * the payload. */
bool compile_machine(const struct compile_request *request, struct collective *collective,
                     struct machine *machine, struct payload *payload, struct err *err);

/* Finds the number of cycles of a round on that machine, with barriers and a pseudo-random payload,
 * before the payload exists. E102, E401, E402. O(1). Precondition: a model of rounds on a complete
 * graph. */
bool compile_round_cycles(const struct compile_request *request,
                          const struct collective *collective, uint32_t *cycles, struct err *err);

/* Chooses the machine and the payload for the collective of a schedule, as compile_machine does. */
bool compile_machine_of(const struct compile_request *request, const struct schedule *schedule,
                        struct machine *machine, struct payload *payload, struct err *err);

/* Rewrites a verified schedule for that machine: a hypercube's schedule on a multistage network
 * becomes a schedule of a complete graph, and a schedule of nodes with several ports becomes a
 * schedule of endpoints; rounds that an omega network blocks are split if the request allows it
 * (`splitted` reports the result). E103, E104, E208, E401, E402. */
bool compile_rewrite(const struct compile_request *request, const struct machine *machine,
                     struct schedule *schedule, struct split_report *splitted, struct err *err);

/* Builds the image of a rewritten schedule on that machine, whose memories are as requested, or
 * rounded up to common capacities. Errors: those of route_schedule, and E402, E104. Free the
 * image. */
bool compile_schedule(const struct compile_request *request, const struct schedule *schedule,
                      struct payload *payload, struct machine *machine, struct image *image,
                      struct err *err);

/* -- Cutting payloads -------------------------------------------------------------------------- */

/* Cuts a payload into packets whose flits fit the memory of a machine. */

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
