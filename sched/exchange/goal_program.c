/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/goal_program.h"

#include "sched/base/memory.h"

#include <stdlib.h>

bool goal_add_operation(struct goal *goal, const struct goal_operation *operation, struct err *err)
{
    struct goal_operation *larger =
        memory_grow(goal->operation, goal->operations + 1, &goal->operation_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu operations", goal->operations);
    goal->operation = larger;
    larger += goal->operations++;
    *larger = *operation;
    larger->edge = larger->partner = larger->from = GOAL_NONE;
    return true;
}

bool goal_add_edge(struct goal *goal, size_t operation, size_t before, bool immediate,
                   struct err *err)
{
    struct goal_edge *larger =
        memory_grow(goal->edge, goal->edges + 1, &goal->edge_room, sizeof *larger);
    if (larger == NULL)
        return err_no_memory(err, "%zu requirements", goal->edges);
    goal->edge = larger;
    larger[goal->edges] = (struct goal_edge){operation, goal->operation[before].edge, immediate};
    goal->operation[before].edge = goal->edges++;
    goal->operation[operation].missing++;
    return true;
}

void goal_free(struct goal *goal)
{
    free(goal->operation);
    free(goal->edge);
    *goal = (struct goal){0};
}
