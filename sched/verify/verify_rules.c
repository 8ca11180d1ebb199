/* SPDX-License-Identifier: Apache-2.0 */
/* verify_rules: the rules of models in which a node has several ports, of trees and of
 * hypercubes. */

#include "sched/verify/verify_rules.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- Several ports ------------------------------------------------------------------------ */

/* The rule of send-receive and postal for nodes with several ports: in a round, or within a unit of
 * time, a node sends at most as many packets as it has ports, and receives at most as many. */

/* The number of packets that a node sends, or receives, in the step of the stamp. In a model with
 * times a node has a ring of the stamps of its last packets, one for each port, and `count` is the
 * index of the oldest. */
struct uses {
    uint32_t stamp, count;
};

bool verify_ports_allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    size_t all = 2 * (size_t)schedule->topology.all;
    if (schedule->ports <= 1)
        return true;
    v->uses = calloc(all, sizeof *v->uses);
    if (!model_has_times(schedule->model))
        return v->uses != NULL;
    /* more ports than transfers are never needed */
    v->ring_size = (uint32_t)MIN(schedule->ports, schedule->transfer_count + 1);
    v->ring = calloc(all * v->ring_size, sizeof *v->ring);
    return v->uses != NULL && v->ring != NULL;
}

/* Counts one more packet. Returns false if no port is free for it. */
static bool count_use(struct verifier *v, struct uses *uses, uint32_t stamp)
{
    if (v->ring != NULL) {
        uint32_t *oldest = &v->ring[(size_t)(uses - v->uses) * v->ring_size + uses->count];
        bool is_free = *oldest < v->since;
        *oldest = stamp;
        uses->count = (uses->count + 1) % v->ring_size;
        return is_free;
    }
    if (uses->stamp != stamp)
        *uses = (struct uses){.stamp = stamp};
    return ++uses->count <= v->schedule->ports;
}

static void breach_ports(struct verifier *v, size_t index, uint32_t node, bool sends)
{
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_ONE_PORT,
                    "%s: node %" PRIu32 " %s packet %" PRIu32 " over no port; at most %" PRIu32
                    " %s",
                    verifier_time_of(v, index, time), node, sends ? "sends" : "receives",
                    v->schedule->transfer[index].packet, v->schedule->ports,
                    v->ring != NULL ? "at a time" : "per round");
}

void verify_ports_step(struct verifier *v, size_t k)
{
    const struct schedule *schedule = v->schedule;
    struct uses *sent = v->uses, *received = v->uses + schedule->topology.all;
    uint32_t stamp = (uint32_t)k + 1;
    for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k); index++) {
        struct transfer now = schedule->transfer[index];
        bool sends = count_use(v, &sent[now.source], stamp);
        bool receives = count_use(v, &received[now.destination], stamp);
        if (!verifier_has(v, index))
            verifier_breach_not_held(v, index);
        else if (verify_is_early(v, index, stamp))
            verify_control_breach(v, index, stamp);
        else if (!sends || !receives)
            breach_ports(v, index, sends ? now.destination : now.source, !sends);
    }
}

/* --- Trees -------------------------------------------------------------------------------- */

/* The rules of the single-port and multiport models in trees. */

/* Returns the index in v->lane of the first lane of a branch, for one direction: level by level,
 * branch by branch. */
static size_t lanes_before(const struct topology *tree, unsigned level, uint32_t lower)
{
    size_t before = 0;
    for (unsigned below = 1; below < level; below++)
        before += (size_t)(tree->nodes / tree->leaves[below - 1]) * tree->capacity[below];
    return before + (size_t)topology_index(tree, level - 1, lower) * tree->capacity[level];
}

static size_t all_lanes(const struct topology *tree)
{
    return lanes_before(tree, tree->height + 1, tree->all);
}

bool verify_tree_allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    const struct topology *tree = &schedule->topology;
    if (!topology_has_routers(tree) || (model_row(schedule->model)->one_link && !tree->half_duplex))
        return true;
    v->lane = calloc(2 * all_lanes(tree), sizeof *v->lane);
    return v->lane != NULL;
}

/* Returns the stamp of the lane that a transfer uses; lanes upwards come first. Half-duplex lanes
 * have one stamp for both directions. */
static uint32_t *lane_of(struct verifier *v, size_t index)
{
    const struct topology *tree = &v->schedule->topology;
    struct transfer now = v->schedule->transfer[index];
    bool up = now.source < now.destination;
    uint32_t lower = up ? now.source : now.destination;
    unsigned level = topology_branch(tree, now.source, now.destination);
    return &v->lane[(up || tree->half_duplex ? 0 : all_lanes(tree)) +
                    lanes_before(tree, level, lower) + schedule_lane(v->schedule, index)];
}

