/* SPDX-License-Identifier: Apache-2.0 */
/* tree-pipelined-reduce-scatter: a packet for each leaf, combined from all leaves. No node sends
 * two packets in a step, so that a router needs one operator, and the single-port model holds. In a
 * tree of h levels with n leaves it ends in step n + 2h - 1, the minimum of that model.
 *
 * Each node sends each packet once, towards the packet's leaf, when it has the partial results of
 * all its other branches. The root sends the packets in the order of their leaves, one in each
 * step. Any other router sends
 *
 *     down   the packets of its leaves, each in the step after its parent's, or as soon as it can
 *     up     all others, in the order of its parent, each in the last free step before its parent's
 *
 * Packet p of the last two steps in which the router sends down cannot go up then: the two packets
 * after its own go up ahead of them, in the two steps in which it waits for the root. k = 2, 2: the
 * packet that each node sends in each step, and the steps of level 1 that are moved, in brackets:
 *
 *     step       1     2     3     4     5     6     7
 *     leaf 0     3     4           2
 *     leaf 1     3     4     1
 *     leaf 2     1     2                       4
 *     leaf 3     1     2                 3
 *     1:0             [3]   [4]    1     2
 *     1:1              1     2                 3     4
 *     2:0                    1     2     3     4
 *
 * A half-duplex branch of one lane carries no packet up while one goes down, which costs one step
 * if h > 1; with several lanes, one is used in each direction. In a tree given by parents the root
 * is the router whose furthest leaf is nearest, and its deepest branches come first.
 *
 * Source: ours. O(transfers); of a tree given by parents also O(nodes³).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/tree/tree_any.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"

#include <inttypes.h>
#include <stdlib.h>

/* A node with the leaves below it, as an interval of the order in which the root sends. */
struct place {
    uint32_t node, parent, depth, begin, end;
};

/* The steps in which a node sends, ascending, counted from the first step of the root. */
struct sends {
    uint32_t count;
    int64_t *step;
    uint32_t *position; /* of the packet in the order of the root */
};

struct move {
    int64_t step;
    struct transfer transfer;
    uint32_t lane;
};

struct pipeline {
    const struct topology *tree;
    struct place *place; /* [places]: parents before their children */
    uint32_t places;
    uint32_t *leaf; /* [leaves]: the order in which the root sends */
    uint32_t leaves;
    uint32_t deepest;
    struct sends *sends; /* [deepest + 1]: those of the last place at each depth */
    int64_t *step;       /* memory of all sends, and [2][leaves] of work space */
    uint32_t *position;
    struct move *move; /* [moves] */
    size_t moves;
};

/* -- The tree ---------------------------------------------------------------------------------- */

struct child {
    uint32_t node;
    uint64_t distance; /* of its furthest leaf */
};

static int compare_children(const void *left, const void *right)
{
    const struct child *a = left, *b = right;
    return compare_then(COMPARE(b->distance, a->distance), COMPARE(a->node, b->node));
}

static void lay(struct pipeline *pipeline, uint32_t node, uint32_t from, uint32_t depth);

static void lay_any(struct pipeline *pipeline, uint32_t node, uint32_t from, uint32_t depth)
{
    const struct topology *tree = pipeline->tree;
    struct child child[TOPOLOGY_MAX_PARENTS];
    uint32_t count = 0;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0) {
            child[count] = (struct child){next, bound_any_hanging(tree, next, node, false)};
            count += child[count].distance != BOUND_NO_LEAF;
        }
    qsort(child, count, sizeof *child, compare_children);
    for (uint32_t k = 0; k < count; k++)
        lay(pipeline, child[k].node, node, depth + 1);
}

/* Appends a node, and the nodes that hang from it and have leaves. */
static void lay(struct pipeline *pipeline, uint32_t node, uint32_t from, uint32_t depth)
{
    const struct topology *tree = pipeline->tree;
    struct place *place = &pipeline->place[pipeline->places++];
    *place =
        (struct place){.node = node, .parent = from, .depth = depth, .begin = pipeline->leaves};
    pipeline->deepest = MAX(pipeline->deepest, depth);
    if (node < tree->nodes)
        pipeline->leaf[pipeline->leaves++] = node;
    else if (tree->any)
        lay_any(pipeline, node, from, depth);
    else
        for (uint32_t which = 0; which < tree->children[tree->height - depth]; which++)
            lay(pipeline, topology_child(tree, tree->height - depth, node, which), node, depth + 1);
    place->end = pipeline->leaves;
}

/* -- The sends of a node ----------------------------------------------------------------------- */

static bool is_below(const struct place *place, uint32_t position)
{
    return position >= place->begin && position < place->end;
}

/* Lanes of the branch above a place. */
static uint32_t lanes_above(const struct topology *tree, const struct place *place)
{
    return tree->capacity[tree->any ? 1 : tree->height + 1 - place->depth];
}

