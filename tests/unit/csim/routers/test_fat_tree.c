/* SPDX-License-Identifier: Apache-2.0 */
/* test_fat_tree: the fat tree machine with tables, against a reference that moves whole packets.
 *
 * Random legal tables: in every row each leaf may send any packet that it holds and each router may
 * send, at each of its outputs, any packet that is in a buffer of another port; the number of
 * different packets from one buffer is limited by its read ports. The packets that every leaf
 * receives in every row, their cycles, and all words that the leaves hold in the end must match the
 * reference; then the same machine runs the same image again. Sampled: trees (mixed children,
 * capacities, n a power of two or not), depths, read ports, flits, latencies, idle cycles, both
 * port models. The seeds are printed. Counter-cases: a table that is changed in one word causes a
 * difference; a place that no packet came to, and a second packet in a single-port row, raise
 * flags. A reset in any of the first cycles leaves no trace in the next run. On csim alone: the
 * machine writes each of its signals whole, with tables or without.
 */
#include "csim/kernel/csim.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "testbench/engine/dut_csim.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/fat_tree_tables.h"
#include "tests/support/support.h"

#define SEED 20261121
#define TREES (sizeof trees / sizeof *trees)

static const struct {
    unsigned height;
    uint32_t children[4], capacity[4];
} trees[] = {{1, {2}, {1}},
             {1, {5}, {1}},
             {2, {2, 2}, {1, 1}},
             {2, {3, 2}, {1, 2}},
             {2, {2, 3}, {1, 5}},
             {2, {4, 4}, {1, 4}},
             {3, {2, 3, 4}, {1, 2, 3}},
             {3, {3, 2, 2}, {1, 1, 4}},
             {3, {4, 2, 3}, {1, 1, 1}},
             {4, {2, 2, 2, 2}, {1, 2, 4, 8}},
             {1, {3}, {2}},
             {2, {2, 3}, {3, 1}},
             {3, {2, 2, 2}, {2, 1, 3}}};

/* -- Random machines --------------------------------------------------------------------------- */

static struct fat_tree_lab draw_machine(uint64_t seed)
{
    static const unsigned pads[] = {0, 0, 1, 2, 5}, flits[] = {1, 2, 3, 7, 8, 9, 16, 17, 32};
    static const unsigned log2_flits[] = {5, 4, 1}, fit[] = {0, 2, 0, 0, 7, 9};
    struct rng rng = {seed};
    size_t tree = seed % TREES;
    struct fat_tree_lab lab = fat_tree_lab_open(
        seed, MACHINE_FAT_TREE, trees[tree].height, trees[tree].children, trees[tree].capacity,
        pads[fat_tree_reference_draw(&rng, 5)], log2_flits[fat_tree_reference_draw(&rng, 3)], 5);
    lab.machine.reads = 1 + fat_tree_reference_draw(&rng, 2);
    for (unsigned level = 1; level <= lab.machine.topology.height; level++)
        lab.machine.depth[level] = 1 + fat_tree_reference_draw(&rng, 6);
    bool hurried = fat_tree_reference_draw(&rng, 6) == 0; /* rows of one cycle */
    uint32_t f = hurried ? 1 : flits[fat_tree_reference_draw(&rng, fit[lab.machine.log2_flits])];
    if (hurried)
        lab.machine.pad = 0;
    lab.run = (struct run){.rows = 32 - fat_tree_reference_draw(&rng, 5),
                           .flits = f,
                           .row_cycles = f + lab.machine.pad +
                                         (hurried ? 0 : fat_tree_reference_draw(&rng, 2) * 3),
                           .single_port = fat_tree_reference_draw(&rng, 4) == 0};
    return lab;
}

static struct fat_tree_lab draw_lab(uint64_t seed)
{
    struct fat_tree_lab lab = draw_machine(seed);
    fat_tree_tables_draw(&lab);
    return lab;
}

/* -- Tests ------------------------------------------------------------------------------------- */

static void random_tables_move_what_they_name(void **unused)
{
    (void)unused;
    uint32_t receipts = 0, single = 0, streaming = 0;
    print_message("seeds %d …\n", SEED);
    for (uint64_t seed = SEED; seed < SEED + 10 * TREES; seed++) {
        struct fat_tree_lab lab = draw_lab(seed);
        fat_tree_lab_start(&lab);
        fat_tree_lab_assert_right(&lab);
        receipts += lab.receipts;
        fat_tree_lab_again(&lab);
        fat_tree_lab_assert_right(&lab);
        single += lab.run.single_port;
        streaming += lab.run.row_cycles == 1;
        testbench_close(&lab.testbench);
        fat_tree_lab_close(&lab);
    }
    print_message("%u receipts, %u single-port runs, %u with rows of a cycle\n", receipts, single,
                  streaming);
    assert_true(receipts > 10000 && single > 0 && streaming > 0);
}

