/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/fat_tree_rule.h"

#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>

#define FAT_TREE_RULE_ROWS 64
#define FAT_TREE_RULE_MOST 64 /* leaves, and ports of a router */

static struct fat_tree_rule rule_open(const struct fat_tree_reference *r)
{
    struct fat_tree_rule rule = {
        .queue =
            calloc((size_t)r->lanes * FAT_TREE_RULE_ROWS * FAT_TREE_RULE_MOST, sizeof *rule.queue)};
    assert_non_null(rule.queue);
    rule.begin = room_words(r->lanes);
    rule.end = room_words(r->lanes);
    rule.next_child = room_words(r->nodes);
    return rule;
}

void fat_tree_rule_close(struct fat_tree_rule *rule)
{
    free(rule->queue);
    free(rule->begin);
    free(rule->end);
    free(rule->next_child);
}

/* -- The rule ---------------------------------------------------------------------------------- */

/* Adds a packet to a queue. Each branch has a queue, with the number of its branch. */
static void rule_push(struct fat_tree_rule *rule, const struct fat_tree_reference *r, uint32_t node,
                      uint32_t queue, struct fat_tree_rule_waiting packet)
{
    uint32_t *most = &rule->queues[r->level[node]];
    rule->queue[(size_t)queue * FAT_TREE_RULE_ROWS * FAT_TREE_RULE_MOST + rule->end[queue]++] =
        packet;
    uint32_t count = rule->end[queue] - rule->begin[queue];
    *most = MAX(*most, count);
}

/* Queues arrival `arrival` at a lane for its branches. */
static void rule_queue(struct fat_tree_rule *rule, const struct fat_tree_lab *lab, uint32_t lane,
                       uint32_t arrival)
{
    const struct fat_tree_reference *r = &lab->reference;
    uint32_t node = r->owner[lane], level = r->level[node], first = r->first[node];
    uint32_t packet = r->came[(size_t)lane * r->rows + arrival];
    uint32_t header = lab->payload[packet * lab->run.flits + 1],
             leaf = header % (1u << 11) / r->capacity[1];
    bool everybody = header >> (lab->machine.width - 1);
    bool inside = leaf >= r->low[node] && leaf < r->low[node] + r->below[node];
    uint32_t up = first + fat_tree_reference_down(r, level);
    for (uint32_t child = first; child < up; child += r->capacity[level]) {
        uint32_t other = r->owner[r->peer[child]];
        bool from = lane >= child && lane < child + r->capacity[level];
        bool towards = leaf >= r->low[other] && leaf < r->low[other] + r->below[other];
        /* one queue downwards, that of child 0 */
        bool together = lab->run.single_port && !everybody;
        if (everybody ? !from : towards)
            rule_push(rule, r, node, together ? first : child,
                      (struct fat_tree_rule_waiting){lane, arrival, child});
    }
    if (level < r->height && (everybody ? lane < up : !inside))
        rule_push(rule, r, node, up, (struct fat_tree_rule_waiting){lane, arrival, up});
}

static void rule_accept(struct fat_tree_rule *rule, const struct fat_tree_lab *lab)
{
    const struct fat_tree_reference *r = &lab->reference;
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t count = r->count[lane];
        if (count != 0 && r->came_in[(size_t)lane * r->rows + count - 1] == r->row - 1)
            rule_queue(rule, lab, lane, count - 1);
    }
}

/* Sends the oldest packet of a queue, if there is one, on this lane of its branch. */
static bool rule_serve(struct fat_tree_rule *rule, struct fat_tree_reference *r, uint32_t queue,
                       uint32_t lane)
{
    if (rule->begin[queue] == rule->end[queue])
        return false;
    struct fat_tree_rule_waiting packet =
        rule->queue[(size_t)queue * FAT_TREE_RULE_ROWS * FAT_TREE_RULE_MOST + rule->begin[queue]++];
    r->sent[packet.branch + lane] = fat_tree_reference_forward(r, packet.lane, packet.arrival);
    return true;
}

static void rule_serve_one(struct fat_tree_rule *rule, struct fat_tree_reference *r, uint32_t node)
{
    uint32_t level = r->level[node], k = r->children[level];
    uint32_t up = r->first[node] + fat_tree_reference_down(r, level);
    if (level < r->height && rule_serve(rule, r, up, 0))
        return;
    for (uint32_t asked = 0; asked < k; asked++) {
        uint32_t child = (rule->next_child[node] + asked) % k;
        if (rule_serve(rule, r, r->first[node] + child * r->capacity[level], 0)) {
            rule->next_child[node] = child + 1;
            return;
        }
    }
}

static void rule_serve_all(struct fat_tree_rule *rule, struct fat_tree_reference *r, uint32_t node)
{
    uint32_t level = r->level[node], up = r->first[node] + fat_tree_reference_down(r, level);
    for (uint32_t branch = r->first[node]; branch < up; branch += r->capacity[level])
        for (uint32_t lane = 0; lane < r->capacity[level]; lane++)
            rule_serve(rule, r, branch, lane);
    for (uint32_t lane = 0; lane < fat_tree_reference_up(r, level); lane++)
        rule_serve(rule, r, up, lane);
}

