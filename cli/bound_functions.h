/* SPDX-License-Identifier: Apache-2.0 */
/* bound_functions: the functions that the papers' bounds are made of, which `bound` prints with
 * their values and with what theorems guarantee for them. */
#ifndef ROUNDCAST_BOUND_FUNCTIONS_H
#define ROUNDCAST_BOUND_FUNCTIONS_H

#include "sched/base/rational.h"
#include "sched/schedule/collective.h"

#include <jansson.h>

struct bound_functions {
    unsigned count;
    struct {
        char name[RATIONAL_TEXT * 2 + 8], value[RATIONAL_TEXT], guarantee[RATIONAL_TEXT];
        const char *source; /* of the guarantee; NULL: there is none */
        bool large;         /* no exact value */
    } row[8];
};

/* Finds the functions of a request: F_d and f_d with a degree, F_λ and f_λ with a λ, f only if n is
 * not 0, F only with a time t (0/0: none). On a hypercube W_d(K), the fewest slots for the worst K
 * different sources if nodes know only their own packets; with given sources N, the packets of the
 * largest random tree of cube-broadcast, and bounds of its probability. E101 for a time without a
 * degree or λ; E102 for a fraction as the time of F_d; E104. */
bool bound_functions_find(const struct collective *asked, struct rational t,
                          struct bound_functions *functions, struct err *err);

/* Prints them as a table. E104. */
bool bound_functions_print(const struct bound_functions *functions, struct err *err);

/* Sets the values and the guarantees, each in an object by name. */
void bound_functions_json(const struct bound_functions *functions, json_t **values,
                          json_t **guarantees);

#endif
