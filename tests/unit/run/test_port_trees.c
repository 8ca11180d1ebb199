/* SPDX-License-Identifier: Apache-2.0 */
/* test_port_trees: routers of fat trees and nodes of hypercubes combine in the order of their ports
 * that the certificate of a run states.
 *
 * The image alone is played here, with trees in place of words: a node sends, row by row, what its
 * programs and tables name, and an operand joins the others by the shape that the heads of
 * rc_combine_tree.sv and rc_node_memory.sv draw, typed anew. The certificate
 * of the trees that nodes then hold must be that of the schedule, and that of the report of a run
 * on csim (test_cube_reductions.c and test_tree_reductions.c compare it on the RTL).
 *
 * State space: reduce to the first and the last node, all-reduce and reduce-scatter in hypercubes,
 * d = 1 … 4; reduce and all-reduce in trees of 2 … 16 leaves, with several lanes.
 *
 * Counter-cases. Two schedules that combine the same packets along other arcs have other
 * certificates. Each combine bit of an image of a hypercube, and each operand bit of a row in which
 * a router sends a result, is flipped: each changes the trees of the image.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/schedule/certificate.h"
#include "sched/verify/combination.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/fat_tree_reference.h"
#include "tests/support/support.h"
#include "tests/support/tree_hash.h"
#include "tests/support/tree_lab.h"

#include <stdlib.h>
#include <string.h>

enum { PORTS = 64, SLOTS = 64, ROWS = 64, ROUTERS = 16, COLUMNS = 32, MOST = 4 };

static const struct simulate_options on_csim = {.engine_count = 1, .engine = {ENGINE_CSIM}};

/* -- The image in arrays ----------------------------------------------------------------------- */

static struct words {
    uint32_t send[ROWS][PORTS], receive[ROWS][PORTS];
    uint32_t table[ROWS][ROUTERS][COLUMNS];
} words;

/* The trees of packets at endpoints: [0] their own, in a hypercube [1] what arrived last. */
static uint64_t tree[PORTS][SLOTS][2];
static bool is_result[PORTS][SLOTS];

static void take_words(const struct image *image)
{
    memset(&words, 0, sizeof words);
    memset(tree, 0, sizeof tree);
    memset(is_result, 0, sizeof is_result);
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at =
            machine_place_of(&image->machine, image->word[k].address & ~MACHINE_ALL_NODES);
        const uint32_t word = image->word[k].word;
        assert_true(at.row < ROWS && at.node < PORTS && at.slot < SLOTS);
        assert_true(at.region != MACHINE_TABLE || (at.bank < ROUTERS && at.column < COLUMNS));
        if (at.region == MACHINE_SEND)
            words.send[at.row][at.node] = word;
        else if (at.region == MACHINE_RECEIVE)
            words.receive[at.row][at.node] = word;
        else if (at.region == MACHINE_TABLE)
            words.table[at.row][at.bank][at.column] = word;
        else if (at.region == MACHINE_PACKET && word & MACHINE_VALID)
            tree[at.node][at.slot][0] =
                hash_leaf(at.node / machine_node_endpoints(&image->machine));
    }
}

static uint32_t slot_of(uint32_t word)
{
    return word & (SLOTS - 1);
}

/* Joins the words of an array, 0 being none: branches 2k and 2k + 1 are below branch k, and the
 * words are branches count, count + 1 … */
static uint64_t join(const uint64_t word[], unsigned count)
{
    uint64_t branch[2 * PORTS] = {0};
    for (unsigned k = 0; k < count; k++)
        branch[count + k] = word[k];
    for (unsigned k = count - 1; k >= 1; k--)
        branch[k] = branch[2 * k] == 0       ? branch[2 * k + 1]
                    : branch[2 * k + 1] == 0 ? branch[2 * k]
                                             : hash_join(branch[2 * k], branch[2 * k + 1]);
    return branch[1];
}

/* -- Hypercubes -------------------------------------------------------------------------------- */