/* Returns whether a word causes a router of level 1 to send to a leaf. */
static bool sends_to_leaf(const struct fat_tree_lab *lab, const struct image_word *word)
{
    const struct machine_place at = machine_place_of(&lab->machine, word->address);
    return at.region == MACHINE_TABLE && word->word & MACHINE_VALID &&
           at.column < lab->reference.children[1] * lab->machine.reads &&
           lab->reference.level[lab->reference.leaves + at.bank] == 1;
}

/* Such a word is needed: if it is changed, a leaf misses a packet. */
static void a_changed_table_shows(void **unused)
{
    (void)unused;
    for (uint64_t seed = SEED; seed < SEED + 2 * TREES; seed++) {
        struct fat_tree_lab lab = draw_lab(seed);
        fat_tree_lab_start(&lab);
        size_t k = lab.image.count - 1;
        while (k > 0 && !sends_to_leaf(&lab, &lab.image.word[k]))
            k--;
        assert_true(k > 0);
        lab.image.word[k].word ^= MACHINE_VALID;
        fat_tree_lab_again(&lab);
        assert_true(lab.differ > 0);
        assert_true(lab.leaf_flags & MACHINE_MISSING);
        lab.image.word[k].word ^= MACHINE_VALID;
        fat_tree_lab_again(&lab);
        fat_tree_lab_assert_right(&lab);
        testbench_close(&lab.testbench);
        fat_tree_lab_close(&lab);
    }
}

/* A router that sends from a place that no packet came to raises a flag, and no other router does.
 * The place before it in the buffer was filled. */
static void an_empty_place_is_not_held(void **unused)
{
    (void)unused;
    for (uint32_t place = 0; place < 3; place++)
        for (uint32_t flits = 1; flits <= 9; flits += 4) {
            struct fat_tree_lab lab =
                fat_tree_lab_open(SEED, MACHINE_FAT_TREE, 2, (const uint32_t[]){2, 3},
                                  (const uint32_t[]){1, 1}, 1, 4, 4);
            lab.machine.depth[1] = 3;
            lab.run = (struct run){.rows = 4, .flits = flits, .row_cycles = flits + 1};
            fat_tree_lab_fill(&lab, FAT_TREE_LAB_SLOTS);
            fat_tree_lab_load_packets(&lab);
            fat_tree_lab_load_run(&lab);
            /* Leaf 2 sends in rows 0 and 1; its router, router 1, sends to leaf 3 in row 2. */
            for (uint32_t row = 0; row < 2; row++)
                fat_tree_lab_word(&lab, machine_program_address(&lab.machine, MACHINE_SEND, 2, row),
                                  MACHINE_VALID | row);
            fat_tree_lab_word(&lab, machine_table_address(&lab.machine, 1, 2, 1),
                              machine_send_word(0));
            fat_tree_lab_word(&lab, machine_table_address(&lab.machine, 1, 2, 0), place);
            fat_tree_lab_word(&lab, machine_program_address(&lab.machine, MACHINE_RECEIVE, 3, 2),
                              MACHINE_VALID | 7);
            bool held = place < 2;
            if (held)
                fat_tree_lab_receive(&lab, 2, 3, *fat_tree_lab_memory(&lab, 2, place), 7);
            lab.reference.steps = held ? 3 : 2;
            fat_tree_lab_start(&lab);
            assert_int_equal(lab.router_flags, held ? 0 : MACHINE_ROUTER_NOT_HELD);
            assert_int_equal(lab.leaf_flags, held ? 0 : MACHINE_MISSING);
            assert_int_equal(lab.differ != 0, !held);
            for (uint32_t router = 0; router < 4; router++)
                assert_int_equal(fat_tree_lab_read(&lab, machine_router_flags_address(router)),
                                 held || router != 1 ? 0 : MACHINE_ROUTER_NOT_HELD);
            testbench_close(&lab.testbench);
            fat_tree_lab_close(&lab);
        }
}

