/* SPDX-License-Identifier: Apache-2.0 */
/* test_image_fewest: an image and its fewest writes leave the same content in every memory, and no
 * fewer writes do.
 *
 * Exhaustive: all final contents of one address in four nodes, each node unchanged or with one of
 * three words. A search through all contents that writes can produce finds the minimum number of
 * writes. Sampled, with printed seeds: earlier writes of the image to that address; images of
 * random words for machines of several kinds, which csim loads both as they are and as the fewest
 * writes, over the same random words. Every word of every node is read back.
 *
 * Counter-cases: the test detects a write to all nodes that changes a node which the image leaves
 * unchanged, and a write to all nodes that makes a node's list of packets in cube-auto longer than
 * in the image.
 */
#include "sched/base/rng.h"
#include "sched/image/image.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/setting_period_lab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261123)

/* -- All of a place ---------------------------------------------------------------------------- */

/* A state has two bits for each of four nodes: 0 for the previous word, or word 1, 2 or 3. */
enum { NODES = 4, WORDS = 3, STATES = 256 };

static unsigned word_in(unsigned state, unsigned node)
{
    return state >> 2 * node & 3;
}

static unsigned written(unsigned state, unsigned node, unsigned word)
{
    return (state & ~(3u << 2 * node)) | word << 2 * node;
}

static unsigned written_to_all(unsigned word)
{
    return word * 0x55;
}

static bool improve(unsigned least[STATES], unsigned state, unsigned writes)
{
    const bool better = writes < least[state];
    if (better)
        least[state] = writes;
    return better;
}

/* least[state]: the minimum number of writes that lead from the previous words to a state, relaxed
 * until no entry improves. */
static void search(unsigned least[STATES])
{
    for (unsigned state = 0; state < STATES; state++)
        least[state] = state == 0 ? 0 : STATES;
    for (bool better = true; better;) {
        better = false;
        for (unsigned state = 0; state < STATES; state++)
            for (unsigned word = 1; least[state] < STATES && word <= WORDS; word++) {
                better |= improve(least, written_to_all(word), least[state] + 1);
                for (unsigned node = 0; node < NODES; node++)
                    better |= improve(least, written(state, node, word), least[state] + 1);
            }
    }
}

static void put(struct image *image, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(image_append(image, address, word, &err), &err);
}

/* Adds writes that leave a state, whatever the image wrote to the address before. */
static void leave(struct image *image, uint32_t address, unsigned bits, unsigned state,
                  struct rng *rng)
{
    bool whole = true;
    for (unsigned node = 0; node < NODES; node++)
        whole &= word_in(state, node) != 0;
    for (uint32_t before = rng_below(rng, 6); before > 0; before--) {
        const uint32_t node = rng_below(rng, NODES), word = 1 + rng_below(rng, WORDS);
        if (whole && rng_below(rng, 2) == 0)
            put(image, MACHINE_ALL_NODES | address, word);
        else if (word_in(state, node) != 0)
            put(image, address | node << bits, word);
    }
    const unsigned rest = whole && rng_below(rng, 2) ? 1 + rng_below(rng, WORDS) : 0;
    if (rest)
        put(image, MACHINE_ALL_NODES | address | rng_below(rng, NODES) << bits, rest);
    for (unsigned k = 0, first = rng_below(rng, NODES); k < NODES; k++) {
        const unsigned node = (first + k) % NODES;
        if (word_in(state, node) != rest)
            put(image, address | node << bits, word_in(state, node));
    }
}

static unsigned state_after(const struct image *image, unsigned bits)
{
    unsigned state = 0;
    for (size_t k = 0; k < image->count; k++) {
        const uint32_t address = image->word[k].address;
        if (address & MACHINE_ALL_NODES)
            state = written_to_all(image->word[k].word);
        else
            state = written(state, (address & 0x0fffffff) >> bits, image->word[k].word);
    }
    return state;
}

static void no_fewer_do(void **state_)
{
    (void)state_;
    const struct machine machine = MULTISTAGE(2, 1, 0, 8, 2, 1, 3);
    const struct {
        uint32_t address;
        unsigned bits;
    } places[] = {{machine_program_address(&machine, MACHINE_SEND, 0, 5), 3},
                  {machine_program_address(&machine, MACHINE_RECEIVE, 0, 2), 3},
                  {machine_packet_address(&machine, 0, 3, 1), 3}};
    unsigned least[STATES];
    struct rng rng = {SEED};
    struct err err = {0};
    print_message("seed %" PRIu64 "\n", SEED);
    search(least);
    assert_int_equal(least[written_to_all(3)], 1);
    assert_int_equal(least[STATES - 1 - (3u << 4)], 3); /* three nodes of four */
    for (unsigned trial = 0; trial < 20 * 3; trial++)
        for (unsigned state = 0; state < STATES; state++) {
            struct image image = {.machine = machine}, fewest;
            leave(&image, places[trial % 3].address, places[trial % 3].bits, state, &rng);
            assert_int_equal(state_after(&image, places[trial % 3].bits), state);
            support_true(image_fewest(&image, &fewest, &err), &err);
            assert_int_equal(state_after(&fewest, places[trial % 3].bits), state);
            assert_int_equal(fewest.count, least[state]);
            image_free(&fewest);
            image_free(&image);
        }
}

