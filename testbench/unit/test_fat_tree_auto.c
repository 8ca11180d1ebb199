/* test_fat_tree_auto: the fat tree machine of self-timed routers, against a reference with queues of its own.
 *
 * Leaves send random packets in random rows, for one leaf or for all others. The reference queues packets for the
 * branches that they are for and serves them by the rule; what each leaf receives in which row, in which cycle, and
 * what it holds in the end must be the same. It also tells the smallest queues, buffers and numbers of read ports
 * that do: with these no flag rises, and with one less of any the level in question overflows. Sampled: trees, flits,
 * latencies, both port models, how much is sent; the seeds are printed. Counter-case besides: a packet for a leaf that
 * does not exist comes to one that does not expect it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "fat_tree_lab.h"

#define SEED 20261122
#define SLOTS 4 /* of a leaf that are filled at first; packets are received in the others */
#define TREES (sizeof trees / sizeof *trees)
#define ROWS 64
#define MOST 64 /* leaves, and ports of a router */

static const struct {
    unsigned height;
    uint32_t children[4], capacity[4];
} trees[] = {{1, {3}, {1}},
             {2, {2, 2}, {1, 1}},
             {2, {3, 2}, {1, 2}},
             {2, {4, 4}, {1, 4}},
             {2, {2, 3}, {1, 2}},
             {3, {2, 2, 2}, {1, 1, 1}},
             {3, {2, 3, 2}, {1, 2, 3}},
             {3, {4, 2, 3}, {1, 1, 1}},
             {4, {2, 2, 2, 2}, {1, 2, 4, 8}}};

/* Packets that wait for a branch, by the lane and the number of their arrival. */
struct waiting {
    uint32_t lane, arrival, branch;
};

/* The rule, and what it needs. A branch is called by its first lane. */
struct rule {
    struct waiting *queue; /* [lanes][ROWS * MOST] */
    uint32_t *begin, *end; /* [lanes] */
    uint32_t *turn;        /* [nodes]: child to be asked first */
    uint32_t queues[8];    /* by level: the most that waited for a branch */
    uint32_t reads;        /* the most different packets that an input gave in a row */
};

static struct rule rule_open(const struct reference *r)
{
    struct rule rule = {.queue = calloc((size_t)r->lanes * ROWS * MOST, sizeof *rule.queue)};
    assert_non_null(rule.queue);
    rule.begin = reference_words(r->lanes);
    rule.end = reference_words(r->lanes);
    rule.turn = reference_words(r->nodes);
    return rule;
}

static void rule_close(struct rule *rule)
{
    free(rule->queue);
    free(rule->begin);
    free(rule->end);
    free(rule->turn);
}

/* -- The rule -------------------------------------------------------------------------------------- */

/* Each branch has a queue, which is called as it is. */
static void rule_push(struct rule *rule, const struct reference *r, uint32_t node, uint32_t queue,
                      struct waiting packet)
{
    uint32_t *most = &rule->queues[r->level[node]];
    rule->queue[(size_t)queue * ROWS * MOST + rule->end[queue]++] = packet;
    uint32_t count = rule->end[queue] - rule->begin[queue];
    *most = count > *most ? count : *most;
}

/* Arrival `arrival` at a lane is queued for whom it is for. */
static void rule_queue(struct rule *rule, const struct lab *lab, uint32_t lane, uint32_t arrival)
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

static void rule_accept(struct rule *rule, const struct lab *lab)
{
    const struct reference *r = &lab->reference;
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t count = r->count[lane];
        if (count != 0 && r->came_in[(size_t)lane * r->rows + count - 1] == r->row - 1)
            rule_queue(rule, lab, lane, count - 1);
    }
}

/* The oldest packet of a queue, if there is one, leaves on this lane of its branch. */
static bool rule_serve(struct rule *rule, struct reference *r, uint32_t queue, uint32_t lane)
{
    if (rule->begin[queue] == rule->end[queue])
        return false;
    struct waiting packet = rule->queue[(size_t)queue * ROWS * MOST + rule->begin[queue]++];
    r->sent[packet.branch + lane] = reference_forward(r, packet.lane, packet.arrival);
    return true;
}