/* The packets that a parent sends to a node, and what the node sends, which is filled from the last
 * step to the first. */
struct filling {
    struct sends *sends;
    uint32_t at;     /* sends that are still empty */
    uint32_t first;  /* position of packet 0 of the node's leaves */
    int64_t *waits;  /* [own]: the steps in which the parent sends them */
    int64_t *down;   /* [own]: those in which the node sends them on */
    uint32_t downs;  /* of `down`: still to be put into `sends` */
    uint32_t blocks; /* of `waits`: the branch is in use, and the step is not later than `step` */
    int64_t step;    /* the step of the last packet that was put */
};

static void put(struct filling *filling, int64_t step, uint32_t position)
{
    filling->at--;
    filling->sends->step[filling->at] = step;
    filling->sends->position[filling->at] = position;
}

/* Puts the packets down that are sent after the current step. */
static void put_down(struct filling *filling)
{
    for (; filling->downs > 0 && filling->down[filling->downs - 1] > filling->step;
         filling->downs--)
        put(filling, filling->down[filling->downs - 1], filling->first + filling->downs - 1);
}

/* Returns whether the node sends a packet down in the current step, or cannot send one up. */
static bool is_taken(struct filling *filling)
{
    put_down(filling);
    while (filling->blocks > 0 && filling->waits[filling->blocks - 1] > filling->step)
        filling->blocks--;
    return (filling->downs > 0 && filling->down[filling->downs - 1] == filling->step) ||
           (filling->blocks > 0 && filling->waits[filling->blocks - 1] == filling->step);
}

/* Computes the sends of a place from those of its parent, `above`. `waits` and `down` are work
 * space, [leaves] each. O(leaves). */
static void place_sends(const struct pipeline *pipeline, const struct place *place,
                        const struct sends *above, int64_t waits[], int64_t down[],
                        struct sends *sends)
{
    const struct topology *tree = pipeline->tree;
    const bool is_leaf = place->node < tree->nodes,
               shares = tree->half_duplex && lanes_above(tree, place) == 1;
    uint32_t own = 0;
    for (uint32_t k = 0; k < above->count; k++)
        if (is_below(place, above->position[k])) {
            waits[own] = above->step[k];
            down[own] = (own > 0 ? MAX(waits[own], down[own - 1]) : waits[own]) + 1;
            own++;
        }
    sends->count = above->count - (is_leaf ? own : 0);
    struct filling filling = {.sends = sends,
                              .at = sends->count,
                              .first = place->begin,
                              .waits = waits,
                              .down = down,
                              .downs = is_leaf ? 0 : own,
                              .blocks = shares ? own : 0,
                              .step = INT64_MAX};
    for (uint32_t k = above->count; k-- > 0;) {
        if (is_below(place, above->position[k]))
            continue;
        filling.step = MIN(filling.step, above->step[k]) - 1;
        while (is_taken(&filling))
            filling.step--;
        put(&filling, filling.step, above->position[k]);
    }
    filling.step = INT64_MIN;
    put_down(&filling);
}

/* -- The schedule ------------------------------------------------------------------------------ */

static void add_move(struct pipeline *pipeline, int64_t step, uint32_t from, uint32_t to,
                     uint32_t position, uint32_t lane)
{
    pipeline->move[pipeline->moves++] =
        (struct move){step, {from, to, pipeline->leaf[position] + 1}, lane};
}

/* Lists the transfers on the branch above a place, in both directions. */
static void list_branch(struct pipeline *pipeline, const struct place *place,
                        const struct sends *above, const struct sends *sends)
{
    const struct topology *tree = pipeline->tree;
    const uint32_t down = tree->half_duplex && lanes_above(tree, place) > 1;
    for (uint32_t k = 0; k < above->count; k++)
        if (is_below(place, above->position[k]))
            add_move(pipeline, above->step[k], place->parent, place->node, above->position[k],
                     down);
    for (uint32_t k = 0; k < sends->count; k++)
        if (!is_below(place, sends->position[k]))
            add_move(pipeline, sends->step[k], place->node, place->parent, sends->position[k], 0);
}

/* Lists all transfers. O(transfers). */
static void list_moves(struct pipeline *pipeline)
{
    const uint32_t leaves = pipeline->leaves;
    for (uint32_t depth = 0; depth <= pipeline->deepest; depth++)
        pipeline->sends[depth] =
            (struct sends){.step = pipeline->step + (size_t)(depth + 2) * leaves,
                           .position = pipeline->position + (size_t)depth * leaves};
    struct sends *root = &pipeline->sends[0];
    for (root->count = 0; root->count < leaves; root->count++) {
        root->step[root->count] = root->count;
        root->position[root->count] = root->count;
    }
    for (const struct place *place = pipeline->place + 1;
         place < pipeline->place + pipeline->places; place++) {
        struct sends *sends = &pipeline->sends[place->depth];
        place_sends(pipeline, place, &sends[-1], pipeline->step, pipeline->step + leaves, sends);
        list_branch(pipeline, place, &sends[-1], sends);
    }
}

