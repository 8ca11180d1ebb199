/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_queue_free.h"

#include "sched/algorithms/tree/tree_phases.h"
#include "sched/base/bits.h"

/* Appends the upward crossing of a branch in the queue-free method, for leaf u of all subtrees. */
static bool cross_up(const struct topology *tree, struct tree_crossing crossing, uint32_t u,
                     uint32_t lane, struct schedule *schedule, struct err *err)
{
    for (uint32_t leaf = u; leaf < tree->nodes; leaf += tree->leaves[crossing.level - 1])
        if (!tree_phases_append(schedule, crossing, leaf, leaf + 1, lane, err))
            return false;
    return true;
}

/* Appends the downward crossing: each node receives the packet sent from the subtree of the child
 * `shift` places before its own. */
static bool cross_down(const struct topology *tree, struct tree_crossing crossing, uint64_t q,
                       uint32_t lane, struct schedule *schedule, struct err *err)
{
    const unsigned level = crossing.level;
    uint32_t u = (uint32_t)(q % tree->leaves[level - 1]);
    uint32_t shift = 1 + (uint32_t)(q / tree->leaves[level - 1]);
    uint32_t k = tree->children[level], size = tree->leaves[level - 1];
    for (uint32_t leaf = 0; leaf < tree->nodes; leaf += tree->leaves[crossing.branch - 1]) {
        uint32_t child = leaf / size % k, from = (child + k - shift) % k;
        uint32_t sender = leaf - leaf % tree->leaves[level] + from * size + u;
        if (!tree_phases_append(schedule, crossing, leaf, sender + 1, lane, err))
            return false;
    }
    return true;
}

/* Appends the transfers of a crossing in the queue-free method. In sending q = 0 … (k_l - 1)
 * N_{l-1} - 1 of phase l, leaf u = q mod N_{l-1} below every child a of every router of level l
 * sends, and the whole subtree of child a + 1 + ⌊q / N_{l-1}⌋ (mod k_l) receives, on one lane of
 * each branch: the children are permuted. A step has as many sendings as all branches up to level l
 * have lanes, w_l, each on a lane of its own; a leaf with two of them in a step sends its packet up
 * once. So with c_1 = 1 leaves send in steps 1 … n - 1, those of phase l being N_{l-1} … N_l - 1,
 * and a leaf sends its packet Σ (k_l - 1) times: only in this algorithm do routers receive a packet
 * again; leaves do not. The schedule is ours; the paper only states that such an algorithm exists
 * (Theorem 7). */
static bool cross(const struct topology *tree, struct tree_crossing crossing,
                  struct schedule *schedule, struct err *err)
{
    const unsigned level = crossing.level;
    uint32_t width = topology_narrowest(tree, level), leaves = tree->leaves[level - 1];
    uint64_t first = crossing.at * width, sendings = tree->leaves[level] - leaves;
    bool crossed = true;
    for (uint32_t lane = 0; crossed && lane < width && first + lane < sendings; lane++) {
        uint64_t q = first + lane;
        if (!crossing.up)
            crossed = cross_down(tree, crossing, q, lane, schedule, err);
        else if (lane < leaves)
            crossed = cross_up(tree, crossing, (uint32_t)(q % leaves), lane, schedule, err);
    }
    return crossed;
}

static struct tree_phases phases_of(const struct topology *tree)
{
    struct tree_phases phases = {.tree = tree, .cross = cross};
    for (unsigned level = 1; level <= tree->height; level++)
        phases.length[level] = bits_divide_up(tree->leaves[level] - tree->leaves[level - 1],
                                              topology_narrowest(tree, level));
    return phases;
}

/* -- Interleaved ------------------------------------------------------------------------------- */

/* Returns the step of the first sending of a level. They arrive from step N_{l-1} + 1 on, one later
 * if k_1 = 2, because no packet can arrive in step 3. */
