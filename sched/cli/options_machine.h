/* options_machine: the machine that a schedule is routed for, and what it carries. */
#ifndef ROUNDCAST_OPTIONS_MACHINE_H
#define ROUNDCAST_OPTIONS_MACHINE_H

#include "machine.h"
#include "options.h"
#include "payload.h"
#include "schedule.h"

struct options_machine {
    struct err *err;
    bool has_network;
    bool has_capacity;
    struct machine machine; /* what was given of it */
    uint32_t flits;         /* of a packet; 0: as many as the payload needs */
    const char *payload;    /* NULL: pseudo-random */
    uint64_t seed;
};

/* --network, --width, --flits, --capacity, --payload and --seed. Initialise with OPTIONS_MACHINE. */
extern const struct argp options_machine_argp;

#define OPTIONS_MACHINE(error)                         \
    {                                                  \
        .err = (error), .machine.width = 16, .seed = 1 \
    }

/* The machine and the payload for a schedule: what was asked for, or the smallest network that fits
 * and capacities rounded up to common ones. Errors: E201, E402, E405. Free the payload. */
bool options_machine_fit(const struct options_machine *options, const struct schedule *schedule,
                         struct machine *machine, struct payload *payload);

#endif
