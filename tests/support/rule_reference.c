/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/rule_reference.h"

#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void rule_plant(struct rule_reference *r)
{
    const struct topology *tree = &r->asked->topology;
    uint32_t begin = 0, width = tree->nodes;
    for (unsigned level = 1; level <= tree->height; level++) {
        uint32_t k = tree->children[level], above = begin + width;
        for (uint32_t node = begin; node < above; node++)
            r->parent[node] = above + (node - begin) / k;
        begin = above;
        width /= k;
        for (uint32_t node = begin; node < begin + width; node++) {
            r->child[node] = begin - width * k + (node - begin) * k;
            r->level[node] = level;
            r->served[node] = k - 1;
        }
    }
    r->parent[begin] = UINT32_MAX;
}

static void rule_init(struct rule_reference *r, const struct schedule *asked, bool one_down)
{
    const struct topology *tree = &asked->topology;
    *r = (struct rule_reference){.asked = asked, .one_down = one_down};
    for (unsigned level = 1; level <= tree->height; level++) {
        r->branches =
            tree->children[level] >= r->branches ? tree->children[level] + 1 : r->branches;
        r->lanes = MAX(r->lanes, tree->capacity[level]);
    }
    r->parent = room_of(tree->all, sizeof *r->parent);
    r->child = room_of(tree->all, sizeof *r->child);
    r->level = room_of(tree->all, sizeof *r->level);
    r->served = room_of(tree->all, sizeof *r->served);
    r->wanted = room_of((size_t)asked->packets + 1, sizeof *r->wanted);
    r->fifo = room_of((size_t)tree->all * r->branches, sizeof *r->fifo);
    for (unsigned up = 0; up < 2; up++)
        r->wire[up] = room_of((size_t)tree->all * r->lanes, sizeof *r->wire[up]);
    rule_plant(r);
    for (size_t which = 0; which < asked->demand_count; which++) {
        const struct demand *demand = &asked->demand[which];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            r->wanted[packet] = demand->wanted_count == 0 ? UINT32_MAX : demand->wanted[0];
    }
}

void rule_reference_free(struct rule_reference *r)
{
    for (size_t which = 0; which < (size_t)r->asked->topology.all * r->branches; which++)
        free(r->fifo[which].packet);
    free(r->parent);
    free(r->child);
    free(r->level);
    free(r->served);
    free(r->wanted);
    free(r->fifo);
    free(r->wire[0]);
    free(r->wire[1]);
    free(r->hop);
}

static uint32_t rule_children(const struct rule_reference *r, uint32_t router)
{
    return r->asked->topology.children[r->level[router]];
}

/* The root has no parent. */
static uint32_t rule_branches(const struct rule_reference *r, uint32_t router)
{
    return rule_children(r, router) + (r->parent[router] != UINT32_MAX);
}

static void rule_push(struct rule_reference *r, uint32_t router, uint32_t branch, uint32_t packet)
{
    bool shared =
        r->one_down && branch < rule_children(r, router) && r->wanted[packet] != UINT32_MAX;
    struct rule_reference_fifo *fifo =
        &r->fifo[(size_t)router * r->branches + (shared ? 0 : branch)];
    if (fifo->tail == fifo->room) {
        fifo->room = 2 * fifo->room + 8;
        fifo->packet = realloc(fifo->packet, fifo->room * sizeof *fifo->packet);
        assert_non_null(fifo->packet);
    }
    fifo->packet[fifo->tail++] = packet;
}

/* Returns the branch of a router towards a leaf. */
static uint32_t rule_branch(const struct rule_reference *r, uint32_t router, uint32_t leaf)
{
    for (uint32_t node = leaf; node != UINT32_MAX; node = r->parent[node])
        if (r->parent[node] == router)
            return node - r->child[router];
    return rule_children(r, router);
}

/* Queues a packet that has arrived over branch `from`. */
static void rule_arrive(struct rule_reference *r, uint32_t router, uint32_t from, uint32_t packet)
{
    if (r->wanted[packet] != UINT32_MAX)
        rule_push(r, router, rule_branch(r, router, r->wanted[packet]), packet);
    else
        for (uint32_t branch = 0; branch < rule_branches(r, router); branch++)
            if (branch != from)
                rule_push(r, router, branch, packet);
}

/* Puts a packet on a link. */
static void rule_hop(struct rule_reference *r, uint32_t step, uint32_t source, uint32_t destination,
                     uint32_t lane, uint32_t packet)
{
    bool up = r->parent[source] == destination;
    uint32_t *wire = &r->wire[up][(size_t)(up ? source : destination) * r->lanes + lane];
    assert_true(lane < r->lanes && (up || r->parent[destination] == source));
    assert_int_equal(*wire, 0);
    *wire = packet;
    if (r->hops == r->room) {
        r->room = 2 * r->room + 64;
        r->hop = realloc(r->hop, r->room * sizeof *r->hop);
        assert_non_null(r->hop);
    }
    r->hop[r->hops++] = (struct rule_reference_hop){step, source, destination, lane, packet};
}

/* Sends the oldest packet of a branch. Returns false if there is none. */
static bool rule_pop(struct rule_reference *r, uint32_t step, uint32_t router, uint32_t branch,
                     uint32_t lane)
{
    struct rule_reference_fifo *fifo = &r->fifo[(size_t)router * r->branches + branch];
    if (fifo->head == fifo->tail)
        return false;
    uint32_t packet = fifo->packet[fifo->head++], k = rule_children(r, router);
    if (r->one_down && branch < k && r->wanted[packet] != UINT32_MAX)
        branch = rule_branch(r, router, r->wanted[packet]);
    rule_hop(r, step, router, branch == k ? r->parent[router] : r->child[router] + branch, lane,
             packet);
    return true;
}

