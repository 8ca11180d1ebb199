/* SPDX-License-Identifier: Apache-2.0 */
/* options_machine: the machine that a schedule is routed for, and what it carries. */
#ifndef ROUNDCAST_OPTIONS_MACHINE_H
#define ROUNDCAST_OPTIONS_MACHINE_H

#include "sched/route/compile.h"

#include <argp.h>

struct options_machine {
    struct err *err;
    struct compile_request request;
    struct split_report splitted; /* what became of rounds that were split */
};

/* --network, --settings, --programs, --split, --width, --flits, --memory, --payload and --seed.
 * Initialise with OPTIONS_MACHINE. */
extern const struct argp options_machine_argp;

#define OPTIONS_MACHINE(error)                                       \
    {                                                                \
        .err = (error), .request = {.machine.width = 16, .seed = 1 } \
    }

#endif
