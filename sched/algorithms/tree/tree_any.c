/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/tree/tree_any.h"

#include "sched/algorithms/placement.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The tree, rooted at a node. */
struct hanging {
    uint32_t from[TOPOLOGY_MAX_PARENTS];     /* parent in this tree; for the root itself */
    uint32_t distance[TOPOLOGY_MAX_PARENTS]; /* links from the root */
    uint32_t order[TOPOLOGY_MAX_PARENTS];    /* all nodes, by distance */
    bool leads[TOPOLOGY_MAX_PARENTS];        /* the node is a leaf, or one hangs from it */
};

static void hang(const struct topology *tree, uint32_t first, struct hanging *hanging)
{
    uint32_t count = 0;
    hanging->from[first] = first;
    hanging->distance[first] = 0;
    hanging->order[count++] = first;
    for (uint32_t which = 0; which < count; which++) {
        uint32_t node = hanging->order[which];
        for (uint32_t next = 0; next < tree->all; next++)
            if (next != hanging->from[node] && topology_branch(tree, node, next) != 0) {
                hanging->from[next] = node;
                hanging->distance[next] = hanging->distance[node] + 1;
                hanging->order[count++] = next;
            }
    }
    for (uint32_t node = 0; node < tree->all; node++)
        hanging->leads[node] = node < tree->nodes;
    while (count-- > 1)
        if (hanging->leads[hanging->order[count]])
            hanging->leads[hanging->from[hanging->order[count]]] = true;
}

/* -- Broadcast --------------------------------------------------------------------------------- */

struct child {
    uint32_t node;
    uint64_t steps; /* steps of its own broadcast */
};

static int compare_steps(const void *left, const void *right)
{
    const struct child *a = left, *b = right;
    return compare_then(COMPARE(b->steps, a->steps), COMPARE(a->node, b->node));
}

/* Appends the sends of a node and of the nodes below it: first to the child whose broadcast takes
 * longest. */
static bool spread(const struct topology *tree, uint32_t node, uint32_t from,
                   struct schedule *schedule, struct err *err)
{
    struct child child[TOPOLOGY_MAX_PARENTS];
    uint32_t count = 0;
    bool one_link = model_row(schedule->model)->one_link, appended = true;
    for (uint32_t next = 0; next < tree->all; next++)
        if (next != from && topology_branch(tree, node, next) != 0) {
            child[count] = (struct child){next, bound_any_hanging(tree, next, node, one_link)};
            count += child[count].steps != BOUND_NO_LEAF;
        }
    qsort(child, count, sizeof *child, compare_steps);
    for (uint32_t k = 0; appended && k < count; k++)
        appended =
            schedule_append_lane(schedule, (struct transfer){node, child[k].node, 1}, 0, err);
    for (uint32_t k = 0; appended && k < count; k++)
        appended = spread(tree, child[k].node, node, schedule, err);
    return appended;
}

uint32_t tree_any_most_copies(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    uint32_t copies[TOPOLOGY_MAX_PARENTS] = {0}, most = 1;
    struct hanging hanging;
    hang(tree, collective->source, &hanging);
    for (uint32_t which = 1; which < tree->all; which++) {
        const uint32_t node = hanging.order[which], from = hanging.from[node];
        copies[from] += hanging.leads[node];
        most = MAX(most, copies[from]);
    }
    return most;
}

/* -- Packets for one leaf each ----------------------------------------------------------------- */

struct packet {
    uint32_t number, from, to, distance;
};

static int compare_packets(const void *left, const void *right)
{
    const struct packet *a = left, *b = right;
    return compare_then(COMPARE(b->distance, a->distance), COMPARE(a->number, b->number));
}

