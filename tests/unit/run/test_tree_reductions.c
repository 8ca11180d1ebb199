/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_reductions: fat trees whose routers combine packets, end to end.
 *
 * State space. On csim, exhaustive: tree-reduce to the first and the last leaf and tree-all-reduce
 * in both models, m ≤ 4 and each operator, on trees of 2 … 16 leaves, with and without registers in
 * the links; the same with several links at each leaf, an operator each. Then seeded schedules of
 * several reductions and broadcasts at once, in which partial results wait for others and routers
 * combine one packet while they copy others of the same inputs.
 * On the RTL, in lockstep with csim: a seeded sample of both with 4, 8 and 16 leaves, four leaves
 * with several links, and random words in all tables, which no compiler writes. `simulate` fails if
 * a packet arrives in another cycle, if a flag is set, or if a word in memory is not the
 * combination of the contributions in the payload.
 *
 * Counter-cases. Each operand bit and each result bit of an image is flipped: the scoreboard must
 * find each flip in a row in which the router sends a result, and no other flip. Schedules that
 * these routers cannot run are rejected: two results in a step, and two copies of a packet from one
 * input.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/combination.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reduction_lab.h"
#include "tests/support/tree_lab.h"

#include <inttypes.h>
#include <stdio.h>

#define SEED UINT64_C(20261128)
#define DRAWN 150
#define RTL_RUNS 35
#define MOST_TIME 400
#define MOST_NODES 32

static struct machine machine_of(const struct topology *tree, unsigned pad, unsigned width)
{
    return (struct machine){
        .kind = MACHINE_FAT_TREE, .topology = *tree, .pad = pad, .width = width, .combines = true};
}

static void run(struct support_job *job, const struct simulate_options *options, uint32_t operation)
{
    const struct simulate_report report = reduction_lab_run(job, options, operation);
    struct combination combination;
    struct err err = {0};
    if (job->schedule.has_reductions) {
        support_true(combination_of(&job->schedule, COMBINATION_BY_PORT, &combination, &err), &err);
        assert_true(report.checks.certificate == combination.certificate);
    }
}

/* Builds tree-reduce to a source, or tree-all-reduce. */
static void reduce(const struct topology *tree, bool to_all, bool single, uint32_t source,
                   uint32_t m, struct support_job *job)
{
    const struct collective asked = {.n = tree->nodes,
                                     .m = m,
                                     .source = source,
                                     .topology = tree,
                                     .kind = to_all ? COLLECTIVE_ALL_REDUCE : COLLECTIVE_REDUCE,
                                     .by = to_all ? NULL : support_algorithm("tree-broadcast"),
                                     .model = single ? MODEL_SINGLE_PORT : MODEL_MULTIPORT,
                                     .lambda = {1, 1}};
    *job = (struct support_job){0};
    support_schedule(support_algorithm(to_all ? "tree-all-reduce" : "tree-reduce"), &asked,
                     &job->schedule);
}

static void each_tree_and_operator_on_csim(void **state)
{
    (void)state;
    static const char *const trees[][2] = {{"2", "1"},     {"5", "1"},        {"2,2", "1,1"},
                                           {"3,2", "1,2"}, {"2,4", "1,3"},    {"2,2,2", "1,1,1"},
                                           {"4,4", "1,1"}, {"2,2,4", "1,1,2"}};
    unsigned runs = 0;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (unsigned kind = 0; kind < 3; kind++)
            for (unsigned single = 0; single <= 1; single++)
                for (uint32_t m = 1; m <= 4; m++) {
                    const struct topology tree = tree_lab_parse(trees[t][0], trees[t][1]);
                    const struct machine machine = machine_of(&tree, m % 3, 7 + m);
                    struct support_job job;
                    reduce(&tree, kind == 2, single, kind == 1 ? tree.nodes - 1 : 0, m, &job);
                    reduction_lab_build(machine, machine.log2_rows == 0,
                                        1 + (m + kind + (uint32_t)t) % 5, SEED + m, &job);
                    for (uint32_t operation = 0; operation < MACHINE_OPERATORS; operation++, runs++)
                        run(&job, &reduction_lab_csim, operation);
                    support_job_free(&job);
                }
    assert_int_equal(runs, 8 * 6 * 4 * 7);
}

/* Leaves with several links: a machine has an endpoint on each. Over several ports routers combine
 * more than one packet in a step if there are more packets. */
