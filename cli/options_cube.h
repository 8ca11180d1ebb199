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

#include "cli/options.h"

/* Of struct options_collective. */
extern const struct argp options_cube_argp;

/* With --dim: the hypercube, n, m and the sources; m is 1 if nothing says how many packets there are. --sources and
 * --random are of a hypercube only. E101, E102, E104. */
bool options_cube_check(struct options_collective *options);

/* For an algorithm's collective in a hypercube: a broadcast is of d packets if nothing says how many. */
void options_cube_default(const struct options_collective *options, struct collective *collective);

/* The method that --prefix, --overlap and --randomised name; left as it is without them. Precondition: no --method, which
 * options_cube_check sees to. E103 for algorithms that have none of them. */
bool options_cube_method(const struct options_collective *options, const struct algorithm *algorithm,
                         unsigned *method);

/* For a command, or an algorithm, `what`, that has none of these options. E103. */
bool options_cube_refuse_way(const struct options_collective *options, const char *what);

#endif
