/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_few: few packets in self-timed machines, csim and RTL in lockstep.
 *
 * With as many packets as in test_host_random, queues overflow at once, which hides other causes of
 * flags and the order of packets. Here
 *
 *   - some leaves of a tree send in the first rows, seldom to always: all to one leaf, each to a
 *     leaf of its own, to all, or a mixture. Packets have the minimum or maximum length. The flags
 *     of all routers are read after each run. Two leaves exchange packets for so many rows that the
 *     root's queue is full before a packet is late, and for fewer or more rows. Packets have words
 *     that are not held, in new machines;
 *   - some nodes of a hypercube, one to all, together have so few packets that all of them arrive
 *     before the rows are over, or more: many at one node, or a few at each. The flags of all nodes
 *     and the steps are read.
 *
 * After some runs the packets are also read. Both engines must agree on every output in every
 * cycle. The seed is printed. A quarter of the runs are made, unless every space is exhausted.
 * The faults of qa/mutants are applied to this test.
 *
 * Counter-cases: each router raises a flag in some runs and none in others; words that were not
 * held arrive as words of 0; some runs of a hypercube end before their rows do, and others do not.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_lab.h"
#include "tests/support/host_runs.h"
#include "tests/support/running.h"

#include <inttypes.h>

#define RUNS 1024
#define READ 4 /* the packets are read after one run in so many */
#define SLOTS 8
#define ALL_COME 30 /* packets of a hypercube whose last ones come in the last row */
#define MOST 46     /* capacity of its endpoints */
#define OWN 32      /* of a node at most */

/* How often a router, or a node, has raised a flag, and how often none. */
struct counts {
    unsigned raised[HOST_LAB_NODES], none[HOST_LAB_NODES];
};

static void read_flags(struct host_lab *lab, struct counts *counts)
{
    for (uint32_t router = 0; router < machine_routers(&lab->map.machine); router++) {
        bool raised = host_lab_read(lab, machine_router_flags_address(router)) != 0;
        if (counts != NULL)
            (raised ? counts->raised : counts->none)[router]++;
    }
}

/* Reads every word of a range of slots at every node. */
static void read_slots(struct host_lab *lab, uint32_t first, uint32_t count, uint32_t flits)
{
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t slot = first; slot < first + count; slot++)
            for (uint32_t flit = 0; flit < flits; flit++)
                host_lab_ask(lab, machine_packet_address(&lab->map.machine, node, slot, flit));
    host_lab_idle(lab, 3);
}

/* Draws the flits and cycles of a row. */
static struct run draw_run(const struct machine *machine, uint32_t rows, struct rng *rng)
{
    struct run run = {.rows = rows, .single_port = rng_below(rng, 2)};
    run.flits = rng_below(rng, 4) ? 2 : 1u << machine->log2_flits;
    run.row_cycles = machine_row_cycles(machine, run.flits) + rng_below(rng, 2);
    if (machine_is_autonomous(machine))
        run.single_port = false;
    return run;
}

/* -- Trees ------------------------------------------------------------------------------------- */

enum aim { ONE_LEAF, ANY_LEAF, ALL_LEAVES, MIXED, AIMS };

/* Draws a header, flit 1. A packet for a leaf that does not exist goes up and is dropped. */
static uint32_t draw_header(const struct machine *machine, enum aim aim, struct rng *rng)
{
    const uint32_t all = 1u << (machine->width - 1), leaf = rng_below(rng, machine->topology.nodes);
    if (aim == MIXED)
        return rng_below(rng, 3) == 0 ? all : rng_below(rng, 16) ? leaf : 7;
    return aim == ALL_LEAVES ? all : leaf;
}

static void write_packets(struct host_lab *lab, enum aim aim, uint32_t flits, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t one = draw_header(machine, ANY_LEAF, rng);
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            for (uint32_t flit = 0; flit < flits; flit++) {
                uint32_t word = (uint32_t)rng_next(rng);
                if (flit == 1)
                    word = aim == ONE_LEAF ? one : draw_header(machine, aim, rng);
                host_lab_write(lab, machine_packet_address(machine, node, slot, flit),
                               MACHINE_VALID | word);
            }
}

/* Clears the send programs of all nodes. */
static void clear_sends(struct host_lab *lab)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t row = 0; row < 1u << machine->log2_rows; row++)
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row), 0);
}

/* Fills the send programs: each row has a packet with probability `often` in 8. */
static void write_sends(struct host_lab *lab, uint32_t rows, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const unsigned often = 1 + rng_below(rng, 8), leaves = (unsigned)rng_next(rng) | 1;
    for (uint32_t row = 0; row < 1u << machine->log2_rows; row++)
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row), 0);
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t row = 0; row < rows && leaves >> node & 1; row++)
            if (rng_below(rng, 8) < often)
                host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                               MACHINE_VALID | rng_below(rng, SLOTS));
}