/* Two outputs in one row are legal unless the run is single-port. */
static void two_outputs_are_one_too_many(void **unused)
{
    (void)unused;
    for (uint32_t single_port = 0; single_port < 2; single_port++)
        for (uint32_t outputs = 1; outputs <= 2; outputs++) {
            struct fat_tree_lab lab = fat_tree_lab_open(
                SEED, MACHINE_FAT_TREE, 1, (const uint32_t[]){3}, (const uint32_t[]){1}, 0, 4, 4);
            lab.run =
                (struct run){.rows = 2, .flits = 3, .row_cycles = 3, .single_port = single_port};
            fat_tree_lab_fill(&lab, FAT_TREE_LAB_SLOTS);
            fat_tree_lab_load_packets(&lab);
            fat_tree_lab_load_run(&lab);
            fat_tree_lab_word(&lab, machine_program_address(&lab.machine, MACHINE_SEND, 0, 0),
                              MACHINE_VALID);
            for (uint32_t port = 1; port <= outputs; port++) {
                fat_tree_lab_word(&lab, machine_table_address(&lab.machine, 0, 1, port),
                                  machine_send_word(0));
                fat_tree_lab_word(&lab,
                                  machine_program_address(&lab.machine, MACHINE_RECEIVE, port, 1),
                                  MACHINE_VALID | 5);
                fat_tree_lab_receive(&lab, 1, port, *fat_tree_lab_memory(&lab, 0, 0), 5);
            }
            lab.reference.steps = 2;
            fat_tree_lab_start(&lab);
            assert_int_equal(lab.differ, 0);
            assert_int_equal(lab.receipts, outputs);
            assert_int_equal(lab.leaf_flags, 0);
            assert_int_equal(lab.router_flags,
                             single_port && outputs == 2 ? MACHINE_ROUTER_TWICE : 0);
            testbench_close(&lab.testbench);
            fat_tree_lab_close(&lab);
        }
}

/* Every word that is written is read back; endpoints and routers that do not exist read 0 and
 * ignore writes; the registers report the shape. */
static void the_host_reads_what_it_wrote(void **unused)
{
    (void)unused;
    struct err err = {0};
    for (uint64_t seed = SEED; seed < SEED + TREES; seed++) {
        struct fat_tree_lab lab = draw_lab(seed);
        uint32_t endpoints = lab.reference.endpoints;
        uint32_t routers = lab.reference.nodes - lab.reference.leaves;
        support_true(testbench_open(fat_tree_lab_engines, FAT_TREE_LAB_CSIM, &lab.machine, false,
                                    &lab.testbench, &err),
                     &err);
        lab.image.machine = lab.machine;
        support_true(testbench_load(&lab.testbench, &lab.image, &err), &err);
        for (uint32_t beyond = endpoints; beyond < 1u << machine_node_bits(&lab.machine);
             beyond++) {
            uint32_t address = machine_packet_address(&lab.machine, beyond, 0, 0);
            support_true(testbench_write(&lab.testbench, address, MACHINE_VALID | 1, &err), &err);
            support_true(
                testbench_write(&lab.testbench,
                                machine_program_address(&lab.machine, MACHINE_SEND, beyond, 0),
                                MACHINE_VALID | 1, &err),
                &err);
            assert_int_equal(fat_tree_lab_read(&lab, address), 0);
            assert_int_equal(fat_tree_lab_read(&lab, machine_flags_address(beyond)), 0);
        }
        for (size_t k = 0; k < lab.image.count; k++)
            assert_int_equal(fat_tree_lab_read(&lab, lab.image.word[k].address),
                             lab.image.word[k].word);
        assert_int_equal(fat_tree_lab_read(&lab, MACHINE_PORTS), endpoints);
        assert_int_equal(fat_tree_lab_read(&lab, MACHINE_ROUTERS), routers);
        assert_int_equal(fat_tree_lab_read(&lab, MACHINE_LATENCY), lab.machine.pad);
        assert_int_equal(fat_tree_lab_read(&lab, MACHINE_STEPS), 0);
        testbench_close(&lab.testbench);
        fat_tree_lab_close(&lab);
    }
}

static void step(struct testbench *testbench, unsigned cycles, const struct dut_inputs *inputs)
{
    for (unsigned k = 0; k < cycles; k++)
        testbench->engine[0].ops->step(testbench->engine[0].self, inputs, &testbench->outputs);
}

/* Runs tables without packets for a number of cycles, so that routers send packets that they do not
 * hold, while the host asks for the flags of all leaves, which is rejected during a run. */
static void run_empty(struct fat_tree_lab *lab, unsigned cycles, const struct dut_inputs *inputs)
{
    struct err err = {0};
    for (size_t k = 0; k < lab->image.count; k++)
        if (machine_region_of(lab->image.word[k].address) != MACHINE_PACKET)
            support_true(testbench_write(&lab->testbench, lab->image.word[k].address,
                                         lab->image.word[k].word, &err),
                         &err);
    step(&lab->testbench, 1, &(struct dut_inputs){0});
    step(&lab->testbench, 1, &(struct dut_inputs){.start = true});
    step(&lab->testbench, cycles, inputs);
}

