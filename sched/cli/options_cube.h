/* options_cube: what --dim, --sources and --random ask for. */
#ifndef ROUNDCAST_OPTIONS_CUBE_H
#define ROUNDCAST_OPTIONS_CUBE_H

#include "options.h"

/* With --dim: the hypercube, n, m and the sources; m is 1 if nothing says how many packets there are. --sources and
 * --random are of a hypercube only. E101, E102, E104. */
bool options_cube_check(struct options_collective *options);

/* For an algorithm's collective in a hypercube: a broadcast is of d packets if nothing says how many. */
void options_cube_default(const struct options_collective *options, struct collective *collective);

#endif
