/* SPDX-License-Identifier: Apache-2.0 */
/* tree_phases: schedules of trees in which each router forwards packets at once, phase by phase.
 *
 * In phase l packets cross routers up to level l, all in parallel, and none above. A packet that a
 * leaf sends in step t crosses the branch to level j upwards in step t + j - 1 and downwards in
 * step t + 2l - j. k = 2, 2, l = 2:
 *
 *     level 2        *             t + 1 ↗ ↘ t + 2
 *     level 1     *     *        t ↗           ↘ t + 3
 *     level 0    0 1   2 3
 *
 * Phases run in order l = 1 … h, nearest first. A packet of a later phase also crosses a branch
 * later, so phases never meet on a branch, even if leaves start the next phase while packets of the
 * current one are still on their way. (Furthest first, as in the paper, needs 2 idle steps between
 * phases and ends in the same step.)
 */
#ifndef ROUNDCAST_TREE_PHASES_H
#define ROUNDCAST_TREE_PHASES_H

#include "sched/schedule/schedule.h"

/* The packets that leaves sent in step `at` (from 0) of phase `level` cross the branches to level
 * `branch`, upwards or downwards. */
struct tree_crossing {
    unsigned level;
    uint64_t at;
    unsigned branch;
    bool up;
};

/* Returns the crossing by the packets of `level` that leaves sent in step `at`, after `hop` more
 * steps. Precondition: hop < 2 · level. */
static inline struct tree_crossing tree_phases_crossing(unsigned level, uint64_t at, unsigned hop)
{
    const bool up = hop < level;
    return (struct tree_crossing){
        .level = level, .at = at, .branch = up ? hop + 1 : 2 * level - hop, .up = up};
}

struct tree_phases {
    const struct topology *tree;
    bool apart; /* a phase starts when the previous one has ended, not when its leaves have sent */
    uint64_t length[TOPOLOGY_MAX_HEIGHT + 1]; /* steps in which leaves send, of phase l = 1 … h */

    /* Appends the transfers of a crossing. E104. */
    bool (*cross)(const struct topology *tree, struct tree_crossing crossing,
                  struct schedule *schedule, struct err *err);
};

/* Returns the last step: Σ length + 2h - 1, or Σ length + h² if phases are apart. O(h). */
uint64_t tree_phases_end(const struct tree_phases *phases);

/* Appends all steps. O(transfers + end · h²) plus the time of `cross`. E104. */
bool tree_phases_build(const struct tree_phases *phases, struct schedule *schedule,
                       struct err *err);

/* Appends one packet of a crossing, over the branch on the path of `leaf`. E104. O(1). */
static inline bool tree_phases_append(struct schedule *schedule, struct tree_crossing crossing,
                                      uint32_t leaf, uint32_t packet, uint32_t lane,
                                      struct err *err)
{
    const struct topology *tree = &schedule->topology;
    const unsigned branch = crossing.branch;
    const bool up = crossing.up;
    uint32_t lower = topology_node(tree, branch - 1, leaf / tree->leaves[branch - 1]);
    uint32_t upper = topology_node(tree, branch, leaf / tree->leaves[branch]);
    const struct transfer transfer = {up ? lower : upper, up ? upper : lower, packet};
    return schedule_append_lane(schedule, transfer, lane, err);
}

#endif