/* -- On csim ----------------------------------------------------------------------------------- */

struct memories {
    uint32_t nodes;
    size_t count;
    uint32_t word[1 << 14];
};

static void keep(void *self, uint32_t k, const uint32_t word[])
{
    (void)k;
    struct memories *memories = self;
    assert_true(memories->count + memories->nodes <= sizeof memories->word / sizeof(uint32_t));
    memcpy(memories->word + memories->count, word, memories->nodes * sizeof *word);
    memories->count += memories->nodes;
}

static uint32_t places_of(const struct machine *machine, enum machine_region region)
{
    return UINT32_C(1) << (region == MACHINE_PACKET ? machine->log2_packets + machine->log2_flits
                                                    : machine_log2_program_rows(machine));
}

/* Loads an image into a machine whose programs and packets have random words of a seed, then reads
 * all programs and packets. */
static void load_and_read(const struct image *image, uint64_t seed, struct memories *memories)
{
    struct rng rng = {seed};
    struct testbench testbench;
    struct err err = {0};
    const struct machine *machine = &image->machine;
    const struct testbench_reader reader = {memories, keep};
    *memories = (struct memories){.nodes = machine_ports(machine)};
    support_true(
        testbench_open((enum engine_kind[]){ENGINE_CSIM}, 1, machine, false, &testbench, &err),
        &err);
    for (enum machine_region region = MACHINE_SEND; region <= MACHINE_PACKET; region++)
        for (uint32_t node = 0; node < memories->nodes; node++)
            for (uint32_t place = 0; place < places_of(machine, region); place++) {
                const unsigned bits = region == MACHINE_PACKET
                                          ? machine->log2_packets + machine->log2_flits
                                          : machine->log2_rows;
                support_true(testbench_write(&testbench,
                                             machine_region_address(region) | node << bits | place,
                                             (uint32_t)rng_next(&rng), &err),
                             &err);
            }
    support_true(testbench_load(&testbench, image, &err), &err);
    for (enum machine_region region = MACHINE_SEND; region <= MACHINE_PACKET; region++)
        support_true(testbench_read_nodes(&testbench, machine_region_address(region),
                                          places_of(machine, region), &reader, &err),
                     &err);
    testbench_close(&testbench);
}

static bool same_memories(const struct image *image, const struct image *other, uint64_t seed)
{
    static struct memories seen, expected;
    load_and_read(image, seed, &expected);
    load_and_read(other, seed, &seen);
    return seen.count == expected.count &&
           memcmp(seen.word, expected.word, seen.count * sizeof *seen.word) == 0;
}

/* Makes random words of three values at addresses that the machine has, many of them addresses of
 * all nodes. */
static void random_image(struct rng *rng, struct image *image)
{
    const struct machine *machine = &image->machine;
    while (image->count < 300) {
        const uint32_t region = rng_below(rng, 4) + MACHINE_TABLE;
        const uint32_t all = rng_below(rng, 8) == 0 ? MACHINE_ALL_NODES : 0;
        const uint32_t address =
            all | machine_region_address((enum machine_region)region) | rng_below(rng, 1u << 8);
        if (machine_has_address(machine, address))
            put(image, address, MACHINE_VALID | rng_below(rng, 3));
    }
}

/* Checks that tables keep their order of the image and precede all other words. */
static void assert_tables_first(const struct image *image, const struct image *fewest)
{
    size_t tables = 0;
    for (size_t k = 0; k < image->count; k++)
        if (machine_region_of(image->word[k].address) == MACHINE_TABLE) {
            assert_int_equal(fewest->word[tables].address, image->word[k].address);
            assert_int_equal(fewest->word[tables].word, image->word[k].word);
            tables++;
        }
    for (size_t k = tables; k < fewest->count; k++)
        assert_int_not_equal(machine_region_of(fewest->word[k].address), MACHINE_TABLE);
}

static struct machine small_memories(struct machine machine)
{
    machine.width = 9;
    machine.log2_packets = 2;
    machine.log2_flits = 1;
    machine.log2_rows = 3;
    machine.log2_period = machine_has_setting_period(&machine) ? 2 : 0;
    machine.log2_settings = machine_is_indexed(&machine);
    return machine;
}