static void rule_serve_one(struct rule *rule, struct reference *r, uint32_t node)
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

static void rule_serve_all(struct rule *rule, struct reference *r, uint32_t node)
{
    uint32_t level = r->level[node], up = r->first[node] + reference_down(r, level);
    for (uint32_t branch = r->first[node]; branch < up; branch += r->capacity[level])
        for (uint32_t lane = 0; lane < r->capacity[level]; lane++)
            rule_serve(rule, r, branch, lane);
    for (uint32_t lane = 0; lane < reference_up(r, level); lane++)
        rule_serve(rule, r, up, lane);
}

/* How many packets of an input are sent in this row? */
static uint32_t packets_of(const struct reference *r, uint32_t lane)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < r->count[lane]; k++)
        packets += r->last[(size_t)lane * r->rows + k] == r->row && r->row != 0;
    return packets;
}

static void rule_serve_row(struct rule *rule, struct lab *lab)
{
    struct reference *r = &lab->reference;
    for (uint32_t node = r->leaves; node < r->nodes; node++) {
        if (lab->run.single_port)
            rule_serve_one(rule, r, node);
        else
            rule_serve_all(rule, r, node);
    }
    for (uint32_t lane = r->first[r->leaves]; lane < r->lanes; lane++) {
        uint32_t packets = packets_of(r, lane);
        rule->reads = packets > rule->reads ? packets : rule->reads;
    }
}

/* -- Runs ------------------------------------------------------------------------------------------ */

/* Packets get headers: where they are received, and by whom. */
static void draw_headers(struct lab *lab, uint32_t multicasts)
{
    uint32_t leaves = lab->reference.leaves;
    for (uint32_t packet = 1; packet <= lab->packets; packet++) {
        uint32_t from = (packet - 1) / SLOTS;
        uint32_t to = (from + 1 + reference_draw(&lab->rng, leaves - 1)) % leaves;
        bool everybody = reference_draw(&lab->rng, 100) < multicasts;
        uint32_t *header = lab->payload + (size_t)packet * lab->run.flits;
        header[0] = SLOTS + reference_draw(&lab->rng, SLOTS);
        header[1] = (everybody ? 1u << (lab->machine.width - 1) : 0) | to;
    }
}