/* Returns what an endpoint of a node of d dimensions sends: its own word and what has arrived at
 * the endpoints of the node, or the result. */
static uint64_t node_word(unsigned d, uint32_t endpoint, uint32_t slot)
{
    const uint32_t first = endpoint / d * d;
    uint64_t word[MOST + 1] = {tree[endpoint][slot][0]};
    for (unsigned j = 0; j < d; j++) {
        if (is_result[first + j][slot])
            return tree[first + j][slot][1];
        word[1 + j] = tree[first + j][slot][1];
    }
    return join(word, d + 1);
}

static void play_cube(const struct image *image)
{
    const unsigned d = image->machine.topology.dimensions;
    const uint32_t endpoints = machine_ports(&image->machine);
    take_words(image);
    for (uint32_t row = 0; row < image->run.rows; row++) {
        uint64_t sent[PORTS] = {0};
        for (uint32_t e = 0; e < endpoints; e++)
            if (words.send[row][e] & MACHINE_VALID)
                sent[e] = node_word(d, e, slot_of(words.send[row][e]));
        for (uint32_t e = 0; e < endpoints; e++) {
            const uint32_t word = words.receive[row][e], slot = slot_of(word);
            if (!(word & MACHINE_VALID))
                continue;
            tree[e][slot][1] = sent[(e / d ^ UINT32_C(1) << e % d) * d + e % d];
            is_result[e][slot] = !(word & MACHINE_COMBINE);
        }
    }
}

static uint64_t cube_tree(const void *with, const struct demand *demand, uint32_t node,
                          uint32_t packet)
{
    const unsigned *d = with;
    (void)demand;
    return node_word(*d, node * *d, packet - 1);
}

/* -- Fat trees --------------------------------------------------------------------------------- */

/* A tree is a packet of the reference: its number is 1 + its index here. */
static uint64_t number[1 << 16];
static uint32_t numbers;

static uint32_t number_of(uint64_t hash)
{
    assert_true(numbers < sizeof number / sizeof *number);
    number[numbers] = hash;
    return ++numbers;
}

/* Returns the packet of an input that a column of a row reads; 0: none has arrived. */
static uint32_t packet_read(struct fat_tree_reference *r, uint32_t lane, uint32_t depth,
                            uint32_t address)
{
    for (uint32_t k = r->count[lane]; k-- > 0;)
        if (k % depth == address)
            return fat_tree_reference_forward(r, lane, k);
    return 0;
}

/* Sends what the table of a router names in a row. */
static void play_router(const struct machine *machine, struct fat_tree_reference *r,
                        uint32_t router, const uint32_t column[])
{
    const uint32_t ports = fat_tree_reference_ports(r, router), first = r->first[router],
                   reads = machine->reads, depth = machine->depth[r->level[router]];
    uint64_t operand[PORTS] = {0};
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t word = column[port * reads];
        const uint32_t packet =
            word & MACHINE_OPERAND ? packet_read(r, first + port, depth, word & 0xffff) : 0;
        operand[port] = packet == 0 ? 0 : number[packet - 1];
    }
    for (uint32_t port = 0; port < ports; port++) {
        const uint32_t word = column[port * reads], source = word >> 16 & 0x1fff;
        if (!(word & MACHINE_VALID))
            continue;
        r->sent[first + port] = word & MACHINE_RESULT ? number_of(join(operand, ports))
                                                      : packet_read(r, first + source / reads,
                                                                    depth, column[source] & 0xffff);
    }
}

