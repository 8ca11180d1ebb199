/* SPDX-License-Identifier: Apache-2.0 */
/* planes: distributes the settings of a decomposition over several networks side by side.
 *
 *     settings 5 5 4, price 1      plane 0  |1 5    |1 2|
 *                                  plane 1  |1 3  |1 4   |
 *
 * A node has a port on each plane, and each plane is set independently. A setting can be on two
 * planes, even at the same time, for a part of its rounds on each. Its circuits then divide the
 * same packets, and it costs one more reconfiguration.
 */
#ifndef ROUNDCAST_PLANES_H
#define ROUNDCAST_PLANES_H

#include "sched/decompose/decompose.h"

#define PLANES_MAX 4096

struct plane_part {
    uint32_t plane;    /* 0 … planes - 1 */
    size_t setting;    /* of the decomposition */
    uint64_t duration; /* rounds, 1 or more */
};

struct planes {
    uint64_t makespan; /* of the plane that ends last: all its rounds and reconfigurations */
    size_t count;
    struct plane_part *part; /* plane by plane */
};

/* Distributes all rounds of a decomposition over 1 … PLANES_MAX planes. For one plane the makespan
 * is that of the decomposition; for S planes it is at most ⌊makespan / S⌋ plus a reconfiguration
 * and a round. Precondition: `planes` is zero or freed. E104. O(settings · log makespan). */
bool planes_share(const struct decomposition *decomposition, struct traffic_cost cost,
                  uint32_t count, struct planes *planes, struct err *err);
void planes_free(struct planes *planes);

#endif
