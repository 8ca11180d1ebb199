/* fat_tree_rule: random packets for self-timed routers, and a reference that queues and serves them by the rule, for
 * test_fat_tree_auto.c and test_fat_tree_rtl.c. It shares nothing with csim. Packets are received in the slots of a
 * leaf that are not filled at first. Include it after <cmocka.h>'s four headers.
 */
#ifndef ROUNDCAST_FAT_TREE_RULE_H
#define ROUNDCAST_FAT_TREE_RULE_H

#include "testbench/unit/support/fat_tree_lab.h"

#define RULE_ROWS 64
#define RULE_MOST 64 /* leaves, and ports of a router */

/* Packets that wait for a branch, by the lane and the number of their arrival. */
struct waiting {
    uint32_t lane, arrival, branch;
};

/* The rule, and what it needs. A branch is called by its first lane. */
struct rule {
    struct waiting *queue; /* [lanes][RULE_ROWS * RULE_MOST] */
    uint32_t *begin, *end; /* [lanes] */
    uint32_t *turn;        /* [nodes]: child to be asked first */
    uint32_t queues[8];    /* by level: the most that waited for a branch */
    uint32_t reads;        /* the most different packets that an input gave in a row */
};

static inline struct rule rule_open(const struct reference *r)
{
    struct rule rule = {.queue = calloc((size_t)r->lanes * RULE_ROWS * RULE_MOST, sizeof *rule.queue)};
    assert_non_null(rule.queue);
    rule.begin = reference_words(r->lanes);
    rule.end = reference_words(r->lanes);
    rule.turn = reference_words(r->nodes);
    return rule;
}

static inline void rule_close(struct rule *rule)
{
    free(rule->queue);
    free(rule->begin);
    free(rule->end);
    free(rule->turn);
}

/* -- The rule -------------------------------------------------------------------------------------- */

/* Each branch has a queue, which is called as it is. */
static inline void rule_push(struct rule *rule, const struct reference *r, uint32_t node, uint32_t queue,
                             struct waiting packet)
{
    uint32_t *most = &rule->queues[r->level[node]];
    rule->queue[(size_t)queue * RULE_ROWS * RULE_MOST + rule->end[queue]++] = packet;
    uint32_t count = rule->end[queue] - rule->begin[queue];
    *most = count > *most ? count : *most;
}

/* Arrival `arrival` at a lane is queued for whom it is for. */
static inline void rule_queue(struct rule *rule, const struct lab *lab, uint32_t lane, uint32_t arrival)
{
    const struct reference *r = &lab->reference;
    uint32_t node = r->owner[lane], level = r->level[node], first = r->first[node];
    uint32_t packet = r->came[(size_t)lane * r->rows + arrival];
    uint32_t header = lab->payload[packet * lab->run.flits + 1], leaf = header % (1u << 11);
    bool everybody = header >> (lab->machine.width - 1);
    bool inside = leaf >= r->low[node] && leaf < r->low[node] + r->below[node];
    uint32_t up = first + reference_down(r, level);
    for (uint32_t child = first; child < up; child += r->capacity[level]) {
        uint32_t other = r->owner[r->peer[child]];
        bool from = lane >= child && lane < child + r->capacity[level];
        bool towards = leaf >= r->low[other] && leaf < r->low[other] + r->below[other];
        bool together = lab->run.single_port && !everybody; /* one queue downwards, that of child 0 */
        if (everybody ? !from : towards)
            rule_push(rule, r, node, together ? first : child, (struct waiting){lane, arrival, child});
    }
    if (level < r->height && (everybody ? lane < up : !inside))
        rule_push(rule, r, node, up, (struct waiting){lane, arrival, up});
}

static inline void rule_accept(struct rule *rule, const struct lab *lab)
{
    const struct reference *r = &lab->reference;
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t count = r->count[lane];
        if (count != 0 && r->came_in[(size_t)lane * r->rows + count - 1] == r->row - 1)
            rule_queue(rule, lab, lane, count - 1);
    }
}

/* The oldest packet of a queue, if there is one, leaves on this lane of its branch. */
static inline bool rule_serve(struct rule *rule, struct reference *r, uint32_t queue, uint32_t lane)
{
    if (rule->begin[queue] == rule->end[queue])
        return false;
    struct waiting packet = rule->queue[(size_t)queue * RULE_ROWS * RULE_MOST + rule->begin[queue]++];
    r->sent[packet.branch + lane] = reference_forward(r, packet.lane, packet.arrival);
    return true;
}

static inline void rule_serve_one(struct rule *rule, struct reference *r, uint32_t node)
{
    uint32_t level = r->level[node], k = r->children[level];
    uint32_t up = r->first[node] + reference_down(r, level);
    if (level < r->height && rule_serve(rule, r, up, 0))
        return;
    for (uint32_t asked = 0; asked < k; asked++) {
        uint32_t child = (rule->turn[node] + asked) % k;
        if (rule_serve(rule, r, r->first[node] + child * r->capacity[level], 0)) {
            rule->turn[node] = child + 1;
            return;
        }
    }
}