/* Random sends of the leaves, while `busy` of 100 rows last; the rule does the rest. */
static void draw_run(struct lab *lab, struct rule *rule, uint32_t rows, uint32_t busy)
{
    struct reference *r = &lab->reference;
    uint32_t got[MOST];
    for (uint32_t row = 0; row < lab->run.rows; row++) {
        rule_serve_row(rule, lab);
        for (uint32_t leaf = 0; leaf < r->leaves && row < rows; leaf++) {
            uint32_t slot = reference_draw(&lab->rng, SLOTS);
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

static uint32_t control_cycles(const struct reference *r)
{
    uint32_t ports = 0, lanes = 0;
    for (unsigned level = 1; level <= r->height; level++) {
        uint32_t own = reference_down(r, level) + reference_up(r, level);
        ports = own > ports ? own : ports;
        lanes = r->capacity[level] > lanes ? r->capacity[level] : lanes;
    }
    return ports + lanes + 4;
}

/* A run on a machine that is just big enough. `rule` is left open. */
static struct lab draw_lab(uint64_t seed, struct rule *rule)
{
    static const uint32_t flits[] = {2, 3, 7, 8, 9, 16};
    struct rng rng = {seed};
    size_t tree = seed % TREES;
    struct lab lab = lab_open(seed, MACHINE_FAT_TREE_AUTO, trees[tree].height, trees[tree].children,
                              trees[tree].capacity, reference_draw(&rng, 4), 4, 6);
    uint32_t f = flits[reference_draw(&rng, 6)];
    lab.run = (struct run){.rows = ROWS - reference_draw(&rng, 9),
                           .flits = f,
                           .row_cycles = f + lab.machine.pad + control_cycles(&lab.reference) +
                                         reference_draw(&rng, 2) * 3,
                           .single_port = reference_draw(&rng, 2)};
    *rule = rule_open(&lab.reference);
    lab_fill(&lab, SLOTS);
    draw_headers(&lab, reference_draw(&rng, 3) * 30);
    lab_load_packets(&lab);
    lab_load_run(&lab);
    draw_run(&lab, rule, 4 + reference_draw(&rng, 30), 10 + reference_draw(&rng, 91));
    for (unsigned level = 1; level <= lab.machine.tree.height; level++) {
        lab.machine.queue[level] = rule->queues[level] == 0 ? 1 : rule->queues[level];
        lab.machine.depth[level] = reference_depth(&lab.reference, level);
    }
    lab.machine.reads = rule->reads == 0 ? 1 : rule->reads;
    return lab;
}

/* The same run with that size of the machine, which is too small. */
static void run_smaller(struct lab *lab, uint32_t *size, unsigned level, uint32_t *overflows)
{
    if (*size < 2)
        return;
    --*size;
    lab_start(lab);
    assert_true((level == 0 ? lab->router_flags : lab->level_flags[level]) & MACHINE_ROUTER_OVERFLOW);
    bench_close(&lab->bench);
    ++*size;
    ++*overflows;
}

static void random_packets_go_by_the_rule(void **unused)
{
    (void)unused;
    uint32_t receipts = 0, queues = 0, depths = 0, reads = 0;
    print_message("seeds %d …\n", SEED);
    for (uint64_t seed = SEED; seed < SEED + 14 * TREES; seed++) {
        struct rule rule;
        struct lab lab = draw_lab(seed, &rule);
        rule_close(&rule);
        lab_start(&lab);
        lab_assert_right(&lab);
        receipts += lab.receipts;
        lab_again(&lab);
        lab_assert_right(&lab);
        bench_close(&lab.bench);
        run_smaller(&lab, &lab.machine.reads, 0, &reads);
        for (unsigned level = 1; level <= lab.machine.tree.height; level++) {
            run_smaller(&lab, &lab.machine.queue[level], level, &queues);
            run_smaller(&lab, &lab.machine.depth[level], level, &depths);
        }
        lab_close(&lab);
    }
    print_message("%u receipts; overflows of %u queues, %u buffers, %u read ports\n", receipts, queues,
                  depths, reads);
    assert_true(receipts > 10000 && queues > 50 && depths > 50 && reads > 20);
}

/* Three leaves have numbers of two bits. What is for leaf 3 is below no other branch than the last. */
static void a_packet_that_goes_astray_is_not_expected(void **unused)
{
    (void)unused;
    struct lab lab =
        lab_open(SEED, MACHINE_FAT_TREE_AUTO, 1, (const uint32_t[]){3}, (const uint32_t[]){1}, 0, 4, 4);
    lab.run = (struct run){.rows = 2, .flits = 5, .row_cycles = 5 + control_cycles(&lab.reference)};
    lab_fill(&lab, SLOTS);
    lab.payload[5] = 6;
    lab.payload[5 + 1] = 3;
    lab_load_packets(&lab);
    lab_load_run(&lab);
    lab_word(&lab, machine_program_address(&lab.machine, MACHINE_SEND, 0, 0), MACHINE_VALID);
    lab.expected[1 * 3 + 2] = MACHINE_UNEXPECTED << MACHINE_OBS_FLAGS;
    *lab_memory(&lab, 2, 6) = 1;
    lab.reference.steps = 2;
    lab_start(&lab);
    assert_int_equal(lab.differ, 4); /* the flits behind the first are not stored */
    assert_int_equal(lab.leaf_flags, MACHINE_UNEXPECTED);
    assert_int_equal(lab.router_flags, 0);
    bench_close(&lab.bench);
    lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_packets_go_by_the_rule),
        cmocka_unit_test(a_packet_that_goes_astray_is_not_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