static void few_in_a_tree(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_TREE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_TREE]);
    struct rng rng = {HOST_LAB_SEED};
    struct counts counts = {0};
    print_message("seed %" PRIu64 "\n", rng.state);
    for (unsigned k = 0; k < RUNS; k += running_stride(4)) {
        const uint32_t rows = 1u << lab.map.machine.log2_rows, sent = 1 + rng_below(&rng, rows / 2);
        const struct run run = draw_run(&lab.map.machine, 2 * sent, &rng);
        write_packets(&lab, (enum aim)rng_below(&rng, AIMS), run.flits, &rng);
        write_sends(&lab, sent, &rng);
        host_runs_run(&lab, &run, &rng);
        read_flags(&lab, &counts);
        if (rng_below(&rng, READ) == 0)
            read_slots(&lab, 0, SLOTS, run.flits);
        host_lab_reset(&lab);
    }
    for (uint32_t router = 0; router < machine_routers(&lab.map.machine); router++) {
        print_message("router %" PRIu32 ": %u runs with flags, %u without\n", router,
                      counts.raised[router], counts.none[router]);
        assert_true(counts.raised[router] > 0 && counts.none[router] > 0);
    }
    host_lab_close(&lab);
}

/* Lets one leaf of each half send a packet, in the first rows, to a leaf of the other half. */
static void write_exchange(struct host_lab *lab, uint32_t sent, uint32_t flits, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t half = machine->topology.nodes / 2;
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t node = side * half + rng_below(rng, half);
        for (uint32_t flit = 0; flit < flits; flit++) {
            uint32_t word = (uint32_t)rng_next(rng);
            if (flit == 1)
                word = (1 - side) * half + rng_below(rng, half);
            host_lab_write(lab, machine_packet_address(machine, node, 0, flit),
                           MACHINE_VALID | word);
        }
        for (uint32_t row = 0; row < sent; row++)
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           MACHINE_VALID);
    }
}

/* A packet is dropped because a queue is full while no packet is late yet, after any number of
 * rows. */
static void two_leaves_exchange(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_TREE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_TREE]);
    struct rng rng = {HOST_LAB_SEED};
    const struct machine *machine = &lab.map.machine;
    struct counts counts = {0};
    for (uint32_t sent = 1; sent <= 1u << (machine->log2_rows - 1); sent++)
        for (uint32_t single = 0; single < 2; single++) {
            const uint32_t flits = 2 + rng_below(&rng, (1u << machine->log2_flits) - 1);
            const struct run run = {.rows = 2 * sent,
                                    .flits = flits,
                                    .row_cycles = machine_row_cycles(machine, flits),
                                    .single_port = single};
            clear_sends(&lab);
            write_exchange(&lab, sent, flits, &rng);
            host_runs_run(&lab, &run, &rng);
            read_flags(&lab, &counts);
            read_slots(&lab, 0, 1, flits);
            host_lab_reset(&lab);
        }
    const uint32_t root = machine_routers(machine) - 1;
    print_message("root: %u runs with flags, %u without\n", counts.raised[root], counts.none[root]);
    assert_true(counts.raised[root] > 0 && counts.none[root] > 0);
    host_lab_close(&lab);
}

/* Clears every other word between the header and the last word, in all packets alike. A packet
 * without its last word does not arrive. */
static void write_holes(struct host_lab *lab, uint32_t odd, uint32_t flits)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        for (uint32_t flit = 2; flit < flits - 1; flit++)
            if (flit % 2 == odd)
                host_lab_write(
                    lab, MACHINE_ALL_NODES | machine_packet_address(machine, 0, slot, flit), 0);
}

/* Counts the words of all slots that are held and 0. */
static unsigned count_zeros(struct host_lab *lab, uint32_t flits)
{
    unsigned zeros = 0;
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            for (uint32_t flit = 2; flit < flits; flit++)
                zeros += host_lab_read(lab, machine_packet_address(&lab->map.machine, node, slot,
                                                                   flit)) == MACHINE_VALID;
    return zeros;
}

/* Each run uses a new machine: for a missing word a router sends the previous content of its
 * buffer, which is 0. Such a word passes one link less than the others. */
