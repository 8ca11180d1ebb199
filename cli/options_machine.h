/* options_machine: the machine that a schedule is routed for, and what it carries. */
#ifndef ROUNDCAST_OPTIONS_MACHINE_H
#define ROUNDCAST_OPTIONS_MACHINE_H

#include "cli/options.h"
#include "sched/machine/machine.h"
#include "sched/route/split.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct options_machine {
    struct err *err;
    bool has_network;
    bool has_latency; /* pipe or pad was given */
    bool has_memory;
    bool split;                   /* rounds that the network blocks may become several */
    struct split_report splitted; /* what became of them */
    struct machine machine;       /* what was given of it */
    uint32_t flits;               /* of a packet; 0: as many as the payload needs */
    const char *payload;          /* NULL: pseudo-random */
    uint64_t seed;
};

/* --network, --settings, --programs, --split, --width, --flits, --memory, --payload and --seed. Initialise with OPTIONS_MACHINE. */
extern const struct argp options_machine_argp;

#define OPTIONS_MACHINE(error)                         \
    {                                                  \
        .err = (error), .machine.width = 16, .seed = 1 \
    }

/* The network and the payload for a collective: what was asked for, or the smallest network that fits. In the
 * postal model flits, registers and λ = 1 + L/F must agree: a λ of 0/0 follows from the other two; the registers
 * follow from a λ unless pipe or pad were given; the flits from both. Errors: E102, E201, E401, E405. Free the
 * payload. */
bool options_machine_load(const struct options_machine *options, struct collective *collective,
                          struct machine *machine, struct payload *payload);

/* Its memories for a schedule: as asked for, or rounded up to common capacities. A hypercube's schedule that is to run
 * on a multistage network becomes one of a complete graph; rounds that an omega network blocks become several, if they
 * may. E402, E104, E208. */
bool options_machine_fit(struct options_machine *options, struct schedule *schedule,
                         const struct payload *payload, struct machine *machine);

#endif
