/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/operations.h"

#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Operations of a node ----------------------------------------------------------------- */

/* Counts the operations of each node, then sorts them by node, in the order of the transfers. */
static void sort_operations(const struct schedule *schedule, struct operations *operations)
{
    size_t *first = operations->first;
    for (size_t index = 0; index < schedule->transfer_count; index++) {
        first[schedule->transfer[index].source]++;
        first[schedule->transfer[index].destination]++;
    }
    for (uint32_t node = 0; node < schedule->topology.all; node++)
        first[node + 1] += first[node];
    for (size_t index = schedule->transfer_count; index-- > 0;) {
        operations->operation[--first[schedule->transfer[index].source]] = 2 * index;
        operations->operation[--first[schedule->transfer[index].destination]] = 2 * index + 1;
    }
}

/* Finds the transfer that brought each packet: the node's first receipt of it. came[packet] is
 * valid for the node mark[packet]. */
static void find_needs(const struct schedule *schedule, struct operations *operations,
                       size_t came[], uint32_t mark[])
{
    for (uint32_t node = 0; node < schedule->topology.all; node++)
        for (size_t k = operations->first[node]; k < operations->first[node + 1]; k++) {
            size_t index = operations->operation[k] / 2;
            uint32_t packet = schedule->transfer[index].packet;
            if (schedule_demand_of(schedule, packet)->reduction != NULL) {
                operations->needs[index] = operations->came[index] = OPERATIONS_NONE;
                continue;
            }
            bool known = mark[packet] == node + 1;
            if (operations->operation[k] % 2 == 0) {
                operations->needs[index] = known ? came[packet] : OPERATIONS_NONE;
            } else {
                if (!known && schedule_demand_of(schedule, packet)->source != node) {
                    mark[packet] = node + 1;
                    came[packet] = index;
                }
                operations->came[index] = mark[packet] == node + 1 ? came[packet] : index;
            }
        }
}

/* Moves the sends of each round before its receipts, because a node sends what it had before. */
static void sort_rounds(const struct schedule *schedule, struct operations *operations,
                        size_t receipt[])
{
    for (uint32_t node = 0; node < schedule->topology.all; node++) {
        size_t *operation = operations->operation, end = operations->first[node + 1], next;
        for (size_t k = operations->first[node]; k < end; k = next) {
            size_t last = schedule_step_end(schedule, schedule_step_of(schedule, operation[k] / 2));
            size_t receipts = 0, put = k;
            for (next = k; next < end && operation[next] / 2 < last; next++)
                if (operation[next] % 2 == 1)
                    receipt[receipts++] = operation[next];
                else
                    operation[put++] = operation[next];
            memcpy(operation + put, receipt, receipts * sizeof *receipt);
        }
    }
}