static void words_that_are_not_held(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_TREE))
        return;
    struct rng rng = {HOST_LAB_SEED};
    for (unsigned k = 0; k < RUNS / 64; k++) {
        struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_TREE]);
        const struct machine *machine = &lab.map.machine;
        const uint32_t rows = 3 * lab.map.nodes, flits = 1u << machine->log2_flits;
        const struct run run = {.rows = rows,
                                .flits = flits,
                                .row_cycles = machine_row_cycles(machine, flits),
                                .single_port = k / 2 % 2};
        write_packets(&lab, ALL_LEAVES, flits, &rng);
        write_holes(&lab, k % 2, flits);
        clear_sends(&lab);
        for (uint32_t node = 0; node < lab.map.nodes; node++)
            host_lab_write(&lab, machine_program_address(machine, MACHINE_SEND, node, node),
                           MACHINE_VALID | rng_below(&rng, SLOTS));
        host_runs_run(&lab, &run, &rng);
        const unsigned zeros = count_zeros(&lab, flits);
        print_message("%u words of 0\n", zeros);
        assert_true(zeros > 0);
        host_lab_close(&lab);
    }
}

/* -- Hypercubes -------------------------------------------------------------------------------- */

/* Distributes at most `count` packets over the nodes. */
static void share(uint32_t count, uint32_t nodes, uint32_t length[HOST_LAB_NODES], struct rng *rng)
{
    const uint32_t owners = 1 + rng_below(rng, nodes);
    for (uint32_t node = 0; node < nodes; node++)
        length[node] = 0;
    for (uint32_t k = 0; k < owners; k++) {
        const uint32_t some = rng_below(rng, 2) ? rng_below(rng, count + 1) : count / owners;
        const uint32_t node = rng_below(rng, nodes);
        if (length[node] + some > OWN)
            continue;
        length[node] += some;
        count -= some;
    }
}

/* Reads the control packets, which occupy the last slots in descending order: sums of nodes, up and
 * down, the sum of all, and the last packet of each tree. */
static void read_made(struct host_lab *lab, uint32_t flits)
{
    const struct topology *cube = &lab->map.machine.topology;
    const uint32_t made = 2 * (cube->nodes - 1) + 1 + cube->dimensions;
    read_slots(lab, (1u << lab->map.machine.log2_packets) - made, made, flits);
}

/* Returns whether the run ends before its rows do. */
static bool run_lists(struct host_lab *lab, const struct run *run, const uint32_t length[],
                      struct rng *rng)
{
    uint32_t first = 0;
    for (uint32_t node = 0; node < lab->map.machine.topology.nodes; first += length[node], node++)
        host_runs_list(lab, rng, 8, node, first, length[node]);
    host_runs_run(lab, run, rng);
    read_flags(lab, NULL);
    bool ended = host_lab_read(lab, MACHINE_STEPS) < run->rows;
    if (rng_below(rng, READ) == 0) {
        read_slots(lab, 0, first, run->flits);
        read_made(lab, run->flits);
    }
    host_lab_reset(lab);
    return ended;
}

static void few_in_a_cube(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_CUBE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_CUBE]);
    struct rng rng = {HOST_LAB_SEED};
    const struct machine *machine = &lab.map.machine;
    unsigned ended = 0, runs = 0;
    print_message("seed %" PRIu64 "\n", rng.state);
    for (unsigned k = 0; k < RUNS; k += running_stride(4), runs++) {
        uint32_t length[HOST_LAB_NODES];
        const struct run run = draw_run(machine, 1u << machine->log2_rows, &rng);
        share(rng_below(&rng, rng_below(&rng, 4) ? ALL_COME + 1 : MOST + 1),
              machine->topology.nodes, length, &rng);
        ended += run_lists(&lab, &run, length, &rng);
    }
    print_message("%u of %u runs end before their rows do\n", ended, runs);
    assert_true(ended > 0 && ended < runs);
    host_lab_close(&lab);
}

/* A node has a packet or two, and more than 32 packets follow: sums with all bits. */
static void many_after_one(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_CUBE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_CUBE]);
    struct rng rng = {HOST_LAB_SEED};
    const uint32_t nodes = lab.map.machine.topology.nodes;
    for (unsigned k = 0; k < RUNS; k += running_stride(16)) {
        uint32_t length[HOST_LAB_NODES] = {0};
        const struct run run = draw_run(&lab.map.machine, 1u << lab.map.machine.log2_rows, &rng);
        const uint32_t node = rng_below(&rng, nodes - 1), own = 1 + rng_below(&rng, 2);
        length[node] = own;
        for (uint32_t left = OWN + rng_below(&rng, MOST - OWN - own + 1); left > 0;) {
            const uint32_t after = node + 1 + rng_below(&rng, nodes - node - 1),
                           some = 1 + rng_below(&rng, left);
            if (length[after] + some > OWN && node < nodes - 2)
                continue;
            length[after] += some;
            left -= some;
        }
        if (length[nodes - 1] > OWN)
            length[nodes - 1] = OWN;
        run_lists(&lab, &run, length, &rng);
    }
    host_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_in_a_tree), cmocka_unit_test(two_leaves_exchange),
        cmocka_unit_test(words_that_are_not_held), cmocka_unit_test(few_in_a_cube),
        cmocka_unit_test(many_after_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