static void leaves_of_several_links(const struct simulate_options *options, const char *children,
                                    const char *capacity, const struct machine *memories)
{
    const struct topology tree = tree_lab_parse(children, capacity);
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned single = 0; single <= 1; single++)
            for (uint32_t m = 1; m <= (single ? 4 : 1); m++) {
                struct machine machine = machine_of(&tree, 1, 12);
                struct support_job job;
                if (memories != NULL)
                    machine = *memories;
                reduce(&tree, kind == 2, single, kind == 1 ? tree.nodes - 1 : 0, m, &job);
                reduction_lab_build(machine, machine.log2_rows == 0, 1 + m, SEED + m, &job);
                run(&job, options, (m + kind) % MACHINE_OPERATORS);
                support_job_free(&job);
            }
}

static void leaves_of_several_links_on_csim(void **state)
{
    (void)state;
    static const char *const trees[][2] = {
        {"2", "2"}, {"2,2", "2,1"}, {"3,2", "2,2"}, {"2,2,2", "3,1,2"}, {"4,4", "4,2"}};
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        leaves_of_several_links(&reduction_lab_csim, trees[t][0], trees[t][1], NULL);
}

static void leaves_of_several_links_on_rtl(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "2,1");
    struct machine machine = machine_of(&tree, 0, 16);
    machine.log2_packets = machine.log2_flits = 3;
    machine.log2_rows = 6;
    machine.reads = 1;
    machine.depth[1] = machine.depth[2] = 6;
    leaves_of_several_links(&reduction_lab_both, "2,2", "2,1", &machine);
}

/* -- Several packets at once ------------------------------------------------------------------- */

/* The transfers of a schedule, by time, and what is taken in each step: lanes of the branch above a
 * node, up or down, and the packet that a router combines. */
struct drawn {
    const struct topology *tree;
    struct transfer at[MOST_TIME][64];
    uint32_t lane[MOST_TIME][64];
    unsigned count[MOST_TIME];
    uint32_t taken[MOST_TIME][MOST_NODES][2], result[MOST_TIME][MOST_NODES];
    unsigned end, waits; /* the last step, and the steps by which transfers wait */
};

/* Places a transfer in the first step from `from` on in which a lane is free and, if its sender
 * combines, no other packet is combined there. Returns that step. */
static unsigned place(struct drawn *drawn, struct transfer transfer, bool combines, unsigned from)
{
    const bool up = transfer.destination > transfer.source;
    const uint32_t below = up ? transfer.source : transfer.destination;
    const uint32_t lanes = drawn->tree->capacity[topology_level(drawn->tree, below) + 1];
    unsigned time = from;
    while (drawn->taken[time][below][up] == lanes ||
           (combines && drawn->result[time][transfer.source] != 0 &&
            drawn->result[time][transfer.source] != transfer.packet))
        time++;
    assert_true(time < MOST_TIME && drawn->count[time] < 64);
    drawn->lane[time][drawn->count[time]] = drawn->taken[time][below][up]++;
    if (combines)
        drawn->result[time][transfer.source] = transfer.packet;
    drawn->at[time][drawn->count[time]++] = transfer;
    drawn->end = time > drawn->end ? time : drawn->end;
    drawn->waits += time - from;
    return time;
}

/* Sends a packet from the part of the tree beyond `node`, seen from `to`, and then to `to`. Returns
 * the step of the last transfer. */
static unsigned gather(struct drawn *drawn, struct rng *rng, uint32_t packet, uint32_t node,
                       uint32_t to, unsigned first)
{
    unsigned ready = first;
    for (uint32_t next = 0; next < drawn->tree->all; next++)
        if (next != to && topology_branch(drawn->tree, node, next) != 0) {
            const unsigned time = gather(drawn, rng, packet, next, node, first);
            ready = time + 1 > ready ? time + 1 : ready;
        }
    return to == UINT32_MAX ? ready - 1
                            : place(drawn, (struct transfer){node, to, packet},
                                    node >= drawn->tree->nodes, ready + rng_below(rng, 3));
}

/* Sends a packet from a node to all others but `from`. */
static void spread(struct drawn *drawn, struct rng *rng, uint32_t packet, uint32_t node,
                   uint32_t from, unsigned ready)
{
    for (uint32_t next = 0; next < drawn->tree->all; next++)
        if (next != from && topology_branch(drawn->tree, node, next) != 0) {
            const unsigned time = place(drawn, (struct transfer){node, next, packet}, false,
                                        ready + rng_below(rng, 2));
            spread(drawn, rng, packet, next, node, time + 1);
        }
}

