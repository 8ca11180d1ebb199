/* SPDX-License-Identifier: Apache-2.0 */
/* compile: from a request to an image: the network, the payload and the clock before there is a
 * schedule, and then the schedule as the network runs it, memories, headers and tables. */
#ifndef ROUNDCAST_COMPILE_H
#define ROUNDCAST_COMPILE_H

#include "sched/image/image.h"
#include "sched/machine/machine.h"
#include "sched/route/rewrite.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct compile_request {
    bool has_network;     /* else the smallest that fits */
    bool has_latency;     /* pipe or pad was given */
    bool has_memory;      /* packets, flits and rows were given */
    bool split;           /* rounds that the network blocks may become several */
    uint32_t reconfigure; /* cycles that a change of settings takes, on a machine that holds them */
    struct machine machine; /* what was given of it */
    uint32_t flits;         /* of a packet; 0: as many as the payload needs */
    const char *payload;    /* a file; NULL: pseudo-random bytes */
    uint64_t seed;
};

/* Chooses the network and reads the payload for a collective: what was requested, or the smallest
 * network that fits. In the postal model flits, registers and λ = 1 + L/F must agree: a λ of 0/0
 * follows from flits and registers; the registers follow from λ unless pipe or pad were given; the
 * flits from both. Errors: E102, E201, E401, E405. Free the payload. */
bool compile_machine(const struct compile_request *request, struct collective *collective,
                     struct machine *machine, struct payload *payload, struct err *err);

/* Finds the cycles of a round on that machine, with barriers and pseudo-random payload, before
 * there is a payload. E102, E401, E402. O(1). Precondition: a model of rounds on a complete
 * graph. */
bool compile_round_cycles(const struct compile_request *request,
                          const struct collective *collective, uint32_t *cycles, struct err *err);

/* Does the same as compile_machine for the collective of a schedule. */
bool compile_machine_of(const struct compile_request *request, const struct schedule *schedule,
                        struct machine *machine, struct payload *payload, struct err *err);

/* Rewrites a verified schedule for that machine: a hypercube's schedule on a multistage network
 * becomes a schedule of a complete graph; rounds that an omega network blocks are split if the
 * request allows it (`splitted` reports the result). E103, E104, E208, E401, E402. */
bool compile_rewrite(const struct compile_request *request, const struct machine *machine,
                     struct schedule *schedule, struct split_report *splitted, struct err *err);

/* Builds the image of a rewritten schedule on that machine, whose memories are as requested, or
 * rounded up to common capacities. Errors: those of route_schedule, and E402, E104. Free the
 * image. */
bool compile_schedule(const struct compile_request *request, const struct schedule *schedule,
                      struct payload *payload, struct machine *machine, struct image *image,
                      struct err *err);

#endif