static void play_tree(const struct image *image)
{
    const struct machine *machine = &image->machine;
    const struct topology *shape = &machine->topology;
    struct fat_tree_reference r = fat_tree_reference_open(shape->height, &shape->children[1],
                                                          &shape->capacity[1], image->run.rows + 1);
    uint32_t got[PORTS];
    numbers = 0;
    take_words(image);
    for (uint32_t row = 0; row < image->run.rows; row++) {
        for (uint32_t leaf = 0; leaf < r.leaves; leaf++)
            if (words.send[row][leaf] & MACHINE_VALID)
                r.sent[leaf] = number_of(tree[leaf][slot_of(words.send[row][leaf])][0]);
        for (uint32_t router = r.leaves; router < r.nodes; router++)
            play_router(machine, &r, router, words.table[row][router - r.leaves]);
        fat_tree_reference_deliver(&r, got);
        for (uint32_t leaf = 0; leaf < r.leaves; leaf++) {
            const uint32_t word = words.receive[row][leaf];
            uint64_t *at = &tree[leaf][slot_of(word)][0];
            if (got[leaf] == 0 || !(word & MACHINE_VALID))
                continue;
            *at = word & MACHINE_COMBINE ? hash_join(*at, number[got[leaf] - 1])
                                         : number[got[leaf] - 1];
        }
    }
    fat_tree_reference_close(&r);
}

static uint64_t leaf_tree(const void *with, const struct demand *demand, uint32_t node,
                          uint32_t packet)
{
    (void)with, (void)demand;
    return tree[node][packet - 1][0];
}

/* -- Comparison -------------------------------------------------------------------------------- */

/* Returns the certificate of the trees of an image. */
static uint64_t played(const struct image *image, const struct schedule *schedule)
{
    const unsigned d = image->machine.topology.dimensions;
    (d > 0 ? play_cube : play_tree)(image);
    return certificate_of(schedule, d > 0 ? cube_tree : leaf_tree, &d);
}

static uint64_t expected(const struct schedule *schedule)
{
    struct combination combination;
    struct err err = {0};
    support_true(combination_of(schedule, COMBINATION_BY_PORT, &combination, &err), &err);
    return combination.certificate;
}

/* Builds the image of a schedule, runs it and compares the three certificates. Returns that of the
 * image. */
static uint64_t compare(struct machine machine, struct support_job *job)
{
    struct simulate_report report;
    struct err err = {0};
    support_payload(&job->schedule, &machine, 1, 1, &job->payload);
    support_true(machine_sizing_fit(&job->schedule, 1, NULL, &machine, &err), &err);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
    support_true(simulate(&job->image, &job->schedule, &job->payload, &on_csim, &report, &err),
                 &err);
    const uint64_t hash = played(&job->image, &job->schedule);
    assert_true(hash == expected(&job->schedule));
    assert_true(hash == report.checks.certificate);
    return hash;
}

static void algorithm(const char *name, const struct topology *topology, enum model model,
                      uint32_t m, uint32_t source, struct support_job *job)
{
    const struct algorithm *found = support_algorithm(name);
    struct collective asked = {.kind = found->kind,
                               .n = topology->nodes,
                               .m = m,
                               .source = source,
                               .topology = topology,
                               .model = model,
                               .lambda = {1, 1}};
    *job = (struct support_job){0};
    support_schedule(found, &asked, &job->schedule);
}

static struct machine cube_machine(const struct topology *cube)
{
    struct machine machine = {
        .kind = MACHINE_CUBE, .topology = *cube, .combines = true, .reads = 1, .width = 16};
    topology_remove_routers(&machine.topology);
    return machine;
}

/* Flips a bit in each word that `flips` selects. Returns the number of flips, each of which must
 * change the trees. */
static unsigned flip_each(struct support_job *job, bool (*flips)(const struct image_word *word),
                          uint32_t bit, uint64_t right)
{
    unsigned count = 0;
    for (size_t k = 0; k < job->image.count; k++) {
        if (!flips(&job->image.word[k]))
            continue;
        job->image.word[k].word ^= bit;
        assert_true(played(&job->image, &job->schedule) != right);
        job->image.word[k].word ^= bit;
        count++;
    }
    assert_true(played(&job->image, &job->schedule) == right);
    return count;
}

static bool is_combined(const struct image_word *word)
{
    return machine_region_of(word->address) == MACHINE_RECEIVE && word->word & MACHINE_COMBINE;
}

static bool is_operand(const struct image_word *word)
{
    return machine_region_of(word->address) == MACHINE_TABLE && word->word & MACHINE_OPERAND;
}

