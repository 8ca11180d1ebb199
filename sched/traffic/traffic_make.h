/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_make: traffic by a pattern, if you have no matrix of your own. */
#ifndef ROUNDCAST_TRAFFIC_MAKE_H
#define ROUNDCAST_TRAFFIC_MAKE_H

#include "sched/traffic/traffic.h"

#define TRAFFIC_NUMBERS 2

/* A pattern is written `name:K` or `name:K,L`. */
struct traffic_pattern {
    const char *name, *syntax;
    unsigned numbers; /* how many are behind the name */
    uint32_t least[TRAFFIC_NUMBERS], most[TRAFFIC_NUMBERS];
    /* Adds to traffic of 2 or more nodes; what is drawn, from the seed. E104. */
    bool (*make)(const uint32_t number[TRAFFIC_NUMBERS], uint64_t seed, struct traffic *traffic,
                 struct err *err);
};

/* Ends with a name of NULL. */
extern const struct traffic_pattern traffic_patterns[];

/* Traffic between `nodes` nodes, 2 or more, by the pattern that the text says. The same seed makes
 * the same on every machine. `traffic` must be zero or freed. E101 for a text that is no pattern,
 * E102 for a number out of its range, E104. O(packets · log packets). */
bool traffic_make(const char *text, uint32_t nodes, uint64_t seed, struct traffic *traffic,
                  struct err *err);

#endif