/* Draws a schedule of reductions and broadcasts of one packet each. */
static void draw(const struct topology *tree, struct rng *rng, struct support_job *job)
{
    static struct drawn drawn;
    static char text[1 << 16];
    const uint32_t packets = 2 + rng_below(rng, 6);
    struct err err = {0};
    size_t used = 0;
    drawn = (struct drawn){.tree = tree};
#define PRINT(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
    PRINT("roundcast-schedule 1\nalgorithm drawn\ntopology tree");
    for (unsigned level = 1; level <= tree->height; level++)
        PRINT(" %u", tree->children[level]);
    PRINT(" capacity");
    for (unsigned level = 1; level <= tree->height; level++)
        PRINT(" %u", tree->capacity[level]);
    PRINT("\nmodel multiport\n");
    for (uint32_t packet = 1; packet <= packets; packet++) {
        const uint32_t leaf = rng_below(rng, tree->nodes);
        const unsigned first = 1 + rng_below(rng, 3);
        const bool reduces = packet % 2;
        PRINT("%s %u %u *\n", reduces ? "reduce" : "demand", packet, leaf);
        if (reduces)
            gather(&drawn, rng, packet, leaf, UINT32_MAX, first);
        else
            spread(&drawn, rng, packet, leaf, UINT32_MAX, first);
    }
    for (unsigned time = 1; time <= drawn.end; time++) {
        if (drawn.count[time] > 0)
            PRINT("round %u\n", time);
        for (unsigned k = 0; k < drawn.count[time]; k++) {
            char source[TOPOLOGY_NODE_TEXT], destination[TOPOLOGY_NODE_TEXT];
            PRINT("%s %s %u", topology_node_text(tree, drawn.at[time][k].source, source),
                  topology_node_text(tree, drawn.at[time][k].destination, destination),
                  drawn.at[time][k].packet);
            if (tree->capacity[topology_branch(tree, drawn.at[time][k].source,
                                               drawn.at[time][k].destination)] > 1)
                PRINT(" %u", drawn.lane[time][k]);
            PRINT("\n");
        }
    }
    PRINT("end %u\n", drawn.end);
#undef PRINT
    assert_true(used < sizeof text);
    *job = (struct support_job){0};
    support_true(support_read(text, "drawn", &job->schedule, &err), &err);
}

static void several_packets_at_once_on_csim(void **state)
{
    (void)state;
    static const char *const trees[][2] = {{"3,2", "1,1"}, {"2,2,2", "1,2,2"}, {"4,3", "1,3"}};
    struct rng rng = {SEED};
    uint64_t transfers = 0;
    unsigned reads = 1;
    for (unsigned which = 0; which < DRAWN; which++) {
        const struct topology tree = tree_lab_parse(trees[which % 3][0], trees[which % 3][1]);
        const struct machine machine = machine_of(&tree, which % 2, 16);
        struct support_job job;
        draw(&tree, &rng, &job);
        reduction_lab_build(machine, machine.log2_rows == 0, 1 + which % 9, SEED + which, &job);
        run(&job, &reduction_lab_csim, which % MACHINE_OPERATORS);
        transfers += job.schedule.transfer_count;
        reads = job.image.machine.reads > reads ? job.image.machine.reads : reads;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u schedules, %" PRIu64 " transfers, up to %u packets of an "
                  "input in a step\n",
                  SEED, DRAWN, transfers, reads);
    assert_true(reads > 1);
}

/* -- RTL --------------------------------------------------------------------------------------- */

static void sample_on_rtl(const char *children, const char *capacity, unsigned pad, unsigned width)
{
    const struct topology tree = tree_lab_parse(children, capacity);
    struct machine machine = machine_of(&tree, pad, width);
    const uint64_t seed = SEED + tree.nodes;
    struct rng rng = {seed};
    machine.log2_packets = machine.log2_flits = 3;
    machine.log2_rows = 6;
    machine.reads = 3;
    for (unsigned level = 1; level <= tree.height; level++)
        machine.depth[level] = 6;
    uint64_t transfers = 0;
    for (unsigned which = 0; which < RTL_RUNS; which++) {
        struct support_job job;
        if (which % 2 == 0)
            reduce(&tree, which % 4 == 0, which % 8 == 6, 0, 1 + which % 8, &job);
        else
            draw(&tree, &rng, &job);
        reduction_lab_build(machine, machine.log2_rows == 0, 1 + rng_below(&rng, 8), seed + which,
                            &job);
        run(&job, &reduction_lab_both, which / 2 % MACHINE_OPERATORS);
        transfers += job.schedule.transfer_count;
        support_job_free(&job);
    }
    print_message("seed %" PRIu64 ": %u runs, %" PRIu64 " transfers\n", seed, RTL_RUNS, transfers);
}

static void four_leaves_on_rtl(void **state)
{
    (void)state;
    sample_on_rtl("2,2", "1,1", 0, 16);
}

static void eight_leaves_on_rtl(void **state)
{
    (void)state;
    sample_on_rtl("4,2", "1,2", 1, 9);
}

static void sixteen_leaves_on_rtl(void **state)
{
    (void)state;
    sample_on_rtl("4,4", "1,1", 3, 31);
}