static uint64_t first_sending(const struct topology *tree, unsigned level)
{
    bool late = level > 1 && tree->children[1] == 2;
    return tree->leaves[level - 1] + 1 + (uint64_t)late - (2 * (uint64_t)level - 1);
}

/* Returns whether there is a sending of a level in a step. */
static bool sends_in(const struct topology *tree, unsigned level, uint64_t step)
{
    uint64_t first = first_sending(tree, level);
    return step >= first && step - first < tree->leaves[level] - tree->leaves[level - 1];
}

/* Appends the crossings of a branch, in one direction, of the sending of a level in step `sent`. A
 * copy that a lower level sends upwards over the branch serves this level too. */
static bool cross_sending(const struct topology *tree, struct tree_crossing crossing, uint64_t sent,
                          struct schedule *schedule, struct err *err)
{
    const uint32_t leaves = tree->leaves[crossing.level - 1], u = (uint32_t)(sent % leaves);
    if (!crossing.up)
        return cross_down(tree, crossing, crossing.at - crossing.at % leaves + u, 0, schedule, err);
    for (unsigned lower = crossing.branch; lower < crossing.level; lower++)
        if (sends_in(tree, lower, sent))
            return true;
    return cross_up(tree, crossing, u, 0, schedule, err);
}

/* Appends the crossings of a level in a step. */
static bool cross_level(const struct topology *tree, unsigned level, uint64_t step,
                        struct schedule *schedule, struct err *err)
{
    for (unsigned hop = 0; hop < 2 * level && hop < step; hop++) {
        const uint64_t sent = step - hop;
        if (!sends_in(tree, level, sent))
            continue;
        bool up = hop < level;
        const struct tree_crossing crossing = {.level = level,
                                               .at = sent - first_sending(tree, level),
                                               .branch = up ? hop + 1 : 2 * level - hop,
                                               .up = up};
        if (!cross_sending(tree, crossing, sent, schedule, err))
            return false;
    }
    return true;
}

static uint64_t interleaved_end(const struct topology *tree)
{
    return tree->nodes + (uint64_t)(tree->height > 1 && tree->children[1] == 2);
}

static bool interleaved_build(const struct topology *tree, struct schedule *schedule,
                              struct err *err)
{
    for (uint64_t step = 1; step <= interleaved_end(tree); step++) {
        if (schedule_open_step(schedule, step, 1, err) == NULL)
            return false;
        for (unsigned level = 1; level <= tree->height; level++)
            if (!cross_level(tree, level, step, schedule, err))
                return false;
        schedule_close_step(schedule, 0);
    }
    return true;
}

/* -- Both methods ------------------------------------------------------------------------------ */

/* Returns an upper bound on the transfers of the queue-free method. In phase l a sending crosses l
 * branches up, one branch down to a child of a router of level l, and all branches of that child's
 * subtree. The bound is exact unless a leaf has several sendings in a step. */
static size_t queue_free_transfers(const struct topology *tree)
{
    size_t transfers = 0, inner = 0; /* inner: branches below a child of level l */
    for (unsigned level = 1; level <= tree->height; level++) {
        size_t sent = (size_t)tree->nodes * (tree->children[level] - 1);
        transfers += sent * (level + 1 + inner);
        inner = (inner + 1) * tree->children[level];
    }
    return transfers;
}

uint64_t tree_queue_free_end(const struct topology *tree, bool interleaved)
{
    const struct tree_phases phases = phases_of(tree);
    return interleaved ? interleaved_end(tree) : tree_phases_end(&phases);
}

bool tree_queue_free_build(const struct topology *tree, bool interleaved, struct schedule *schedule,
                           struct err *err)
{
    const struct tree_phases phases = phases_of(tree);
    if (!schedule_reserve(schedule, tree_queue_free_end(tree, interleaved),
                          queue_free_transfers(tree), err))
        return false;
    return interleaved ? interleaved_build(tree, schedule, err)
                       : tree_phases_build(&phases, schedule, err);
}