static unsigned count_flags(struct fat_tree_lab *lab)
{
    unsigned raised = 0;
    for (uint32_t router = 0; router < machine_routers(&lab->machine); router++)
        raised += fat_tree_lab_read(lab, machine_router_flags_address(router)) != 0;
    return raised;
}

/* After a reset in any of the first cycles no router has a flag, and the next run equals the first.
 * Without a reset some routers have flags. */
static void a_reset_leaves_nothing(void **unused)
{
    (void)unused;
    const struct dut_inputs idle = {0},
                            read = {.host_re = true,
                                    .host_addr = MACHINE_ALL_NODES | machine_flags_address(0)};
    struct dut_inputs reset = read;
    unsigned raised = 0;
    reset.rst = true;
    for (uint64_t seed = SEED; seed < SEED + TREES; seed++) {
        struct fat_tree_lab lab = draw_lab(seed);
        struct err err = {0};
        lab.image.machine = lab.machine;
        lab.image.run = lab.run;
        support_true(testbench_open((const enum engine_kind[]){ENGINE_CSIM}, 1, &lab.machine, false,
                                    &lab.testbench, &err),
                     &err);
        for (unsigned cycles = 4 * lab.run.row_cycles + 8; cycles-- > 0;) {
            run_empty(&lab, cycles, &read);
            step(&lab.testbench, 1, &reset);
            step(&lab.testbench, lab.machine.pad + 3, &idle);
            assert_int_equal(count_flags(&lab), 0);
        }
        run_empty(&lab, 4 * lab.run.row_cycles + 8, &read);
        while (!lab.testbench.outputs.done)
            step(&lab.testbench, 1, &idle);
        step(&lab.testbench, 1, &idle);
        raised += count_flags(&lab);
        step(&lab.testbench, 1, &reset);
        step(&lab.testbench, lab.machine.pad + 3, &idle);
        fat_tree_lab_again(&lab);
        fat_tree_lab_assert_right(&lab);
        testbench_close(&lab.testbench);
        fat_tree_lab_close(&lab);
    }
    assert_true(raised > TREES);
}

/* Simulates one cycle of csim and checks that every signal is written whole and fits its width. */
static void audited_cycle(struct csim *sim, bool rst, bool start, const struct image_word *write)
{
    struct err err = {0};
    *csim_poke(csim_find(sim, "rst_i")) = rst;
    *csim_poke(csim_find(sim, "start_i")) = start;
    *csim_poke(csim_find(sim, "host_we_i")) = write != NULL;
    *csim_poke(csim_find(sim, "host_re_i")) = write == NULL;
    *csim_poke(csim_find(sim, "host_addr_i")) = write == NULL ? MACHINE_STATUS : write->address;
    *csim_poke(csim_find(sim, "host_wdata_i")) = write == NULL ? 0 : write->word;
    support_true(csim_audit(sim, &err), &err);
}

static void csim_writes_its_signals_whole(void **unused)
{
    (void)unused;
    struct err err = {0};
    for (uint64_t seed = SEED; seed < SEED + 2 * TREES; seed++) {
        struct fat_tree_lab lab = draw_lab(seed);
        if (seed >= SEED + TREES) {
            lab.machine.kind = MACHINE_FAT_TREE_AUTO;
            lab.run.row_cycles += machine_control_cycles(&lab.machine, lab.run.flits);
        }
        void *dut = dut_csim_create(&lab.machine, &err);
        support_true(dut != NULL, &err);
        struct csim *sim = dut_csim_simulator(dut);
        for (unsigned k = 0; k < lab.machine.pad + 3; k++)
            audited_cycle(sim, true, false, NULL);
        for (size_t k = 0; k < lab.image.count; k++)
            audited_cycle(sim, false, false, &lab.image.word[k]);
        for (uint32_t k = 0; k < lab.run.rows * lab.run.row_cycles; k++)
            audited_cycle(sim, false, k == 1, NULL);
        dut_csim_ops.destroy(dut);
        fat_tree_lab_close(&lab);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_move_what_they_name),
        cmocka_unit_test(a_changed_table_shows),
        cmocka_unit_test(an_empty_place_is_not_held),
        cmocka_unit_test(two_outputs_are_one_too_many),
        cmocka_unit_test(the_host_reads_what_it_wrote),
        cmocka_unit_test(a_reset_leaves_nothing),
        cmocka_unit_test(csim_writes_its_signals_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