/* -- Faults ------------------------------------------------------------------------------------ */

/* Returns whether the router of a table word sends a result in the row of the word. */
static bool sends_result(const struct image *image, const struct machine_place *place)
{
    const uint32_t both = MACHINE_VALID | MACHINE_RESULT;
    bool sends = false;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(&image->machine, image->word[k].address);
        sends = sends || (at.region == MACHINE_TABLE && at.bank == place->bank &&
                          at.row == place->row && (image->word[k].word & both) == both);
    }
    return sends;
}

/* Flips a bit in each word of the tables, and runs the image. */
static void flip_each(struct support_job *job, uint32_t bit, unsigned *found, unsigned *same)
{
    for (size_t k = 0; k < job->image.count; k++) {
        const struct machine_place at =
            machine_place_of(&job->image.machine, job->image.word[k].address);
        if (at.region != MACHINE_TABLE)
            continue;
        struct simulate_report report;
        struct err err = {0};
        uint32_t *word = &job->image.word[k].word;
        const bool matters =
            bit == MACHINE_OPERAND ? sends_result(&job->image, &at) : *word & MACHINE_VALID;
        *word ^= bit;
        assert_int_equal(!simulate(&job->image, &job->schedule, &job->payload, &reduction_lab_csim,
                                   &report, &err),
                         matters);
        if (matters)
            assert_int_equal(err_exit_status(err.code), 1);
        *word ^= bit;
        ++*(matters ? found : same);
    }
}

static void each_flipped_bit_that_matters_is_found(void **state)
{
    (void)state;
    static const char *const trees[][2] = {{"2,2", "1,1"}, {"3,2", "1,2"}};
    unsigned found = 0, same = 0;
    for (size_t t = 0; t < sizeof trees / sizeof *trees; t++)
        for (unsigned to_all = 0; to_all <= 1; to_all++) {
            const struct topology tree = tree_lab_parse(trees[t][0], trees[t][1]);
            const struct machine machine = machine_of(&tree, 0, 16);
            struct support_job job;
            reduce(&tree, to_all, false, 0, 2, &job);
            reduction_lab_build(machine, machine.log2_rows == 0, 2, SEED, &job);
            flip_each(&job, MACHINE_OPERAND, &found, &same);
            flip_each(&job, MACHINE_RESULT, &found, &same);
            support_job_free(&job);
        }
    print_message("%u flipped bits matter, all found; %u do not\n", found, same);
    assert_true(found > 100 && same > 100);
}

static void what_a_router_cannot_combine(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *part;
    } cases[] = {{"reduce 1-2 0 *\nround 1\n2 1:1 1\n3 1:1 1\n1 1:0 1\nround 2\n2 1:1 2\n3 1:1 2\n"
                  "1 1:0 2\nround 3\n1:1 2:0 1\n1:1 2:0 2\nround 4\n2:0 1:0 1\n2:0 1:0 2\n"
                  "round 5\n1:0 0 1\nround 6\n1:0 0 2\nend 6\n",
                  "router 1:1 combines two packets in a step"},
                 {"reduce 1 0 *\nround 1\n2 1:1 1\n1 1:0 1\nround 2\n1:1 2:0 1\n3 1:1 1\n"
                  "round 3\n2:0 1:0 1\n1:1 2:0 1\nround 4\n2:0 1:0 1\nround 5\n1:0 0 1\nend 5\n",
                  "router 2:0 combines two copies of a packet from one input"}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct topology tree = tree_lab_parse("2,2", "1,2");
        struct machine machine = machine_of(&tree, 0, 16);
        struct support_job job = {0};
        struct err err = {0};
        char text[1024];
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm given\ntopology tree 2 2 capacity 1 2\n"
                 "model multiport\n%s",
                 cases[which].lines);
        support_true(support_read(text, "given", &job.schedule, &err), &err);
        support_payload(&job.schedule, &machine, 2, SEED, &job.payload);
        support_true(machine_sizing_fit(&job.schedule, 2, NULL, &machine, &err), &err);
        assert_false(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err));
        support_error(&err, ERR_UNSUPPORTED, cases[which].part, "a router has one operator");
        support_job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tree_and_operator_on_csim),
        cmocka_unit_test(leaves_of_several_links_on_csim),
        cmocka_unit_test(leaves_of_several_links_on_rtl),
        cmocka_unit_test(several_packets_at_once_on_csim),
        cmocka_unit_test(each_flipped_bit_that_matters_is_found),
        cmocka_unit_test(what_a_router_cannot_combine),
        cmocka_unit_test(four_leaves_on_rtl),
        cmocka_unit_test(eight_leaves_on_rtl),
        cmocka_unit_test(sixteen_leaves_on_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