static void random_images_on(struct machine machine, struct rng *rng)
{
    struct err err = {0};
    support_true(machine_check(&machine, &err), &err);
    for (unsigned trial = 0; trial < 10; trial++) {
        struct image image = {.machine = machine}, fewest;
        random_image(rng, &image);
        support_true(image_fewest(&image, &fewest, &err), &err);
        assert_true(same_memories(&image, &fewest, rng_next(rng)));
        assert_true(fewest.count < image.count);
        assert_tables_first(&image, &fewest);
        image_free(&fewest);
        image_free(&image);
    }
}

static void random_images(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:2", "benes:5", "omega:8", "multicast:16"};
    static const uint32_t children[] = {3, 2}, capacity[] = {1, 2};
    struct rng rng = {SEED + 1};
    struct err err = {0};
    print_message("seed %" PRIu64 "\n", SEED + 1);
    for (unsigned network = 0; network < sizeof networks / sizeof *networks; network++)
        random_images_on(small_memories(setting_period_lab_machine(
                             networks[network], (struct setting_period_lab_how){0})),
                         &rng);
    random_images_on(small_memories(setting_period_lab_machine(
                         "benes:8", (struct setting_period_lab_how){MACHINE_TAGS, true})),
                     &rng);
    for (enum machine_kind kind = MACHINE_FAT_TREE; kind <= MACHINE_FAT_TREE_AUTO; kind++) {
        struct machine machine = {.kind = kind, .reads = 1, .depth = {0, 4, 4}, .queue = {0, 4, 4}};
        support_true(topology_tree(2, children, capacity, &machine.topology, &err), &err);
        if (kind == MACHINE_FAT_TREE)
            memset(machine.queue, 0, sizeof machine.queue);
        random_images_on(small_memories(machine), &rng);
    }
}

/* -- Counter-cases ----------------------------------------------------------------------------- */

/* Three of four nodes get a word. One write to all nodes would replace three writes, but is
 * wrong. */
static void a_node_outside(void **state)
{
    (void)state;
    struct err err = {0};
    struct image image = {.machine = MULTISTAGE(2, 1, 0, 8, 2, 1, 3)}, all = image, fewest;
    for (uint32_t node = 0; node < 3; node++)
        put(&image, machine_packet_address(&image.machine, node, 1, 0), MACHINE_VALID | 7);
    put(&all, MACHINE_ALL_NODES | machine_packet_address(&image.machine, 0, 1, 0),
        MACHINE_VALID | 7);
    support_true(image_fewest(&image, &fewest, &err), &err);
    assert_int_equal(fewest.count, 3);
    assert_true(same_memories(&image, &fewest, SEED));
    assert_false(same_memories(&image, &all, SEED));
    image_free(&fewest);
    image_free(&all);
    image_free(&image);
}

/* The only word of a place is one to all nodes: it is kept where it is, in places side by side. */
static void a_word_to_all_alone(void **state)
{
    (void)state;
    struct err err = {0};
    struct image image = {.machine = MULTISTAGE(2, 1, 0, 8, 2, 1, 3)}, fewest;
    for (uint32_t row = 2; row < 5; row++)
        put(&image,
            MACHINE_ALL_NODES | machine_program_address(&image.machine, MACHINE_SEND, 0, row),
            MACHINE_VALID | row);
    support_true(image_fewest(&image, &fewest, &err), &err);
    assert_int_equal(fewest.count, image.count);
    for (size_t k = 0; k < image.count; k++) {
        assert_int_equal(fewest.word[k].address, image.word[k].address);
        assert_int_equal(fewest.word[k].word, image.word[k].word);
    }
    image_free(&fewest);
    image_free(&image);
}

/* Node 6 has a list of eight packets, node 7 a list of one. A write of the second packet of node 6
 * to all nodes would make every list two packets long. */
static void lists_of_uneven_length(void **state)
{
    (void)state;
    struct err err = {0};
    struct simulate_report report;
    struct support_job job;
    const struct topology cube = cube_lab_make(3);
    const struct machine machine = cube_auto_lab_machine(&cube, 1, 16, 3);
    cube_auto_lab_job(&machine, &(struct cube_runs_set){9, {6, 6, 6, 6, 6, 6, 6, 6, 7}}, 3, &job);
    support_true(setting_period_lab_holds(&job, &job.image, &report, &err), &err);
    const uint32_t second =
        machine_program_address(&machine, MACHINE_SEND, wiring_first_endpoint(&cube, 6), 1);
    size_t found = 0;
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address == second) {
            job.image.word[k].address |= MACHINE_ALL_NODES;
            found++;
        }
    assert_int_equal(found, 1);
    assert_false(setting_period_lab_holds(&job, &job.image, &report, &err));
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_fewer_do),
        cmocka_unit_test(random_images),
        cmocka_unit_test(a_node_outside),
        cmocka_unit_test(a_word_to_all_alone),
        cmocka_unit_test(lists_of_uneven_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
