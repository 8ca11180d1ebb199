/* SPDX-License-Identifier: Apache-2.0 */
/* options_cube: what --dim, --sources, --random, --prefix, --overlap and --randomised ask for.
 *
 * The last three name a method of cube-broadcast (cube_way.h); each may stand for itself:
 *
 *     --prefix tree|exchange     tree
 *     --overlap gather|spread    none, but with --randomised: gather
 *     --randomised               without a prefix
 */
#ifndef ROUNDCAST_OPTIONS_CUBE_H
#define ROUNDCAST_OPTIONS_CUBE_H

#include "sched/algorithms/algorithm.h"

#include <argp.h>

struct options_cube {
    struct err *err;
    uint32_t dimensions;      /* of a hypercube, 0 if not given */
    const char *sources_text; /* NULL if not given */
    bool has_random;
    uint32_t random;   /* --random: how many sources are drawn */
    bool counted;      /* -m was given with --dim */
    uint32_t *sources; /* [m] after options_cube_check, NULL if not given; owned */

    const char *prefix, *overlap; /* texts, NULL if not given */
    bool randomised;
};

extern const struct argp options_cube_argp;

void options_cube_free(struct options_cube *options);

/* With --dim, set the hypercube, n, m and the sources of the collective; m is 1 if no option gives
 * the number of packets. Only a hypercube takes --sources and --random, which draws from the seed.
 * --dim excludes --tree, and a way excludes --method. E101, E102, E104. */
bool options_cube_check(struct options_cube *options, bool has_tree, bool has_method, uint64_t seed,
                        struct collective *asked, struct topology *topology);

/* Complete an algorithm's collective in a hypercube: a broadcast has d packets if no option says
 * how many. */
void options_cube_default(const struct options_cube *options, struct collective *collective);

/* The method that --prefix, --overlap and --randomised name; left as it is without them.
 * Precondition: no --method, which options_cube_check sees to. E103 for algorithms that have none
 * of them. */
bool options_cube_method(const struct options_cube *options, const struct algorithm *algorithm,
                         unsigned *method);

/* Refuse these options for a command or an algorithm, `what`, that has none of them. E103. */
bool options_cube_refuse_way(const struct options_cube *options, const char *what);

#endif
