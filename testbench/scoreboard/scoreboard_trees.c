/* SPDX-License-Identifier: Apache-2.0 */
/* scoreboard_trees: the trees by which endpoints combine packets, from the arrivals of a run.
 *
 * An arrival that is observed joins the tree that its sender had when the row began, by the
 * schedule, to that of its receiver. Nodes of a hypercube and routers of a tree combine by port
 * (port_words.h). Routers show no arrivals: what the schedule sends to a router arrives. A receipt
 * that the schedule does not predict gives the receiver a tree that no schedule has.
 */
#include "sched/schedule/certificate.h"
#include "sched/schedule/partial_values.h"
#include "testbench/scoreboard/scoreboard_state.h"

#include <stdlib.h>

struct scoreboard_trees {
    struct partial_values trees; /* hashes */
    uint32_t unpredicted;        /* leaf of the next receipt that is not predicted */
};

bool scoreboard_trees_new(struct scoreboard *board, struct err *err)
{
    const struct schedule *schedule = board->schedule;
    if (!schedule->has_reductions)
        return true;
    board->trees = calloc(1, sizeof *board->trees);
    if (board->trees == NULL ||
        !partial_values_new(&board->trees->trees, schedule, machine_hops(board->machine),
                            certificate_leaf, certificate_add))
        return err_no_memory(err, "the trees of %zu packets at nodes",
                             (size_t)schedule->nodes * schedule->packets);
    board->trees->unpredicted = UINT32_MAX;
    return true;
}

void scoreboard_trees_free(struct scoreboard_trees *trees)
{
    if (trees == NULL)
        return;
    partial_values_free(&trees->trees);
    free(trees);
}

void scoreboard_trees_arrive(struct scoreboard *board, size_t step, const uint32_t *obs)
{
    const struct schedule *schedule = board->schedule;
    if (board->trees == NULL)
        return;
    partial_values_send(&board->trees->trees, step);
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++) {
        const uint32_t at = scoreboard_receiver(board, t);
        if (at == SCOREBOARD_NO_ENDPOINT ||
            (obs != NULL && obs[at] & MACHINE_VALID &&
             scoreboard_observed(board, obs[at]) == schedule->transfer[t].packet))
            partial_values_receive(&board->trees->trees, t);
    }
}

void scoreboard_trees_spoil(struct scoreboard *board, uint32_t endpoint, uint32_t packet)
{
    const uint32_t node = endpoint / board->schedule->topology.endpoints;
    if (board->trees == NULL || node >= board->schedule->nodes || packet > board->schedule->packets)
        return;
    partial_values_add(&board->trees->trees, node, packet,
                       certificate_leaf(board->trees->unpredicted--));
}

static uint64_t tree_of(const void *with, const struct demand *demand, uint32_t node,
                        uint32_t packet)
{
    return partial_values_result(with, demand, node, packet);
}

uint64_t scoreboard_trees_certificate(const struct scoreboard *board)
{
    return board->trees == NULL ? 0
                                : certificate_of(board->schedule, tree_of, &board->trees->trees);
}
