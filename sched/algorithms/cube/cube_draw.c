/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_draw.h"

#include "sched/base/compare.h"
#include "sched/shape/topology.h"

#include <math.h>

#define SEED_OF_TREES 1000

struct rng cube_draw_rng(uint64_t seed)
{
    return (struct rng){seed + SEED_OF_TREES};
}

unsigned cube_draw_tree(unsigned d, struct rng *rng)
{
    return (unsigned)(rng_next(rng) % d) + 1;
}

uint32_t cube_draw_most(unsigned d, uint32_t count, uint64_t seed)
{
    uint32_t of_tree[TOPOLOGY_MAX_DIMENSIONS + 1] = {0}, most = 0;
    struct rng rng = cube_draw_rng(seed);
    for (uint32_t packet = 0; packet < count; packet++) {
        uint32_t now = ++of_tree[cube_draw_tree(d, &rng)];
        most = MAX(most, now);
    }
    return most;
}

double cube_draw_tail(unsigned d, uint32_t count, uint32_t most)
{
    double c = (double)most * d / count;
    return fmin(1, 2.0 * d * exp(most * (1 - log(c))));
}

uint32_t cube_draw_unlikely(unsigned d, uint32_t count, double probability)
{
    for (uint32_t most = 1; most <= count; most++)
        if (cube_draw_tail(d, count, most) <= probability)
            return most;
    return 0;
}
