/* SPDX-License-Identifier: Apache-2.0 */
/* options_seed: what --seed asks for, in commands without a machine. */
#ifndef ROUNDCAST_OPTIONS_SEED_H
#define ROUNDCAST_OPTIONS_SEED_H

#include "sched/base/err.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct options_seed {
    struct err *err;
    uint64_t value;
    bool given;
};

#define OPTIONS_SEED(error)         \
    {                               \
        .err = (error), .value = 1, \
    }

extern const struct argp options_seed_argp;

/* A seed goes with what is drawn from it. E101. */
bool options_seed_check(const struct options_seed *options, bool draws);

#endif