static void rule_serve(struct rule_reference *r, uint32_t step, uint32_t router)
{
    const struct topology *tree = &r->asked->topology;
    uint32_t k = rule_children(r, router), level = r->level[router];
    if (r->asked->model == MODEL_SINGLE_PORT) {
        if (rule_pop(r, step, router, k, 0))
            return;
        for (uint32_t after = 1; after <= k; after++)
            if (rule_pop(r, step, router, (r->served[router] + after) % k, 0)) {
                r->served[router] = (r->served[router] + after) % k;
                return;
            }
        return;
    }
    for (uint32_t branch = 0; branch < rule_branches(r, router); branch++)
        for (uint32_t lane = 0; lane < tree->capacity[branch < k ? level : level + 1]; lane++)
            rule_pop(r, step, router, branch, lane);
}

/* Receives all packets on the links of a router, in the order of its ports. */
static void rule_receive(struct rule_reference *r, uint32_t router)
{
    uint32_t k = rule_children(r, router);
    for (uint32_t port = 0; port < rule_branches(r, router) * r->lanes; port++) {
        uint32_t branch = port / r->lanes, lane = port % r->lanes;
        uint32_t lower = branch < k ? r->child[router] + branch : router;
        uint32_t packet = r->wire[branch < k][(size_t)lower * r->lanes + lane];
        if (packet != 0)
            rule_arrive(r, router, branch, packet);
    }
}

/* Returns the number of packets that wait in the FIFOs of a router, and records the longest
 * FIFO. */
static size_t rule_wait(struct rule_reference *r, uint32_t router)
{
    size_t all = 0, *longest = &r->longest[r->level[router]];
    for (uint32_t branch = 0; branch < r->branches; branch++) {
        const struct rule_reference_fifo *fifo = &r->fifo[(size_t)router * r->branches + branch];
        all += fifo->tail - fifo->head;
        *longest = fifo->tail - fifo->head > *longest ? fifo->tail - fifo->head : *longest;
    }
    return all;
}

void rule_reference_run(struct rule_reference *r, const struct schedule *asked, bool one_down)
{
    uint32_t leaves = asked->nodes, all = asked->topology.all;
    bool moves = true;
    rule_init(r, asked, one_down);
    for (uint32_t step = 1, k = 0; moves || k < asked->step_count; step++) {
        for (unsigned up = 0; up < 2; up++)
            memset(r->wire[up], 0, (size_t)all * r->lanes * sizeof *r->wire[up]);
        size_t before = r->hops, waiting = 0;
        for (uint32_t router = leaves; router < all; router++) {
            rule_serve(r, step, router);
            waiting += rule_wait(r, router);
        }
        if (k < asked->step_count && asked->step[k].time == step) {
            for (size_t index = asked->step[k].first; index < schedule_step_end(asked, k);
                 index++) {
                const struct transfer *t = &asked->transfer[index];
                if (t->source < leaves)
                    rule_hop(r, step, t->source, t->destination, schedule_lane(asked, index),
                             t->packet);
            }
            k++;
        }
        for (uint32_t router = leaves; router < all; router++)
            rule_receive(r, router);
        moves = waiting > 0 || r->hops > before;
    }
}

int rule_reference_compare(const void *left, const void *right)
{
    const struct rule_reference_hop *a = left, *b = right;
    const uint32_t keys[][2] = {{a->step, b->step},
                                {a->source, b->source},
                                {a->destination, b->destination},
                                {a->lane, b->lane},
                                {a->packet, b->packet}};
    int order = 0;
    for (unsigned key = 0; key < 5; key++)
        order = compare_then(order, COMPARE(keys[key][0], keys[key][1]));
    return order;
}

struct rule_reference_hop *rule_reference_hops(const struct schedule *schedule)
{
    struct rule_reference_hop *hop = room_of(schedule->transfer_count + 1, sizeof *hop);
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k);
             index++) {
            const struct transfer *t = &schedule->transfer[index];
            hop[index] = (struct rule_reference_hop){(uint32_t)schedule->step[k].time, t->source,
                                                     t->destination, schedule_lane(schedule, index),
                                                     t->packet};
        }
    return hop;
}

const char *rule_reference_differs(const struct schedule *schedule, bool one_down, char text[160])
{
    struct rule_reference r;
    size_t count = schedule->transfer_count, which = 0;
    struct rule_reference_hop *hop = rule_reference_hops(schedule);
    rule_reference_run(&r, schedule, one_down);
    qsort(hop, count, sizeof *hop, rule_reference_compare);
    qsort(r.hop, r.hops, sizeof *r.hop, rule_reference_compare);
    while (which < count && which < r.hops &&
           rule_reference_compare(&hop[which], &r.hop[which]) == 0)
        which++;
    text[0] = '\0';
    if (count != r.hops)
        snprintf(text, 160, "%zu transfers; by the rule %zu", count, r.hops);
    else if (which < count)
        snprintf(text, 160,
                 "step %u: %u sends %u to %u on lane %u; by the rule step %u: %u, %u, %u, %u",
                 hop[which].step, hop[which].source, hop[which].packet, hop[which].destination,
                 hop[which].lane, r.hop[which].step, r.hop[which].source, r.hop[which].packet,
                 r.hop[which].destination, r.hop[which].lane);
    free(hop);
    rule_reference_free(&r);
    return text;
}
