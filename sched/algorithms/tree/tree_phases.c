/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_phases.h"

/* Returns the number of steps from the start of phase `level` to the start of the next phase. */
static uint64_t steps_of(const struct tree_phases *phases, unsigned level)
{
    return phases->length[level] + (phases->apart ? 2 * (uint64_t)level - 1 : 0);
}

uint64_t tree_phases_end(const struct tree_phases *phases)
{
    unsigned height = phases->tree->height;
    uint64_t end = phases->apart ? 0 : 2 * (uint64_t)height - 1;
    for (unsigned level = 1; level <= height; level++)
        end += steps_of(phases, level);
    return end;
}

/* Appends the crossings of phase `level`, whose first step is `first`, in step `round`. */
static bool cross_phase(const struct tree_phases *phases, unsigned level, uint64_t first,
                        uint64_t round, struct schedule *schedule, struct err *err)
{
    for (unsigned hop = 0; hop < 2 * level; hop++) {
        if (round < first + hop || round - first - hop >= phases->length[level])
            continue;
        const struct tree_crossing crossing = tree_phases_crossing(level, round - first - hop, hop);
        if (!phases->cross(phases->tree, crossing, schedule, err))
            return false;
    }
    return true;
}

bool tree_phases_build(const struct tree_phases *phases, struct schedule *schedule, struct err *err)
{
    uint64_t end = tree_phases_end(phases);
    for (uint64_t round = 1; round <= end; round++) {
        if (schedule_open_step(schedule, round, 1, err) == NULL)
            return false;
        uint64_t first = 1;
        for (unsigned level = 1; level <= phases->tree->height; level++) {
            if (!cross_phase(phases, level, first, round, schedule, err))
                return false;
            first += steps_of(phases, level);
        }
        schedule_close_step(schedule, 0);
    }
    return true;
}
