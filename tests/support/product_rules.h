/* SPDX-License-Identifier: Apache-2.0 */
/* product_rules: the reasons why a combination of network, settings, programs, model and collective
 * is invalid, for test_product.c.
 *
 * Each rule is a code, a part of the message and a predicate over the circuits of each row, which
 * come from the schedule alone. It shares no code with the compiler.
 */
#ifndef ROUNDCAST_PRODUCT_RULES_H
#define ROUNDCAST_PRODUCT_RULES_H

#include "sched/algorithms/algorithm.h"
#include "sched/image/image.h"
#include "sched/route/compile.h"

#define PRODUCT_MAX_PORTS 16

/* A combination and its result. */
struct product_point {
    const char *network;
    struct compile_request request;
    const struct algorithm *algorithm;
    struct collective collective;
    struct schedule schedule; /* as the compiler leaves it: lowered, or split */
    struct payload payload;
    struct image image;
    bool is_hops, blocks, copies; /* the network: routers, omega, multicast */
    uint32_t ports;
};

/* Returns whether step k is active in a row and began in another row. */
bool product_is_active(const struct product_point *point, size_t k, uint64_t row);
bool product_continues(const struct product_point *point, size_t k, uint64_t row);

/* Returns whether the network's text begins with this prefix. */
bool product_begins(const struct product_point *point, const char *word);

struct product_rule {
    enum err_code code;
    const char *text;
    bool (*holds)(const struct product_point *point); /* then it must be rejected; NULL: never */
    /* then it may be; NULL: only where it must */
    bool (*may)(const struct product_point *point);
};

#define PRODUCT_RULES 18
extern const struct product_rule product_rules[PRODUCT_RULES];

#endif
