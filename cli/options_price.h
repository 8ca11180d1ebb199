/* SPDX-License-Identifier: Apache-2.0 */
/* options_price: what --reconfigure and --clock ask for. */
#ifndef ROUNDCAST_OPTIONS_PRICE_H
#define ROUNDCAST_OPTIONS_PRICE_H

#include "sched/base/err.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct options_price {
    struct err *err;
    const char *reconfigure; /* NULL if not given */
    uint64_t clock;          /* MHz; 0 if not given */
};

extern const struct argp options_price_argp;

/* The cycles of a change of settings; 0 if none were asked for. E101, E102. */
bool options_price_read(const struct options_price *options, uint32_t *cycles);

#endif
