/* SPDX-License-Identifier: Apache-2.0 */
/* postal_block: many packets, each along a tree of its own; nodes receive in every unit.
 *
 * The source sends packet p to one node in unit p - 1, and that node is the root of the packet's
 * tree over the n - 1 other nodes. All trees have the same shape, each is one unit later than the
 * previous tree, and the nodes take turns at its positions, so that every node receives a new
 * packet in every unit (block_tree.h). n = 5, λ = 2: nodes 1, 2 and 3 take turns at
 * the root, with offset 0, and at the leaves with offsets 2 and 4; node 4 is always at the leaf
 * with offset 3:
 *
 *     time     0        1        2        3        4        5        6        7
 *     p1       0→1               1→2      1→4      1→3
 *     p2                0→2               2→3      2→4      2→1
 *     p3                         0→3               3→1      3→4      3→2
 *     p4                                  0→1               1→2      1→4      1→3
 *
 * It ends at m - 1 + λ + the last offset of the tree. If the tree is as early as possible, that is
 * m - 1 + λ + f_λ(n-1), at most λ above the bound for every m. The search tries numbers of phases
 * and units of waiting in the order of their ends.
 *
 * Karp, Sahay, Santos and Schauser, "Optimal broadcast and summation in the LogP model", SPAA 1993
 * (block-cyclic schedules, integer λ). Phases and waiting are ours.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/block_tree.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <stdlib.h>

#define MAX_NODES 2048
#define MAX_WAITING 2 /* units beyond the last offset of the earliest tree */
#define ORDERS 128    /* orders of growth to try */
#define WAITS 4       /* choices of waiting positions to try in each order */
#define SHAPES (BLOCK_MAX_PHASES * (MAX_WAITING + 1))

struct shape {
    uint64_t last; /* last offset, in ticks */
    uint32_t phases, waiting;
};

struct block {
    struct block_tree tree;
    struct block_cycles cycles;
};

static int by_last(const void *left, const void *right)
{
    const struct shape *a = left, *b = right;
    return compare_then(COMPARE(a->last, b->last), compare_then(COMPARE(a->waiting, b->waiting),
                                                                COMPARE(a->phases, b->phases)));
}

/* Lists the shapes to try, the earliest first. Returns how many there are. */
static size_t list_shapes(struct block_tree *tree, struct shape shape[SHAPES])
{
    uint32_t most = MIN(BLOCK_MAX_PHASES, MIN(tree->lambda.denominator, tree->room));
    size_t count = 0;
    for (uint32_t phases = 1; phases <= most; phases++) {
        block_tree_grow(tree, phases, 0);
        uint64_t last = block_tree_last(tree);
        for (uint32_t waiting = 0; waiting <= MAX_WAITING; waiting++)
            shape[count++] = (struct shape){last + (uint64_t)waiting * tree->lambda.denominator,
                                            phases, waiting};
    }
    qsort(shape, count, sizeof *shape, by_last);
    return count;
}

/* Tries the orders of growth. The odd orders, which prefer positions with one child, are for
 * integer λ; for fractional λ they are of little use and take as long again. */
static bool try_shape(struct block *block, const struct shape *shape)
{
    const uint64_t stride = block->tree.lambda.denominator == 1 ? 1 : 2;
    for (uint64_t order = 0; order < ORDERS; order += stride) {
        block_tree_grow(&block->tree, shape->phases, order);
        if (shape->waiting == 0 && block_tree_is_possible(&block->tree) &&
            block_cycles_find(&block->cycles, order / 2))
            return true;
        for (uint64_t seed = 0; seed < WAITS; seed++) {
            block_tree_grow(&block->tree, shape->phases, order);
            if (block_tree_wait(&block->tree, shape->waiting, WAITS * (order / 2) + seed) &&
                block_cycles_find(&block->cycles, order / 2))
                return true;
        }
    }
    return false;
}

/* Finds a tree and its cycles; if no other tree has cycles, a path, whose cycles are single nodes.
 * E104. */
static bool find(const struct collective *collective, struct block *block, struct err *err)
{
    struct shape shape[SHAPES];
    *block = (struct block){0};
    if (!block_tree_init(&block->tree, collective->n - 1, collective->lambda, err))
        return false;
    if (!block_cycles_init(&block->cycles, &block->tree, err)) {
        block_tree_free(&block->tree);
        return false;
    }
    size_t count = list_shapes(&block->tree, shape);
    for (size_t which = 0; which < count; which++)
        if (try_shape(block, &shape[which]))
            return true;
    block_tree_path(&block->tree);
    return block_cycles_find(&block->cycles, 0);
}

