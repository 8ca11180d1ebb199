/* SPDX-License-Identifier: Apache-2.0 */
/* openoptics: time slices of an optical network, as OpenOptics loads them (Lei and others 2024; its
 * from_schedule): a line for each slice, with the node to which each link of each node leads; -1
 * for none.
 *
 *     round 1   0 → 1         1 0 -1 -1        4 nodes of 1 link: 0 and 1 are joined
 *     round 2   0 → 2, 1 → 3  2 3 0 1
 *
 * A circuit joins two nodes both ways: a slice has one for each pair that sends in its round, in
 * one direction or in both. The file does not list the packets of a circuit. All nodes have as many
 * links as the node with the most circuits in a round, and each node uses its first links. */
#include "sched/exchange/exchange.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* The circuits of a round: peer[node · links + link]; used[node] links of a node are used. */
struct slice {
    uint32_t nodes, links;
    uint32_t *used, *peer;
};

static bool is_joined(const struct slice *slice, uint32_t node, uint32_t other)
{
    for (uint32_t link = 0; link < slice->used[node] && link < slice->links; link++)
        if (slice->peer[node * (size_t)slice->links + link] == other)
            return true;
    return false;
}

static void join(struct slice *slice, uint32_t node, uint32_t other)
{
    if (slice->used[node] < slice->links)
        slice->peer[node * (size_t)slice->links + slice->used[node]] = other;
    slice->used[node]++;
}

/* Finds the circuits of step k. Returns the maximum number of circuits of a node. */
static uint32_t fill(const struct schedule *schedule, size_t k, struct slice *slice)
{
    uint32_t most = 0;
    for (uint32_t node = 0; node < slice->nodes; node++)
        slice->used[node] = 0;
    for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k); index++) {
        uint32_t source = schedule->transfer[index].source;
        uint32_t destination = schedule->transfer[index].destination;
        if (is_joined(slice, source, destination))
            continue;
        join(slice, source, destination);
        join(slice, destination, source);
        most = MAX(most, slice->used[source]);
        most = MAX(most, slice->used[destination]);
    }
    return most;
}

static void put_slice(FILE *to, const struct slice *slice)
{
    for (uint32_t node = 0; node < slice->nodes; node++)
        for (uint32_t link = 0; link < slice->links; link++) {
            fputs(node + link > 0 ? " " : "", to);
            if (link < slice->used[node])
                fprintf(to, "%" PRIu32, slice->peer[node * (size_t)slice->links + link]);
            else
                fputs("-1", to);
        }
    fputc('\n', to);
}

/* Maximum number of links that a round of the model may need. */
static uint32_t links_of_model(const struct schedule *schedule)
{
    /* partners to which a node sends; it receives from as many */
    uint32_t partners = MIN(schedule->ports, schedule->nodes - 1);
    uint32_t arcs = schedule->topology.arcs, ports = arcs > 0 ? arcs : 2 * partners;
    return model_row(schedule->model)->pairs ? partners : ports;
}

static bool write_openoptics(FILE *to, const struct schedule *schedule,
                             const struct exchange_options *options, struct err *err)
{
    (void)options;
    struct slice slice = {.nodes = schedule->nodes, .links = links_of_model(schedule)};
    const struct arena_array arrays[] = {ARENA(slice.used, schedule->nodes),
                                         ARENA(slice.peer, schedule->nodes * (size_t)slice.links)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "the circuits of %" PRIu32 " nodes", schedule->nodes);
    uint32_t most = 1;
    for (size_t k = 0; k < schedule->step_count; k++) {
        uint32_t links = fill(schedule, k, &slice);
        most = MAX(most, links);
    }
    slice.links = most;
    for (size_t k = 0; k < schedule->step_count && !ferror(to); k++) {
        fill(schedule, k, &slice);
        put_slice(to, &slice);
    }
    free(memory);
    return true;
}

const struct exchange_format exchange_openoptics = {
    .name = "openoptics",
    .what = "time slices, for OpenOptics",
    .suffix = "slices",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES,
    .most = UINT32_C(1) << 16,
    .write = write_openoptics,
};