/* Appends the path of a packet in the tree rooted at its source. */
static bool append_path(const struct hanging *hanging, const struct packet *packet,
                        struct schedule *schedule, struct err *err)
{
    uint32_t path[TOPOLOGY_MAX_PARENTS], count = 0;
    for (uint32_t node = packet->to; node != packet->from; node = hanging->from[node])
        path[count++] = node;
    bool appended = true;
    for (uint32_t before = packet->from; appended && count-- > 0; before = path[count])
        appended = schedule_append_lane(
            schedule, (struct transfer){before, path[count], packet->number}, 0, err);
    return appended;
}

/* Lists the packets of a scatter or gather, which have the same numbers, or of a total exchange,
 * the longest path first. Returns how many there are. */
static uint32_t list_packets(const struct collective *collective, struct packet *packet)
{
    const struct topology *tree = collective->topology;
    uint32_t count = 0, n = tree->nodes, source = collective->source;
    bool exchange = !collective_rows[collective->kind].rooted;
    struct hanging hanging;
    for (uint32_t from = exchange ? 0 : source; from < (exchange ? n : source + 1); from++) {
        hang(tree, from, &hanging);
        for (uint32_t to = 0; to < n; to++) {
            uint32_t number = exchange      ? collective_packet(collective->kind, n, from, to)
                              : source >= n ? to + 1
                                            : (to + n - source) % n;
            if (to != from)
                packet[count++] = (struct packet){number, from, to, hanging.distance[to]};
        }
    }
    qsort(packet, count, sizeof *packet, compare_packets);
    return count;
}

static bool append_paths(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    const struct topology *tree = collective->topology;
    size_t n = tree->nodes;
    struct packet *packet = malloc(n * n * sizeof *packet);
    struct hanging *hanging = calloc(tree->all, sizeof *hanging);
    bool appended = packet != NULL && hanging != NULL;
    for (uint32_t node = 0; appended && node < tree->all; node++)
        hang(tree, node, &hanging[node]);
    if (!appended)
        err_no_memory(err, "the paths of %u nodes", tree->all);
    uint32_t count = appended ? list_packets(collective, packet) : 0;
    for (uint32_t k = 0; appended && k < count; k++)
        appended = append_path(&hanging[packet[k].from], &packet[k], schedule, err);
    free(packet);
    free(hanging);
    return appended;
}

/* -- All-gather -------------------------------------------------------------------------------- */

/* Appends the crossings of the branches at distance 1 from the packets' leaves, then those at
 * distance 2, and so on. */
static bool append_floods(const struct topology *tree, struct schedule *schedule, struct err *err)
{
    struct hanging *hanging = calloc(tree->nodes, sizeof *hanging);
    bool appended = hanging != NULL || err_no_memory(err, "%u leaves", tree->nodes);
    for (uint32_t leaf = 0; appended && leaf < tree->nodes; leaf++)
        hang(tree, leaf, &hanging[leaf]);
    for (uint32_t distance = 1; appended && distance < tree->all; distance++)
        for (uint32_t leaf = 0; appended && leaf < tree->nodes; leaf++)
            for (uint32_t k = 0; appended && k < tree->all; k++) {
                uint32_t node = hanging[leaf].order[k];
                if (hanging[leaf].distance[node] == distance && hanging[leaf].leads[node])
                    appended = schedule_append_lane(
                        schedule, (struct transfer){hanging[leaf].from[node], node, leaf + 1}, 0,
                        err);
            }
    free(hanging);
    return appended;
}

/* -- All collectives --------------------------------------------------------------------------- */

uint64_t tree_any_end(const struct collective *collective)
{
    const struct topology *tree = collective->topology;
    const struct collective_row *row = &collective_rows[collective->kind];
    if (row->rooted && row->to_all)
        return bound_any_hanging(tree, collective->source, collective->source,
                                 model_row(collective->model)->one_link);
    if (row->rooted)
        return bound_any_scatter(collective);
    return ALGORITHM_UNKNOWN;
}