static int compare_moves(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    return compare_then(COMPARE(a->step, b->step),
                        compare_then(COMPARE(a->transfer.source, b->transfer.source),
                                     COMPARE(a->transfer.packet, b->transfer.packet)));
}

/* Appends all transfers; the first step becomes round 1. */
static bool append_moves(struct pipeline *pipeline, struct schedule *schedule, struct err *err)
{
    const struct move *move = pipeline->move;
    qsort(pipeline->move, pipeline->moves, sizeof *move, compare_moves);
    bool appended = true;
    for (size_t k = 0; appended && k < pipeline->moves; k++) {
        if (k == 0 || move[k].step != move[k - 1].step) {
            if (k > 0)
                schedule_close_step(schedule, 0);
            appended = schedule_open_step(schedule, (uint64_t)(move[k].step - move[0].step) + 1, 1,
                                          err) != NULL;
        }
        appended = appended && schedule_append_lane(schedule, move[k].transfer, move[k].lane, err);
    }
    if (appended)
        schedule_close_step(schedule, 0);
    return appended;
}

static void free_pipeline(struct pipeline *pipeline)
{
    free(pipeline->place);
    free(pipeline->leaf);
    free(pipeline->sends);
    free(pipeline->step);
    free(pipeline->position);
    free(pipeline->move);
}

/* Allocates the memory of a tree, and lays its places. E104. */
static bool open_pipeline(const struct topology *tree, struct pipeline *pipeline, struct err *err)
{
    const uint32_t root = tree_central_router(tree, false);
    *pipeline = (struct pipeline){.tree = tree,
                                  .place = malloc(tree->all * sizeof *pipeline->place),
                                  .leaf = malloc(tree->nodes * sizeof *pipeline->leaf)};
    if (pipeline->place != NULL && pipeline->leaf != NULL)
        lay(pipeline, root, root, 0);
    const size_t rows = (size_t)pipeline->deepest + 1;
    pipeline->sends = malloc(rows * sizeof *pipeline->sends);
    pipeline->step = malloc((rows + 2) * tree->nodes * sizeof *pipeline->step);
    pipeline->position = malloc(rows * tree->nodes * sizeof *pipeline->position);
    pipeline->move = malloc((size_t)tree->all * tree->nodes * sizeof *pipeline->move);
    if (pipeline->places > 0 && pipeline->sends != NULL && pipeline->step != NULL &&
        pipeline->position != NULL && pipeline->move != NULL)
        return true;
    free_pipeline(pipeline);
    return err_no_memory(err, "%" PRIu32 " packets at %" PRIu32 " nodes", tree->nodes, tree->all);
}

static bool pipelined_accepts(const struct collective *collective, struct err *err)
{
    static const char *const methods[] = {"", NULL};
    return tree_accepts_no_source("tree-pipelined-reduce-scatter", methods, collective, err);
}

/* With a half-duplex branch of one lane above level 1 a router has one free step before the packets
 * that it sends down, and needs two. */
static uint64_t pipelined_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    if (tree->any)
        return ALGORITHM_UNKNOWN;
    bool waits = false;
    for (unsigned level = 2; level <= tree->height; level++)
        waits = waits || (tree->half_duplex && tree->capacity[level] == 1);
    return tree->nodes + 2 * (uint64_t)tree->height - 1 + waits;
}

static bool pipelined_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    const struct topology *tree = collective->topology;
    const uint64_t transfers = (uint64_t)(tree->all - 1) * tree->nodes;
    struct pipeline pipeline;
    if (!schedule_check_size(transfers, err) || !open_pipeline(tree, &pipeline, err))
        return false;
    list_moves(&pipeline);
    const bool built =
        schedule_reserve(schedule, tree->nodes + 2 * pipeline.deepest + 1, pipeline.moves, err) &&
        append_moves(&pipeline, schedule, err);
    free_pipeline(&pipeline);
    return built;
}

const struct algorithm algorithm_tree_pipelined_reduce_scatter = {
    .name = "tree-pipelined-reduce-scatter",
    .summary = "tree: a packet for each leaf; a node sends one packet in a step; optimal "
               "single-port",
    .source = "ours: the root sends the packets one after another",
    .models = 1u << MODEL_SINGLE_PORT | 1u << MODEL_MULTIPORT,
    .topology = TOPOLOGY_TREE,
    .kind = COLLECTIVE_REDUCE_SCATTER,
    .usual_models = 1u << MODEL_SINGLE_PORT,
    .same_trees = SCHEDULE_MAX_PORTS,
    .accepts = pipelined_accepts,
    .end = pipelined_end,
    .build = pipelined_build,
};
