/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_queue_free.h"

#include "sched/algorithms/tree/furthest_first.h"
#include "sched/algorithms/tree/tree_phases.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

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

static uint64_t sendings_of(const struct topology *tree, unsigned level)
{
    return tree->leaves[level] - tree->leaves[level - 1];
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
    uint64_t first = crossing.at * width, sendings = sendings_of(tree, level);
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
        phases.length[level] =
            bits_divide_up(sendings_of(tree, level), topology_narrowest(tree, level));
    return phases;
}

/* -- Interleaved ------------------------------------------------------------------------------- */

/* The sendings of levels 2 … h take the lanes 0 … width - 1 one after another: sending v is that of
 * lane v mod width in step ⌊v / width⌋. More lanes than leaves are of no use. */
struct lanes {
    const struct topology *tree;
    uint64_t width;
    uint64_t first[TOPOLOGY_MAX_HEIGHT + 1]; /* first sending of a level */
    uint32_t sent, sending;                  /* sendings of level 1 until now, and in this step */
};

/* Places the sendings of each level so that they arrive after those of the level below, and not
 * before a packet can arrive, in step 2l. */
static struct lanes place_sendings(const struct topology *tree)
{
    struct lanes lanes = {.tree = tree,
                          .width = MIN(topology_narrowest(tree, tree->height), tree->nodes)};
    uint64_t arrival = 0;
    for (unsigned level = 2; level <= tree->height; level++) {
        arrival = MAX(arrival, 2 * level * lanes.width);
        lanes.first[level] = arrival - (2 * level - 1) * lanes.width;
        arrival += sendings_of(tree, level);
    }
    return lanes;
}

/* Returns whether sending v is one of this level, which is 2 or higher. */
static bool is_sent(const struct lanes *lanes, unsigned level, uint64_t v)
{
    return v >= lanes->first[level] && v - lanes->first[level] < sendings_of(lanes->tree, level);
}

/* Returns the number of lanes of a leaf that higher levels leave to level 1 in a step. */
static uint32_t count_left(const struct lanes *lanes, uint64_t step)
{
    uint32_t far = 0;
    for (unsigned level = 2; level <= lanes->tree->height; level++)
        for (uint64_t lane = 0; lane < lanes->width; lane++) {
            uint64_t arrival = step * lanes->width + lane, delay = (2 * level - 1) * lanes->width;
            far += arrival >= delay && is_sent(lanes, level, arrival - delay);
        }
    return lanes->tree->capacity[1] - far;
}

/* Returns whether the packets that sending v of a level sends upwards over a branch are sent by an
 * earlier lane or a lower level too. */
static bool is_covered(const struct lanes *lanes, unsigned branch, unsigned level, uint64_t v)
{
    const uint64_t begin = v - v % lanes->width;
    for (unsigned lower = MAX(branch, 2); lower <= level; lower++)
        for (uint64_t other = begin; other < (lower == level ? v : begin + lanes->width); other++)
            if (is_sent(lanes, lower, other) && (v - other) % lanes->tree->leaves[lower - 1] == 0)
                return true;
    return false;
}

/* Appends the arrivals of the sendings of level 1 of the step before, on the last lanes, and those
 * of this step upwards: one copy, on lane 0, for all of them. */
static bool cross_near(struct lanes *lanes, uint64_t step, struct schedule *schedule,
                       struct err *err)
{
    const struct topology *tree = lanes->tree;
    const struct tree_crossing up = {.level = 1, .branch = 1, .up = true},
                               down = {.level = 1, .branch = 1};
    uint32_t left = count_left(lanes, step + 1), remaining = tree->children[1] - 1 - lanes->sent;
    bool crossed = true;
    for (uint32_t which = 0; crossed && which < lanes->sending; which++)
        crossed = cross_down(tree, down, lanes->sent - lanes->sending + which,
                             tree->capacity[1] - 1 - which, schedule, err);
    lanes->sending = MIN(left, remaining);
    lanes->sent += lanes->sending;
    return crossed && (lanes->sending == 0 || cross_up(tree, up, 0, 0, schedule, err));
}

/* Appends the crossings of a branch, in one direction, of the sendings of a level in a step. */
static bool cross_far(const struct lanes *lanes, struct tree_crossing crossing,
                      struct schedule *schedule, struct err *err)
{
    const struct topology *tree = lanes->tree;
    const uint32_t leaves = tree->leaves[crossing.level - 1];
    const bool near = crossing.branch == 1 && lanes->sending > 0; /* a copy is on its way */
    bool crossed = true;
    for (uint32_t lane = 0; crossed && lane < lanes->width; lane++) {
        uint64_t v = crossing.at * lanes->width + lane, u = v % leaves;
        if (!is_sent(lanes, crossing.level, v))
            continue;
        uint64_t shift = (v - lanes->first[crossing.level]) / leaves;
        if (!crossing.up)
            crossed = cross_down(tree, crossing, shift * leaves + u, lane, schedule, err);
        else if (!near && !is_covered(lanes, crossing.branch, crossing.level, v))
            crossed = cross_up(tree, crossing, (uint32_t)u, lane, schedule, err);
    }
    return crossed;
}

/* Appends the steps up to that of flooding, the bound. Leaves receive on all lanes that branches of
 * any level leave open. */
static bool interleaved_build(const struct topology *tree, struct schedule *schedule,
                              struct err *err)
{
    struct lanes lanes = place_sendings(tree);
    for (uint64_t step = 1, end = tree_queue_free_end(tree, true); step <= end; step++) {
        if (schedule_open_step(schedule, step, 1, err) == NULL ||
            !cross_near(&lanes, step, schedule, err))
            return false;
        for (unsigned level = 2; level <= tree->height; level++)
            for (unsigned hop = 0; hop < 2 * level && hop < step; hop++) {
                const struct tree_crossing crossing = tree_phases_crossing(level, step - hop, hop);
                if (!cross_far(&lanes, crossing, schedule, err))
                    return false;
            }
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

bool tree_queue_free_interleaves(const struct topology *tree)
{
    return tree->height < 2 ||
           topology_narrowest(tree, 2) == topology_narrowest(tree, tree->height);
}

uint64_t tree_queue_free_end(const struct topology *tree, bool interleaved)
{
    if (interleaved)
        return furthest_first_leaf_end(tree, false);
    const struct tree_phases phases = phases_of(tree);
    return tree_phases_end(&phases);
}

bool tree_queue_free_build(const struct topology *tree, bool interleaved, struct schedule *schedule,
                           struct err *err)
{
    if (!schedule_reserve(schedule, tree_queue_free_end(tree, interleaved),
                          queue_free_transfers(tree), err))
        return false;
    if (interleaved)
        return interleaved_build(tree, schedule, err);
    const struct tree_phases phases = phases_of(tree);
    return tree_phases_build(&phases, schedule, err);
}