/* Returns the number of packets of an input that are sent in this row. */
static uint32_t rule_packets_of(const struct fat_tree_reference *r, uint32_t lane)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < r->count[lane]; k++)
        packets += r->last[(size_t)lane * r->rows + k] == r->row && r->row != 0;
    return packets;
}

static void rule_serve_row(struct fat_tree_rule *rule, struct fat_tree_lab *lab)
{
    struct fat_tree_reference *r = &lab->reference;
    for (uint32_t node = r->leaves; node < r->nodes; node++) {
        if (lab->run.single_port)
            rule_serve_one(rule, r, node);
        else
            rule_serve_all(rule, r, node);
    }
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t packets = rule_packets_of(r, lane);
        rule->reads = MAX(rule->reads, packets);
    }
}

/* -- Runs -------------------------------------------------------------------------------------- */

/* Draws the headers of packets: slot and destination. */
static void rule_draw_headers(struct fat_tree_lab *lab, uint32_t multicasts)
{
    uint32_t leaves = lab->reference.leaves;
    for (uint32_t packet = 1; packet <= lab->packets; packet++) {
        uint32_t from = (packet - 1) / FAT_TREE_LAB_SLOTS / lab->reference.capacity[1];
        uint32_t to = (from + 1 + fat_tree_reference_draw(&lab->rng, leaves - 1)) % leaves;
        bool everybody = fat_tree_reference_draw(&lab->rng, 100) < multicasts;
        uint32_t *header = lab->payload + (size_t)packet * lab->run.flits;
        header[0] = FAT_TREE_LAB_SLOTS + fat_tree_reference_draw(&lab->rng, FAT_TREE_LAB_SLOTS);
        header[1] =
            (everybody ? 1u << (lab->machine.width - 1) : 0) | to * lab->reference.capacity[1];
    }
}

/* Draws random sends, each leaf in `busy` percent of the first `rows` rows, and applies the
 * rule. */
static void rule_draw_run(struct fat_tree_lab *lab, struct fat_tree_rule *rule, uint32_t rows,
                          uint32_t busy)
{
    struct fat_tree_reference *r = &lab->reference;
    uint32_t got[FAT_TREE_RULE_MOST];
    for (uint32_t row = 0; row < lab->run.rows; row++) {
        rule_serve_row(rule, lab);
        for (uint32_t endpoint = 0; endpoint < r->endpoints && row < rows; endpoint++) {
            uint32_t slot = fat_tree_reference_draw(&lab->rng, FAT_TREE_LAB_SLOTS);
            if (fat_tree_reference_draw(&lab->rng, 100) >= busy)
                continue;
            fat_tree_lab_word(lab,
                              machine_program_address(&lab->machine, MACHINE_SEND, endpoint, row),
                              MACHINE_VALID | slot);
            r->sent[endpoint] = *fat_tree_lab_memory(lab, endpoint, slot);
        }
        fat_tree_reference_deliver(r, got);
        rule_accept(rule, lab);
        for (uint32_t endpoint = 0; endpoint < r->endpoints; endpoint++)
            if (got[endpoint] != 0)
                fat_tree_lab_receive(lab, row, endpoint, got[endpoint],
                                     lab->payload[got[endpoint] * lab->run.flits]);
    }
    rule_serve_row(rule, lab); /* for the row after the last */
}

uint32_t fat_tree_rule_control_cycles(const struct fat_tree_reference *r, uint32_t flits)
{
    uint32_t ports = 0, lanes = 0;
    for (unsigned level = 1; level <= r->height; level++) {
        uint32_t own = fat_tree_reference_down(r, level) + fat_tree_reference_up(r, level);
        ports = MAX(ports, own);
        lanes = MAX(lanes, r->capacity[level]);
    }
    return (ports + 5 > flits ? ports + 5 - flits : 0) + lanes + 3;
}

void fat_tree_rule_draw(struct fat_tree_lab *lab, struct fat_tree_rule *rule, struct rng *rng)
{
    static const uint32_t flits[] = {2, 3, 7, 8, 9, 16};
    uint32_t f = flits[fat_tree_reference_draw(rng, 6)];
    lab->run = (struct run){.rows = FAT_TREE_RULE_ROWS - fat_tree_reference_draw(rng, 9),
                            .flits = f,
                            .row_cycles = f + lab->machine.pad +
                                          fat_tree_rule_control_cycles(&lab->reference, f) +
                                          fat_tree_reference_draw(rng, 2) * 3,
                            .single_port = fat_tree_reference_draw(rng, 2)};
    *rule = rule_open(&lab->reference);
    fat_tree_lab_fill(lab, FAT_TREE_LAB_SLOTS);
    rule_draw_headers(lab, fat_tree_reference_draw(rng, 3) * 30);
    fat_tree_lab_load_packets(lab);
    fat_tree_lab_load_run(lab);
    rule_draw_run(lab, rule, 4 + fat_tree_reference_draw(rng, 30),
                  10 + fat_tree_reference_draw(rng, 91));
}

void fat_tree_rule_fit(const struct fat_tree_lab *lab, const struct fat_tree_rule *rule,
                       struct machine *machine)
{
    for (unsigned level = 1; level <= machine->topology.height; level++) {
        machine->queue[level] = rule->queues[level] == 0 ? 1 : rule->queues[level];
        machine->depth[level] = fat_tree_reference_depth(&lab->reference, level);
    }
    machine->reads = rule->reads == 0 ? 1 : rule->reads;
}
