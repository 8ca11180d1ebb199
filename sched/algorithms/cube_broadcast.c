/* cube-broadcast: packets of any nodes of a hypercube to all, when nobody knows which nodes or how many: K packets in
 * exactly 2⌈K/d⌉ + 4d slots.
 *
 *     slots                       phase
 *     1 … 2d + 1                  prefix: each node learns the ranks of its packets, the roots of the trees learn K
 *     then ⌈K/d⌉ + d - 1          gather: the packet of rank r goes to the root of tree (r-1) mod d + 1
 *     then ⌈K/d⌉ + d              spread: each root sends its packets to all, and then that it has no more
 *
 * d = 3, packets 1 at node 2 and 2 at node 5, of ranks 2 and 1: after 7 slots nodes 2 and 5 know their ranks and 1, 2, 4
 * that K = 2; packet 1 is of tree 2 and there already, packet 2 climbs tree 1 from 5 to its root 1 in slot 8; in slots
 * 11 … 14 each tree is a pipeline of one packet, or none, and the last.
 *
 * Sums, K and the last packets of the roots are packets of their own, behind 1 … K: those of the prefix
 * (cube_prefix.h), then one of each root. A root knows when to begin by its clock, as all know d, and K tells ⌈K/d⌉. All
 * other nodes need no K. Within a factor of 6 of the bound. O(transfers + 2^d).
 *
 * Stamoulis and Tsitsiklis, section 3.2. (What reads as floors there are ceilings.)
 */
#include "algorithm.h"
#include "cube_accepts.h"
#include "cube_phases.h"
#include "cube_prefix.h"

static uint64_t spread_begins_after(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    return cube_prefix_slots(d) + cube_phases_share(collective->m, d) + d - 1;
}

static uint64_t broadcast_end(const struct collective *collective)
{
    unsigned d = collective->topology->dimensions;
    return spread_begins_after(collective) + cube_phases_share(collective->m, d) + d;
}

static bool broadcast_accepts(const struct collective *collective, struct err *err)
{
    return cube_accepts_no_source("cube-broadcast", collective, err);
}

static bool broadcast_build(const struct collective *collective, struct schedule *schedule, struct err *err)
{
    unsigned d = collective->topology->dimensions;
    struct cube_roots roots = {0};
    bool built = cube_phases_reserve(collective->m + d, schedule, err) && cube_prefix_build(schedule, err);
    uint32_t last = schedule->packets + 1;
    for (unsigned tree = 1; built && tree <= d; tree++)
        built = schedule_add_demand(schedule, 1, topology_across(0, tree), NULL, 0, err);
    built = built &&
            cube_gather(collective->m, collective->sources, cube_prefix_slots(d), schedule, &roots, err) &&
            cube_spread(&roots, last, spread_begins_after(collective), schedule, err);
    cube_roots_free(&roots);
    return built;
}

const struct algorithm algorithm_cube_broadcast = {
    .name = "cube-broadcast",
    .summary = "any packets of any nodes, of which nobody knows: ranks by prefix sums, d edge-disjoint trees",
    .source = "Stamoulis, Tsitsiklis, section 3.2",
    .models = 1u << MODEL_ALL_PORT,
    .topology = TOPOLOGY_HYPERCUBE,
    .kind = COLLECTIVE_SIMULTANEOUS,
    .accepts = broadcast_accepts,
    .end = broadcast_end,
    .build = broadcast_build,
};
