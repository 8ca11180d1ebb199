/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_trees: the trees by which endpoints combine packets, from the arrivals of a run.
 *
 * An arrival that is observed joins the tree that its sender had when the row began, by the
 * schedule, to that of its receiver. A receipt that the schedule does not predict gives the
 * receiver a tree that no schedule has.
 */
#include "sched/machine/machine_address.h"
#include "sched/schedule/certificate.h"
#include "testbench/scoreboard/scoreboard_state.h"

#include <stdlib.h>

struct scoreboard_trees {
    uint64_t *all, *received; /* [pairs]: with and without the node's own contribution; 0: none */
    uint64_t *sent;           /* [transfers] */
    size_t sending;           /* the next step whose senders are read */
    uint64_t unpredicted;     /* leaf of the next receipt that is not predicted */
};

bool scoreboard_trees_new(struct scoreboard *board, struct err *err)
{
    const struct schedule *schedule = board->schedule;
    const size_t pairs = (size_t)schedule->nodes * schedule->packets;
    struct scoreboard_trees *trees;
    if (!schedule->has_reductions || machine_hops(board->machine))
        return true; /* routers show no arrivals */
    trees = calloc(1, sizeof *trees);
    if (trees != NULL) {
        trees->all = calloc(pairs, sizeof *trees->all);
        trees->received = calloc(pairs, sizeof *trees->received);
        trees->sent = calloc(schedule->transfer_count + 1, sizeof *trees->sent);
        trees->unpredicted = UINT32_MAX;
    }
    board->trees = trees;
    if (trees == NULL || trees->all == NULL || trees->received == NULL || trees->sent == NULL)
        return err_no_memory(err, "the trees of %zu packets at nodes", pairs);
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t k = 0; k < schedule_starts(schedule, demand); k++) {
                const uint32_t node = schedule_start(demand, k);
                trees->all[scoreboard_pair(board, node, packet)] = certificate_leaf(node);
            }
    }
    return true;
}

void scoreboard_trees_free(struct scoreboard_trees *trees)
{
    if (trees == NULL)
        return;
    free(trees->all);
    free(trees->received);
    free(trees->sent);
    free(trees);
}

/* Reads the trees of the senders of all steps before a row. */
static void send_before(const struct scoreboard *board, uint64_t row)
{
    const struct schedule *schedule = board->schedule;
    struct scoreboard_trees *trees = board->trees;
    for (; trees->sending < schedule->step_count && schedule_row(schedule, trees->sending) < row;
         trees->sending++)
        for (size_t t = schedule->step[trees->sending].first;
             t < schedule_step_end(schedule, trees->sending); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const size_t at = scoreboard_pair(board, transfer->source, transfer->packet);
            const bool received = schedule_combining(schedule, t) & COMBINING_RECEIVED;
            trees->sent[t] = received ? trees->received[at] : trees->all[at];
        }
}

void scoreboard_trees_arrive(struct scoreboard *board, size_t step, const uint32_t *obs)
{
    const struct schedule *schedule = board->schedule;
    struct scoreboard_trees *trees = board->trees;
    if (trees == NULL)
        return;
    send_before(board, schedule_row(schedule, step) + schedule->lambda.numerator);
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        const size_t at = scoreboard_pair(board, transfer->destination, transfer->packet);
        if (obs == NULL || !(obs[transfer->destination] & MACHINE_VALID) ||
            scoreboard_observed(board, obs[transfer->destination]) != transfer->packet)
            continue;
        if (schedule_combining(schedule, t) & COMBINING_REPLACE) {
            trees->all[at] = trees->received[at] = trees->sent[t];
        } else {
            certificate_add(&trees->all[at], trees->sent[t]);
            certificate_add(&trees->received[at], trees->sent[t]);
        }
    }
}

void scoreboard_trees_spoil(struct scoreboard *board, uint32_t node, uint32_t packet)
{
    if (board->trees == NULL || node >= board->schedule->nodes || packet < 1 ||
        packet > board->schedule->packets)
        return;
    const uint64_t leaf = certificate_leaf((uint32_t)board->trees->unpredicted--);
    const size_t at = scoreboard_pair(board, node, packet);
    certificate_add(&board->trees->all[at], leaf);
    certificate_add(&board->trees->received[at], leaf);
}

uint64_t scoreboard_trees_certificate(const struct scoreboard *board)
{
    const struct schedule *schedule = board->schedule;
    struct certificate certificate = {0};
    if (board->trees == NULL)
        return 0;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (demand->reduction == NULL)
            continue;
        const uint64_t *tree =
            demand->reduction->exclusive ? board->trees->received : board->trees->all;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            for (uint32_t k = 0; k < schedule_wanters(schedule, demand); k++)
                certificate_result(
                    &certificate, tree[scoreboard_pair(board, schedule_wanter(demand, k), packet)]);
            certificate_packets(&certificate, demand, 1);
        }
    }
    return certificate_end(&certificate);
}
