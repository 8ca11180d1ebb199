/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/operations.h"

#include "sched/base/arena.h"

#include <stdlib.h>

/* Count what each node does, then put it in its place: ascending, as transfers are. */
static void sort_operations(const struct schedule *schedule, struct operations *operations)
{
    size_t *first = operations->first;
    for (size_t index = 0; index < schedule->transfer_count; index++) {
        first[schedule->transfer[index].source]++;
        first[schedule->transfer[index].destination]++;
    }
    for (uint32_t node = 0; node < schedule->nodes; node++)
        first[node + 1] += first[node];
    for (size_t index = schedule->transfer_count; index-- > 0;) {
        operations->operation[--first[schedule->transfer[index].source]] = 2 * index;
        operations->operation[--first[schedule->transfer[index].destination]] = 2 * index + 1;
    }
}

/* What a node sends came by its first receipt: came[packet] is that, for the node of `mark`. */
static void find_needs(const struct schedule *schedule, struct operations *operations,
                       size_t came[], uint32_t mark[])
{
    for (uint32_t node = 0; node < schedule->nodes; node++)
        for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
            size_t index = operations->operation[k] / 2;
            uint32_t packet = schedule->transfer[index].packet;
            bool known = mark[packet] == node + 1;
            if (operations->operation[k] % 2 == 0) {
                operations->needs[index] = known ? came[packet] : OPERATIONS_NONE;
            } else if (!known && schedule_demand_of(schedule, packet)->source != node) {
                mark[packet] = node + 1;
                came[packet] = index;
            }
        }
}

bool operations_new(const struct schedule *schedule, struct operations *operations, struct err *err)
{
    size_t transfers = schedule->transfer_count, *came;
    uint32_t *mark;
    const struct arena_array kept[] = {ARENA(operations->first, schedule->nodes + (size_t)1),
                                       ARENA(operations->operation, 2 * transfers),
                                       ARENA(operations->needs, transfers)};
    const struct arena_array known[] = {ARENA(came, schedule->packets + (size_t)1),
                                        ARENA(mark, schedule->packets + (size_t)1)};
    void *memory = arena_new(known, ARENA_COUNT(known));
    operations->memory = arena_new(kept, ARENA_COUNT(kept));
    bool made = operations->memory != NULL && memory != NULL;
    if (made) {
        sort_operations(schedule, operations);
        find_needs(schedule, operations, came, mark);
    } else {
        operations_free(operations);
        err_no_memory(err, "the operations of %zu transfers", transfers);
    }
    free(memory);
    return made;
}

void operations_free(struct operations *operations)
{
    free(operations->memory);
    *operations = (struct operations){0};
}

bool demand_wants(const struct demand *demand, uint32_t node)
{
    uint32_t low = 0, high = demand->wanted_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (demand->wanted[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return demand->wanted_count == 0 || (low < demand->wanted_count && demand->wanted[low] == node);
}

char operations_buffer(const struct schedule *schedule, uint32_t node, uint32_t packet)
{
    const struct demand *demand = schedule_demand_of(schedule, packet);
    if (demand->source == node)
        return 'i';
    return demand_wants(demand, node) ? 'o' : 's';
}

bool operations_pass_on(const struct schedule *schedule, const struct operations *operations,
                        uint32_t node)
{
    bool found = false;
    for (size_t k = operations->first[node]; !found && k < operations->first[node + 1]; k++)
        found = operations_buffer(schedule, node,
                                  schedule->transfer[operations->operation[k] / 2].packet) == 's';
    return found;
}
