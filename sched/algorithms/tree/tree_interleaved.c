/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_interleaved.h"

#include "sched/algorithms/tree/tree_phases.h"
#include "sched/schedule/collective.h"

#include <stdlib.h>

bool tree_interleaved_applies(const struct topology *tree)
{
    bool wide = !tree->any && tree->capacity[1] == 1;
    for (unsigned level = 2; level <= tree->height; level++)
        wide = wide && tree->capacity[level] >= tree->leaves[level - 1];
    return wide;
}

/* Returns whether blocks fill the n/2 odd steps 1 … n - 1. */
static bool has_blocks(const struct topology *tree)
{
    uint64_t rows = 0;
    for (unsigned level = 1; level < tree->height; level++)
        rows += tree->leaves[level] - 1;
    return tree->nodes % 2 == 0 && rows >= tree->nodes / 2;
}

uint64_t tree_interleaved_end(const struct topology *tree)
{
    return tree->nodes + 2 * (uint64_t)tree->height - 2 - has_blocks(tree);
}

/* The distances by level, as they are taken: those of level c are N_{c-1} … N_c - 1. */
struct distances {
    uint32_t next[TOPOLOGY_MAX_HEIGHT + 1];
    uint32_t *sent_in; /* [step]: distance of the packets that leaves send in a step, from 1 */
};

/* Fills the odd steps with blocks, long ones first. A level has a packet at least, and a block of
 * every length 1 … h - 1 exists, so that no step remains. */
static void fill_odd_steps(const struct topology *tree, struct distances *distances)
{
    const unsigned h = tree->height;
    uint32_t left = tree->nodes / 2, step = 1;
    for (unsigned level = 1; level < h; level++)
        for (; h - level <= left && distances->next[level] < tree->leaves[level];
             left -= h - level) {
            for (unsigned far = level + 1; far < h; far++, step += 2)
                distances->sent_in[step] = distances->next[h]++;
            distances->sent_in[step] = distances->next[level]++;
            step += 2;
        }
}

/* Fills the steps first, first + stride, … with the remaining packets, the nearest first. */
static void fill_steps(const struct topology *tree, struct distances *distances, uint32_t first,
                       uint32_t stride)
{
    uint32_t step = first;
    for (unsigned level = 1; level <= tree->height; level++)
        for (; distances->next[level] < tree->leaves[level]; step += stride)
            distances->sent_in[step] = distances->next[level]++;
}

/* Returns the level at which the packets of a distance turn. */
static unsigned level_of(const struct topology *tree, uint32_t distance)
{
    return topology_meet(tree, 0, distance);
}

/* Appends hop `hop`, from 0, of the packets of a distance, one from each leaf. The packets that
 * cross a branch together have different leaves below it, which number their lanes. */
static bool append_hop(const struct topology *tree, uint32_t distance, unsigned hop,
                       struct schedule *schedule, struct err *err)
{
    const struct tree_crossing crossing =
        tree_phases_crossing(level_of(tree, distance), distance, hop);
    for (uint32_t from = 0; from < tree->nodes; from++) {
        uint32_t to = topology_move(tree, from, distance), leaf = crossing.up ? from : to;
        uint32_t packet = collective_packet(COLLECTIVE_TOTAL_EXCHANGE, tree->nodes, from, to);
        if (!tree_phases_append(schedule, crossing, leaf, packet,
                                leaf % tree->leaves[crossing.branch - 1], err))
            return false;
    }
    return true;
}

static bool append_steps(const struct topology *tree, const uint32_t sent_in[],
                         struct schedule *schedule, struct err *err)
{
    for (uint64_t step = 1, end = tree_interleaved_end(tree); step <= end; step++) {
        if (schedule_open_step(schedule, step, 1, err) == NULL)
            return false;
        for (unsigned hop = 0; hop < 2 * tree->height && hop < step; hop++) {
            uint32_t distance = step - hop < tree->nodes ? sent_in[step - hop] : 0;
            if (distance != 0 && hop < 2 * level_of(tree, distance) &&
                !append_hop(tree, distance, hop, schedule, err))
                return false;
        }
        schedule_close_step(schedule, 0);
    }
    return true;
}

bool tree_interleaved_build(const struct topology *tree, struct schedule *schedule, struct err *err)
{
    struct distances distances = {.sent_in = calloc(tree->nodes, sizeof *distances.sent_in)};
    if (distances.sent_in == NULL)
        return err_no_memory(err, "the order of %u packets", tree->nodes);
    for (unsigned level = 1; level <= tree->height; level++)
        distances.next[level] = tree->leaves[level - 1];
    if (has_blocks(tree)) {
        fill_odd_steps(tree, &distances);
        fill_steps(tree, &distances, 2, 2);
    } else {
        fill_steps(tree, &distances, 1, 1);
    }
    bool built = append_steps(tree, distances.sent_in, schedule, err);
    free(distances.sent_in);
    return built;
}
