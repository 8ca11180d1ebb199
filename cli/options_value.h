/* SPDX-License-Identifier: Apache-2.0 */
/* options_value: what an option's text means; for argp's parsers. */
#ifndef ROUNDCAST_OPTIONS_VALUE_H
#define ROUNDCAST_OPTIONS_VALUE_H

#include "sched/base/err.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>

/* A decimal number and nothing else in minimum … maximum. E101 if it is not a number, E102 if it is
 * out of range, both with the option's name and the legal range. */
bool options_number(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                    uint64_t *value, struct err *err);

/* The same for 32 bits. */
bool options_number32(const char *option, const char *text, uint32_t minimum, uint32_t maximum,
                      uint32_t *value, struct err *err);

/* A number of bytes, which may have a suffix or an exponent (decimal.h): 4096, 4K, 64Ki, 1e6. The
 * same errors. */
bool options_bytes(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                   uint64_t *value, struct err *err);

/* One of name[count]: its index, or E101 with all names and the nearest one. */
bool options_choice(const char *option, const char *text, const char *const name[], size_t count,
                    unsigned *which, struct err *err);

/* A command's one argument that is no option, at ARGP_KEY_ARG: keep it in *slot, of which `what` is
 * the name. E101 if there has been one. */
error_t options_argument(const char *what, const char *argument, const char **slot,
                         struct err *err);

/* What a parser returns after err_set. */
static inline error_t options_refuse(bool accepted)
{
    return accepted ? 0 : EINVAL;
}

#endif