static void discard(struct block *block)
{
    block_cycles_free(&block->cycles);
    block_tree_free(&block->tree);
}

static uint64_t block_end(const struct collective *collective)
{
    struct block block;
    const struct rational lambda = collective->lambda;
    if (!find(collective, &block, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t last = block_tree_last(&block.tree);
    discard(&block);
    return (collective->m - UINT64_C(1)) * lambda.denominator + last + lambda.numerator;
}

/* Returns the node that receives packet p, counted from 0, at a position. */
static uint32_t node_at(const struct block_position *position, uint64_t p)
{
    return position->first + (uint32_t)((position->base + p) % position->period);
}

/* The positions that are sent to at one fraction of a unit, by ascending offset. */
struct phase {
    uint64_t tick; /* tick within the unit */
    uint32_t begin, end;
};

/* Appends the sends to the positions of a phase in a unit. E104. */
static bool send(const struct block_tree *tree, const struct phase *phase, uint64_t unit,
                 struct schedule *schedule, struct err *err)
{
    const struct block_position *position = tree->position;
    uint64_t time = unit * tree->lambda.denominator + phase->tick;
    bool sent = schedule_open_step(schedule, time, 1, err) != NULL;
    for (uint32_t which = phase->begin; sent && which < phase->end; which++) {
        const struct block_position *to = &position[tree->list[which]];
        uint64_t units = to->offset / tree->lambda.denominator, p = unit - units;
        if (units > unit)
            break;
        if (p >= schedule->packets)
            continue;
        uint32_t from = to->parent == BLOCK_NONE ? 0 : node_at(&position[to->parent], p);
        sent = schedule_append(schedule, (struct transfer){from, node_at(to, p), (uint32_t)p + 1},
                               err);
    }
    if (sent)
        schedule_close_step(schedule, 0);
    return sent;
}

/* Lists the positions phase by phase, and sorts the phases by their fractions of a unit. */
static void list_phases(struct block_tree *tree, struct phase phase[])
{
    uint32_t listed = 0;
    for (uint32_t which = 0; which < tree->phases; which++) {
        struct phase next = {.begin = listed};
        for (uint32_t v = 0; v < tree->count; v++)
            if (tree->position[v].phase == which)
                tree->list[listed++] = v;
        next.tick = tree->position[tree->list[next.begin]].offset % tree->lambda.denominator;
        next.end = listed;
        for (uint32_t at = next.begin + 1; at < listed; at++) { /* waiting disturbs the order */
            uint32_t moved = tree->list[at], place = at;
            for (; place > next.begin &&
                   tree->position[tree->list[place - 1]].offset > tree->position[moved].offset;
                 place--)
                tree->list[place] = tree->list[place - 1];
            tree->list[place] = moved;
        }
        uint32_t place = which;
        for (; place > 0 && phase[place - 1].tick > next.tick; place--)
            phase[place] = phase[place - 1];
        phase[place] = next;
    }
}

static bool block_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    struct block block;
    struct phase phase[BLOCK_MAX_PHASES];
    size_t transfers = (size_t)(collective->n - 1) * collective->m;
    /* Room for one more, because a step is opened with room for one. */
    if (!schedule_reserve(schedule, 0, transfers + 1, err) || !find(collective, &block, err))
        return false;
    struct block_tree *tree = &block.tree;
    list_phases(tree, phase);
    bool built = true;
    for (uint64_t unit = 0; built && schedule->transfer_count < transfers; unit++)
        for (uint32_t which = 0;
             built && which < tree->phases && schedule->transfer_count < transfers; which++)
            built = send(tree, &phase[which], unit, schedule, err);
    discard(&block);
    return built;
}

static bool block_accepts(const struct collective *collective, struct err *err)
{
    if (collective->n > MAX_NODES)
        return err_set(err, ERR_ALGORITHM,
                       "postal-block searches for turns of %u nodes; expected at most %d nodes",
                       collective->n, MAX_NODES);
    return true;
}

const struct algorithm algorithm_postal_block = {
    .name = "postal-block",
    .summary = "near the bound for many packets: nodes take turns at the positions of one tree",
    .source = "Karp, Sahay, Santos, Schauser 1993",
    .models = 1u << MODEL_POSTAL,
    .accepts = block_accepts,
    .end = block_end,
    .build = block_build,
};
