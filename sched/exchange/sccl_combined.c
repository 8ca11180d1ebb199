/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/sccl.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct checker {
    const struct schedule *schedule;
    size_t words;       /* of a set of nodes */
    size_t *by_packet;  /* [transfers]: indices, by packet, then index */
    uint64_t *has, *to; /* [nodes · words]: the contributions that nodes have; after the step */
};

/* Sorts the transfers by packet. Returns in end[packet] one past its last transfer. */
static void sort_transfers(const struct checker *checker, size_t end[])
{
    const struct schedule *schedule = checker->schedule;
    for (size_t k = 0; k < schedule->transfer_count; k++)
        end[schedule->transfer[k].packet]++;
    for (uint32_t packet = 1; packet <= schedule->packets; packet++)
        end[packet] += end[packet - 1];
    for (size_t k = schedule->transfer_count; k-- > 0;)
        checker->by_packet[--end[schedule->transfer[k].packet]] = k;
    for (uint32_t packet = 0; packet < schedule->packets; packet++)
        end[packet] = end[packet + 1];
    end[schedule->packets] = schedule->transfer_count;
}

static bool wrong(const struct checker *checker, size_t index, const char *what, struct err *err)
{
    const struct transfer *transfer = &checker->schedule->transfer[index];
    return err_set(err, ERR_UNSUPPORTED,
                   "sccl: node %" PRIu32 " sends packet %" PRIu32 " to node %" PRIu32
                   ", %s; expected transfers that add all that the sender has",
                   transfer->source, transfer->packet, transfer->destination, what);
}

/* Follows a transfer of a packet: adds what the sender has to what the receiver has. */
static bool follow(const struct checker *checker, size_t index, struct err *err)
{
    const struct transfer *transfer = &checker->schedule->transfer[index];
    const uint64_t *from = checker->has + transfer->source * checker->words;
    uint64_t *to = checker->to + transfer->destination * checker->words;
    unsigned combining = schedule_combining(checker->schedule, index);
    uint64_t lost = 0;
    for (size_t word = 0; word < checker->words; word++) {
        lost |= to[word] & ~from[word];
        to[word] |= from[word];
    }
    if (combining & COMBINING_RECEIVED)
        return wrong(checker, index, "without its own contribution", err);
    return !(combining & COMBINING_REPLACE) || lost == 0 ||
           wrong(checker, index, "which replaces contributions that it does not contain", err);
}

static bool check_packet(const struct checker *checker, const struct demand *demand,
                         const size_t index[], size_t count, struct err *err)
{
    const struct schedule *schedule = checker->schedule;
    size_t bytes = schedule->nodes * checker->words * sizeof *checker->has;
    memset(checker->has, 0, bytes);
    for (uint32_t node = 0; node < schedule->nodes; node++)
        if (demand_contributes(demand, node))
            checker->has[node * checker->words + node / 64] = UINT64_C(1) << node % 64;
    memcpy(checker->to, checker->has, bytes);
    bool right = true;
    for (size_t k = 0, first = 0; right && k < count; k++) {
        right = follow(checker, index[k], err);
        bool last = k + 1 == count || schedule_step_of(schedule, index[k]) !=
                                          schedule_step_of(schedule, index[k + 1]);
        for (; last && first <= k; first++) {
            size_t at = schedule->transfer[index[first]].destination * checker->words;
            memcpy(checker->has + at, checker->to + at, checker->words * sizeof *checker->to);
        }
    }
    return right;
}

bool sccl_check_combined(const struct schedule *schedule, struct err *err)
{
    struct checker checker = {.schedule = schedule, .words = (schedule->nodes + (size_t)63) / 64};
    size_t *end, sets = schedule->nodes * checker.words;
    const struct arena_array arrays[] = {ARENA(checker.by_packet, schedule->transfer_count + 1),
                                         ARENA(checker.has, sets), ARENA(checker.to, sets),
                                         ARENA(end, schedule->packets + (size_t)1)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the contributions of %" PRIu32 " nodes", schedule->nodes);
    sort_transfers(&checker, end);
    bool right = true;
    for (uint32_t packet = 1; right && packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(schedule, packet);
        if (demand->reduction != NULL)
            right = check_packet(&checker, demand, checker.by_packet + end[packet - 1],
                                 end[packet] - end[packet - 1], err);
    }
    free(memory);
    return right;
}