/* Returns whether two transfers use the same lanes of a branch. */
static bool use_same_lanes(const struct topology *tree, struct transfer one, struct transfer other)
{
    bool same = one.source == other.source && one.destination == other.destination;
    bool back = one.source == other.destination && one.destination == other.source;
    return same || (back && tree->half_duplex);
}

static void breach_lane(struct verifier *v, size_t index)
{
    const struct topology *tree = &v->schedule->topology;
    struct transfer now = v->schedule->transfer[index];
    uint32_t lane = schedule_lane(v->schedule, index);
    size_t before = index;
    do
        before--;
    while (!use_same_lanes(tree, v->schedule->transfer[before], now) ||
           schedule_lane(v->schedule, before) != lane);
    char time[SCHEDULE_TIME_TEXT], from[TOPOLOGY_NODE_TEXT], to[TOPOLOGY_NODE_TEXT];
    verifier_breach(v, index, ERR_LANE,
                    "%s: lane %" PRIu32 " %s %s %s %s carries packets %" PRIu32 " and %" PRIu32
                    "; at most 1 per round",
                    verifier_time_of(v, index, time), lane, tree->half_duplex ? "between" : "from",
                    topology_node_text(tree, now.source, from), tree->half_duplex ? "and" : "to",
                    topology_node_text(tree, now.destination, to),
                    v->schedule->transfer[before].packet, now.packet);
}

/* Stamps a lane or a port. Returns false if it is already used in this step. */
static bool take(uint32_t *taken, uint32_t stamp)
{
    bool is_free = *taken != stamp;
    *taken = stamp;
    return is_free;
}

static void check_lanes(struct verifier *v, size_t index, uint32_t stamp)
{
    struct transfer now = v->schedule->transfer[index];
    bool one_link = model_row(v->schedule->model)->one_link;
    bool lane = v->lane == NULL || take(lane_of(v, index), stamp);
    bool port = !one_link || take(&v->port[now.source].sent, stamp);
    if (!verifier_has(v, index))
        verifier_breach_not_held(v, index);
    else if (verify_is_early(v, index, stamp))
        verify_control_breach(v, index, stamp);
    else if (!port)
        verifier_breach_twice(v, index, now.source, true);
    else if (!lane)
        breach_lane(v, index);
}

void verify_tree_step(struct verifier *v, size_t k)
{
    size_t end = schedule_step_end(v->schedule, k);
    for (size_t index = v->schedule->step[k].first; index < end; index++)
        check_lanes(v, index, (uint32_t)k + 1);
}

/* --- Arcs --------------------------------------------------------------------------------- */

/* Rules of models in which a processor sends over all its links at once: each arc carries at most
 * one packet in a round. */

bool verify_arcs_allocate(struct verifier *v)
{
    const struct topology *topology = &v->schedule->topology;
    if (topology->arcs == 0)
        return true;
    v->arc = calloc((size_t)topology->nodes * topology->arcs, sizeof *v->arc);
    return v->arc != NULL;
}

static void breach_arc(struct verifier *v, size_t index)
{
    const struct topology *topology = &v->schedule->topology;
    const struct transfer *transfer = v->schedule->transfer, *now = &transfer[index];
    size_t before = index;
    do
        before--;
    while (transfer[before].source != now->source ||
           transfer[before].destination != now->destination);
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_LANE,
                    "%s: the arc from node %" PRIu32 " to node %" PRIu32
                    " over dimension %u carries packets %" PRIu32 " and %" PRIu32
                    "; at most 1 per round",
                    verifier_time_of(v, index, time), now->source, now->destination,
                    topology_row(topology)->dimension(topology, now->source, now->destination),
                    transfer[before].packet, now->packet);
}

static void check_arcs(struct verifier *v, size_t index, uint32_t stamp)
{
    struct transfer now = v->schedule->transfer[index];
    const struct topology *topology = &v->schedule->topology;
    uint32_t arc = topology_row(topology)->arc(topology, now.source, now.destination);
    uint32_t *taken = &v->arc[(size_t)now.source * topology->arcs + arc];
    if (!verifier_has(v, index))
        verifier_breach_not_held(v, index);
    else if (verify_is_early(v, index, stamp))
        verify_control_breach(v, index, stamp);
    else if (*taken == stamp)
        breach_arc(v, index);
    *taken = stamp;
}

void verify_arcs_step(struct verifier *v, size_t k)
{
    size_t end = schedule_step_end(v->schedule, k);
    for (size_t index = v->schedule->step[k].first; index < end; index++)
        check_arcs(v, index, (uint32_t)k + 1);
}