static void test_cubes(void **state)
{
    (void)state;
    static const char *const names[] = {"cube-reduce", "cube-all-reduce",
                                        "cube-doubling-all-reduce", "cube-blocks-all-reduce",
                                        "cube-reduce-scatter"};
    unsigned flips = 0;
    for (unsigned d = 1; d <= MOST; d++)
        for (unsigned which = 0; which < 5; which++)
            for (uint32_t m = 1; m <= (which == 4 ? 1 : 2 * d + 1); m++)
                for (unsigned last = 0; last <= (which == 0); last++) {
                    const struct topology cube = cube_lab_make(d);
                    struct support_job job;
                    algorithm(names[which], &cube, MODEL_ALL_PORT, m, last * (cube.nodes - 1),
                              &job);
                    const uint64_t right = compare(cube_machine(&cube), &job);
                    if (d == 3)
                        flips += flip_each(&job, is_combined, MACHINE_COMBINE, right);
                    support_job_free(&job);
                }
    assert_true(flips > 500);
}

static void test_trees(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {{"2", "1"},     {"5", "1"},        {"2,2", "1,1"},
                                            {"3,2", "1,2"}, {"2,4", "1,3"},    {"2,2,2", "1,1,1"},
                                            {"4,4", "1,1"}, {"2,2,4", "1,1,2"}};
    unsigned flips = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned kind = 0; kind < 3; kind++)
            for (unsigned single = 0; single <= 1; single++)
                for (uint32_t m = 1; m <= (kind == 2 && single ? 1 : 4); m++) {
                    const struct topology shape = tree_lab_parse(shapes[s][0], shapes[s][1]);
                    const struct machine machine = {
                        .kind = MACHINE_FAT_TREE, .topology = shape, .width = 16, .combines = true};
                    struct support_job job;
                    algorithm(kind == 2 ? "tree-all-reduce" : "tree-reduce", &shape,
                              single ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, m,
                              kind == 1 ? shape.nodes - 1 : 0, &job);
                    const uint64_t right = compare(machine, &job);
                    flips += flip_each(&job, is_operand, MACHINE_OPERAND, right);
                    support_job_free(&job);
                }
    assert_true(flips > 500);
}

/* Node 3 sends to node 2 or to node 1, and in the third schedule node 2 sends before node 1. */
static void test_other_trees(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "topology hypercube 2\nmodel all-port\nreduce 1 0 *\nround 1\n3 2 1\nround 2\n1 0 1\n"
        "2 0 1\nend 2\n",
        "topology hypercube 2\nmodel all-port\nreduce 1 0 *\nround 1\n3 1 1\nround 2\n1 0 1\n"
        "2 0 1\nend 2\n",
        "topology hypercube 2\nmodel all-port\nreduce 1 0 *\nround 1\n3 1 1\n2 0 1\nround 2\n"
        "1 0 1\nend 2\n"};
    uint64_t seen[3];
    for (unsigned which = 0; which < 3; which++) {
        const struct topology cube = cube_lab_make(2);
        struct support_job job = {0};
        struct err err = {0};
        char text[300];
        snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm by hand\n%s", texts[which]);
        support_true(support_read(text, "hand", &job.schedule, &err), &err);
        seen[which] = compare(cube_machine(&cube), &job);
        support_job_free(&job);
    }
    const uint64_t leaf[] = {hash_leaf(0), hash_leaf(1), hash_leaf(2), hash_leaf(3)};
    assert_true(seen[0] ==
                hash_mix(hash_join(hash_join(leaf[1], hash_join(leaf[2], leaf[3])), leaf[0])));
    assert_true(seen[1] ==
                hash_mix(hash_join(hash_join(hash_join(leaf[1], leaf[3]), leaf[2]), leaf[0])));
    assert_true(seen[0] != seen[1]);
    assert_true(seen[2] == seen[1]); /* the order of arrival makes no difference */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cubes), cmocka_unit_test(test_trees),
                                       cmocka_unit_test(test_other_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