static inline void rule_serve_all(struct rule *rule, struct reference *r, uint32_t node)
{
    uint32_t level = r->level[node], up = r->first[node] + reference_down(r, level);
    for (uint32_t branch = r->first[node]; branch < up; branch += r->capacity[level])
        for (uint32_t lane = 0; lane < r->capacity[level]; lane++)
            rule_serve(rule, r, branch, lane);
    for (uint32_t lane = 0; lane < reference_up(r, level); lane++)
        rule_serve(rule, r, up, lane);
}

/* How many packets of an input are sent in this row? */
static inline uint32_t rule_packets_of(const struct reference *r, uint32_t lane)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < r->count[lane]; k++)
        packets += r->last[(size_t)lane * r->rows + k] == r->row && r->row != 0;
    return packets;
}

static inline void rule_serve_row(struct rule *rule, struct lab *lab)
{
    struct reference *r = &lab->reference;
    for (uint32_t node = r->leaves; node < r->nodes; node++) {
        if (lab->run.single_port)
            rule_serve_one(rule, r, node);
        else
            rule_serve_all(rule, r, node);
    }
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t packets = rule_packets_of(r, lane);
        rule->reads = packets > rule->reads ? packets : rule->reads;
    }
}

/* -- Runs ------------------------------------------------------------------------------------------ */

/* Packets get headers: where they are received, and by whom. */
static inline void rule_draw_headers(struct lab *lab, uint32_t multicasts)
{
    uint32_t leaves = lab->reference.leaves;
    for (uint32_t packet = 1; packet <= lab->packets; packet++) {
        uint32_t from = (packet - 1) / LAB_SLOTS;
        uint32_t to = (from + 1 + reference_draw(&lab->rng, leaves - 1)) % leaves;
        bool everybody = reference_draw(&lab->rng, 100) < multicasts;
        uint32_t *header = lab->payload + (size_t)packet * lab->run.flits;
        header[0] = LAB_SLOTS + reference_draw(&lab->rng, LAB_SLOTS);
        header[1] = (everybody ? 1u << (lab->machine.width - 1) : 0) | to;
    }
}

/* Random sends of the leaves, while `busy` of 100 rows last; the rule does the rest. */
static inline void rule_draw_run(struct lab *lab, struct rule *rule, uint32_t rows, uint32_t busy)
{
    struct reference *r = &lab->reference;
    uint32_t got[RULE_MOST];
    for (uint32_t row = 0; row < lab->run.rows; row++) {
        rule_serve_row(rule, lab);
        for (uint32_t leaf = 0; leaf < r->leaves && row < rows; leaf++) {
            uint32_t slot = reference_draw(&lab->rng, LAB_SLOTS);
            if (reference_draw(&lab->rng, 100) >= busy)
                continue;
            lab_word(lab, machine_program_address(&lab->machine, MACHINE_SEND, leaf, row),
                     MACHINE_VALID | slot);
            r->sent[r->first[leaf]] = *lab_memory(lab, leaf, slot);
        }
        reference_deliver(r, got);
        rule_accept(rule, lab);
        for (uint32_t leaf = 0; leaf < r->leaves; leaf++)
            if (got[leaf] != 0)
                lab_receive(lab, row, leaf, got[leaf], lab->payload[got[leaf] * lab->run.flits]);
    }
    rule_serve_row(rule, lab); /* for a row that does not come */
}

static inline uint32_t rule_control_cycles(const struct reference *r)
{
    uint32_t ports = 0, lanes = 0;
    for (unsigned level = 1; level <= r->height; level++) {
        uint32_t own = reference_down(r, level) + reference_up(r, level);
        ports = own > ports ? own : ports;
        lanes = r->capacity[level] > lanes ? r->capacity[level] : lanes;
    }
    return ports + lanes + 4;
}

/* Draw a run, its packets, and what the rule makes of them. `rule` is left open. */
static inline void rule_draw(struct lab *lab, struct rule *rule, struct rng *rng)
{
    static const uint32_t flits[] = {2, 3, 7, 8, 9, 16};
    uint32_t f = flits[reference_draw(rng, 6)];
    lab->run = (struct run){.rows = RULE_ROWS - reference_draw(rng, 9),
                            .flits = f,
                            .row_cycles = f + lab->machine.pad + rule_control_cycles(&lab->reference) +
                                          reference_draw(rng, 2) * 3,
                            .single_port = reference_draw(rng, 2)};
    *rule = rule_open(&lab->reference);
    lab_fill(lab, LAB_SLOTS);
    rule_draw_headers(lab, reference_draw(rng, 3) * 30);
    lab_load_packets(lab);
    lab_load_run(lab);
    rule_draw_run(lab, rule, 4 + reference_draw(rng, 30), 10 + reference_draw(rng, 91));
}

/* The least queues, buffers and read ports that the run needs. */
static inline void rule_fit(const struct lab *lab, const struct rule *rule, struct machine *machine)
{
    for (unsigned level = 1; level <= machine->topology.height; level++) {
        machine->queue[level] = rule->queues[level] == 0 ? 1 : rule->queues[level];
        machine->depth[level] = reference_depth(&lab->reference, level);
    }
    machine->reads = rule->reads == 0 ? 1 : rule->reads;
}

#endif