bool operations_new(const struct schedule *schedule, struct operations *operations, struct err *err)
{
    size_t transfers = schedule->transfer_count, *came, *receipt;
    uint32_t *mark;
    const struct arena_array kept[] = {ARENA(operations->first, schedule->topology.all + (size_t)1),
                                       ARENA(operations->operation, 2 * transfers),
                                       ARENA(operations->needs, transfers),
                                       ARENA(operations->came, transfers)};
    const struct arena_array known[] = {
        ARENA(came, schedule->packets + (size_t)1), ARENA(mark, schedule->packets + (size_t)1),
        ARENA(receipt, schedule->has_reductions ? transfers + 1 : 1)};
    void *memory = arena_new(known, ARENA_COUNT(known));
    operations->memory = arena_new(kept, ARENA_COUNT(kept));
    bool made = operations->memory != NULL && memory != NULL;
    if (made) {
        sort_operations(schedule, operations);
        if (schedule->has_reductions)
            sort_rounds(schedule, operations, receipt);
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

/* Returns whether an ascending list has a node; an empty list has all. */
static bool has_node(const uint32_t list[], uint32_t count, uint32_t node)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return count == 0 || (low < count && list[low] == node);
}

bool demand_contributes(const struct demand *demand, uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    return reduction != NULL &&
           has_node(reduction->contributor, reduction->contributor_count, node);
}

bool demand_wants(const struct demand *demand, uint32_t node)
{
    if (demand->reduction != NULL && demand->reduction->prefix)
        return demand_contributes(demand, node);
    return has_node(demand->wanted, demand->wanted_count, node);
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

/* --- Rows of a rank ----------------------------------------------------------------------- */

#define NO_PLACE UINT32_MAX

static bool check(const struct schedule *schedule, struct err *err)
{
    if (topology_has_routers(&schedule->topology))
        return err_set(err, ERR_UNSUPPORTED,
                       "the schedule has routers between its nodes, and ranks of MPI have none; "
                       "expected a complete graph or a hypercube");
    if (schedule_data_packets(schedule) < schedule->packets)
        return err_set(
            err, ERR_UNSUPPORTED,
            "the schedule has packets of control, whose numbers its nodes have to count, "
            "and ranks only pass on bytes; expected packets of data");
    return true;
}

static uint32_t most_rows(const struct ranks *ranks)
{
    const size_t *first = ranks->operations.first;
    size_t most = 0;
    for (uint32_t node = 0; node < ranks->schedule->nodes; node++)
        most = first[node + 1] - first[node] > most ? first[node + 1] - first[node] : most;
    return most < INT32_MAX ? (uint32_t)most : INT32_MAX;
}

/* Checks that there are enough tags for the packets from one rank to another. */
static bool check_tags(struct ranks *ranks, struct err *err)
{
    const struct transfer *transfer = ranks->schedule->transfer;
    const size_t *first = ranks->operations.first, *operation = ranks->operations.operation;
    for (uint32_t rank = 0; rank < ranks->schedule->nodes; rank++) {
        for (size_t k = first[rank]; k < first[rank + 1]; k++)
            ranks->sent[transfer[operation[k] / 2].destination] = 0;
        for (size_t k = first[rank]; k < first[rank + 1]; k++) {
            uint32_t peer = transfer[operation[k] / 2].destination;
            if (operation[k] % 2 == 0 && ++ranks->sent[peer] > RANKS_TAGS)
                return err_set(err, ERR_TOO_BIG,
                               "more than %d packets between ranks %" PRIu32 " and %" PRIu32
                               ", which are all the tags that MPI promises; expected fewer",
                               RANKS_TAGS, rank, peer);
        }
    }
    return true;
}

bool ranks_new(const struct schedule *schedule, struct ranks *ranks, struct err *err)
{
    *ranks = (struct ranks){.schedule = schedule};
    if (!check(schedule, err) || !operations_new(schedule, &ranks->operations, err))
        return false;
    size_t rows = ranks->most_rows = most_rows(ranks), packets = schedule->packets + (size_t)1;
    const struct arena_array arrays[] = {ARENA(ranks->row, rows),
                                         ARENA(ranks->packet, rows + packets),
                                         ARENA(ranks->place_of, packets),
                                         ARENA(ranks->needs_of, packets),
                                         ARENA(ranks->sent, schedule->nodes),
                                         ARENA(ranks->received, schedule->nodes)};
    ranks->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (ranks->memory == NULL)
        err_no_memory(err, "%zu operations of a rank", rows);
    if (ranks->memory != NULL && check_tags(ranks, err))
        return true;
    ranks_free(ranks);
    return false;
}

void ranks_free(struct ranks *ranks)
{
    operations_free(&ranks->operations);
    free(ranks->memory);
    *ranks = (struct ranks){0};
}

/* Assigns places to the packets that the rank keeps. */
static void keep(struct ranks *ranks, uint32_t rank)
{
    const struct schedule *schedule = ranks->schedule;
    ranks->places = 0;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        bool starts = demand->source == rank, kept = starts || demand_wants(demand, rank);
        for (uint32_t p = demand->first_packet; p <= demand->last_packet; p++) {
            ranks->place_of[p] = kept ? ranks->places : NO_PLACE;
            ranks->needs_of[p] = starts ? RANKS_START : RANKS_RECEIPT;
            if (kept)
                ranks->packet[ranks->places++] = p;
        }
    }
    ranks->kept = ranks->places;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        ranks->sent[node] = ranks->received[node] = 0;
}

/* Returns the place of a receipt: the packet's place for its first receipt, a new one for later
 * receipts. */
static uint32_t receive(struct ranks *ranks, uint32_t packet)
{
    bool again = ranks->needs_of[packet] != RANKS_RECEIPT;
    uint32_t place = again ? NO_PLACE : ranks->place_of[packet];
    if (place == NO_PLACE) {
        place = ranks->places++;
        ranks->packet[place] = packet;
    }
    if (!again) {
        ranks->place_of[packet] = place;
        ranks->needs_of[packet] = ranks->rows;
    }
    return place;
}

void ranks_look(struct ranks *ranks, uint32_t rank)
{
    const struct operations *operations = &ranks->operations;
    uint32_t step = 0;
    keep(ranks, rank);
    ranks->rows = 0;
    for (size_t k = operations->first[rank]; k < operations->first[rank + 1]; k++) {
        size_t index = operations->operation[k] / 2;
        bool receives = operations->operation[k] % 2 == 1;
        const struct transfer *transfer = &ranks->schedule->transfer[index];
        uint32_t peer = receives ? transfer->source : transfer->destination;
        uint32_t tag = receives ? ranks->received[peer]++ : ranks->sent[peer]++;
        while (index >= schedule_step_end(ranks->schedule, step))
            step++;
        struct rank_row row = {step, peer, tag, 0, RANKS_RECEIPT};
        row.needs = receives ? RANKS_RECEIPT : ranks->needs_of[transfer->packet];
        row.place = receives ? receive(ranks, transfer->packet) : ranks->place_of[transfer->packet];
        ranks->row[ranks->rows++] = row;
    }
}