/* Replaces a schedule by the same schedule reversed in time. E104. */
static bool reverse(struct schedule *schedule, struct err *err)
{
    struct schedule forward = *schedule;
    bool reversed = true;
    uint64_t end = schedule->end;
    schedule->step = NULL;
    schedule->transfer = NULL;
    schedule->lane = NULL;
    schedule->step_room = schedule->transfer_room = schedule->lane_room = 0;
    schedule_clear_steps(schedule);
    for (size_t k = forward.step_count; reversed && k-- > 0;) {
        reversed = schedule_open_step(schedule, end + 1 - forward.step[k].time, 1, err) != NULL;
        for (size_t t = forward.step[k].first; reversed && t < schedule_step_end(&forward, k);
             t++) {
            const struct transfer *now = &forward.transfer[t];
            reversed = schedule_append_lane(
                schedule, (struct transfer){now->destination, now->source, now->packet},
                forward.lane[t], err);
        }
        if (reversed)
            schedule_close_step(schedule, 0);
    }
    free(forward.step);
    free(forward.transfer);
    free(forward.lane);
    return reversed;
}

bool tree_any_build(const struct collective *collective, struct schedule *schedule, struct err *err)
{
    const struct topology *tree = collective->topology;
    const struct collective_row *row = &collective_rows[collective->kind];
    if (schedule_open_step(schedule, 1, 1, err) == NULL)
        return false;
    bool appended = !row->to_all ? append_paths(collective, schedule, err)
                    : row->rooted
                        ? spread(tree, collective->source, collective->source, schedule, err)
                        : append_floods(tree, schedule, err);
    schedule_close_step(schedule, 0);
    return appended && placement_run(schedule, err) && (!row->inward || reverse(schedule, err));
}

uint32_t tree_central_router(const struct topology *tree, bool one_link)
{
    if (!tree->any)
        return topology_node(tree, tree->height, 0);
    uint64_t least = UINT64_MAX;
    uint32_t central = tree->nodes;
    for (uint32_t router = tree->nodes; router < tree->all; router++) {
        const uint64_t steps = bound_any_hanging(tree, router, router, false) +
                               bound_any_hanging(tree, router, router, one_link);
        central = steps < least ? router : central;
        least = steps < least ? steps : least;
    }
    return central;
}

/* -- Preconditions ----------------------------------------------------------------------------- */

bool tree_accepts(const struct collective *collective, struct err *err)
{
    if (collective->m != 1)
        return err_set(err, ERR_ALGORITHM, "%" PRIu32 " packet%s in a tree; expected 1 packet",
                       collective->m, text_s(collective->m));
    if (collective->topology->any && collective->method != 0)
        return err_set(err, ERR_ALGORITHM,
                       "{method}: a tree of {parents} has one method for each collective; expected "
                       "none");
    if (collective->n != collective->topology->nodes)
        return err_set(err, ERR_ALGORITHM,
                       "%" PRIu32 " node%s; expected %" PRIu32 ", the leaves of the tree",
                       collective->n, text_s(collective->n), collective->topology->nodes);
    return true;
}

bool tree_accepts_packets(const struct collective *collective, struct err *err)
{
    struct collective one = *collective;
    one.m = 1;
    return tree_accepts(&one, err);
}

bool tree_accepts_leaf(const struct collective *collective, struct err *err)
{
    if (collective->source >= collective->n)
        return err_set(err, ERR_ALGORITHM,
                       "{source}: a gather ends at a processor, and routers are none; expected a "
                       "leaf");
    return tree_accepts(collective, err);
}

bool tree_accepts_no_source(const char *name, const char *const methods[],
                            const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s has no source, %" PRIu32 " is given; expected source 0", name,
                       collective->source);
    if (model_row(collective->model)->one_link && collective->method != 0)
        return err_set(
            err, ERR_ALGORITHM,
            "{method}: %s of %s requires the model multiport; expected no method in single-port",
            methods[collective->method], name);
    return tree_accepts(collective, err);
}
