/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_special: runs of random words that random draws are unlikely to reach, csim and RTL in
 * lockstep on the machines of host_lab.h.
 *
 * Packets are sent on in the cycle in which they arrive. Rows have up to 2^15 cycles, or a run has
 * no rows. Some machines make so many runs that the bits of their number change. Fragments of
 * packets arrive at a node that no header names. Streams are stopped with tails of every length.
 *
 * Two neighbors of a self-timed hypercube have all packets: three packets of each tree overflow one
 * node's queue for those of the other node, except at node 0, into which no packet climbs.
 *
 * Counter-case: with two packets in all no queue overflows.
 */
#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_runs.h"
#include "tests/support/host_words.h"
#include "tests/support/running.h"

#define FORWARDS 8 /* runs for each number of flits */
#define FORWARD_ROWS 32
#define FRAGMENTS 100
#define COUNTED 1024 /* runs, each of which is counted */

/* Writes programs for rows of one cycle, in which packets of run->flits flits arrive one after
 * another and are sent on at the same time: flit f is read when flit f is written. The numbers of
 * the two slots differ in one bit, so that often the same slot is read and written. */
static void write_forwards(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t one = rng_below(rng, 1u << machine->log2_packets),
                   slots[] = {one, one ^ 1u << rng_below(rng, machine->log2_packets)};
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        uint32_t packet = 0;
        for (uint32_t row = 0; row < run->rows; row++) {
            const bool first = row % run->flits == 0, last = (row + 1) % run->flits == 0;
            const bool quiet = row + machine_latency(machine) >= run->rows;
            if (first)
                packet = rng_below(rng, 8) ? slots[rng_below(rng, 2)] | MACHINE_VALID : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_RECEIVE, node, row),
                           packet && !last ? packet | MACHINE_MORE : packet);
            const uint32_t member =
                machine->shared > 1 ? rng_below(rng, machine->shared) << machine->log2_packets : 0;
            const uint32_t chosen = machine->keeps_own ? rng_below(rng, 4) << 29 : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           quiet ? 0 : MACHINE_VALID | chosen | member | slots[rng_below(rng, 2)]);
        }
    }
}

static bool can_forward(const struct host_lab_shape *shape)
{
    return shape->kind == MACHINE_MULTISTAGE && !shape->computed && shape->splits == 0 &&
           shape->log2_rows <= 8;
}

static void forward(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t flits = machine->combines ? MACHINE_COMBINE_FLITS : 1;
         flits <= 1u << machine->log2_flits; flits++)
        for (unsigned k = 0; (machine_latency(machine) + 1) % flits == 0 && k < FORWARDS; k++) {
            const struct run run = {.rows = FORWARD_ROWS / flits * flits,
                                    .flits = flits,
                                    .row_cycles = 1,
                                    .period = machine_has_setting_period(machine)};
            host_words_write(lab, rng, k, true);
            write_forwards(lab, &run, rng);
            host_runs_run(lab, &run, rng);
            host_words_read_changed(lab);
        }
}

static void packets_go_on_while_they_come(void **state)
{
    (void)state;
    host_lab_each(can_forward, forward);
}

/* Counts the cycles of a row in 16-bit registers, on every machine, for each bit. Row lengths are
 * even: a bit that flips whenever another one is set is inverted after an odd number of them. With
 * no row a run ends at once. Other rows are one cycle longer than a power of two. */
static void count_cycles(struct host_lab *lab, unsigned bit, uint32_t more, struct rng *rng)
{
    const uint32_t flits = 1u << lab->map.machine.log2_flits;
    const struct run run = {.rows = bit > 4,
                            .flits = flits,
                            .row_cycles = 1u << bit | more,
                            .period = machine_has_setting_period(&lab->map.machine),
                            .packets = machine_has_run_packets(&lab->map.machine)};
    host_runs_run(lab, &run, rng);
    host_words_read_some(lab, rng);
}

/* A hypercube has rows of few bits, because it takes long to simulate. */
static void long_rows_and_none(void **state)
{
    static const size_t shapes[] = {0,
                                    1,
                                    HOST_LAB_TABLES,
                                    HOST_LAB_CUBE,
                                    HOST_LAB_COMBINES,
                                    HOST_LAB_RANGES,
                                    HOST_LAB_SHARED,
                                    HOST_LAB_CUBE_COMBINES,
                                    HOST_LAB_KEEPS_OWN};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        if (!host_lab_wanted(shapes[k]))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[shapes[k]]);
        struct rng rng = {HOST_LAB_SEED};
        const struct machine *machine = &lab.map.machine;
        const uint32_t least = machine_row_cycles(machine, 1u << machine->log2_flits);
        const unsigned bits = machine->kind == MACHINE_CUBE ? 11 : 16;
        host_words_write(&lab, &rng, 1, false);
        for (unsigned bit = 4; bit < bits; bit++)
            count_cycles(&lab, bit, (least + 1) & ~1u, &rng);
        for (unsigned bit = 5; bit < bits; bit++)
            count_cycles(&lab, bit, 1, &rng);
        host_lab_close(&lab);
    }
}

/* Runs with `length` packets at each of two nodes, which the trees share, and none elsewhere.
 * Returns the nodes whose queues have overflowed, as a bit each. */
static uint32_t overflows(struct host_lab *lab, uint32_t one, uint32_t other, uint32_t length)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {
        .rows = 1u << machine->log2_rows, .flits = 2, .row_cycles = machine_row_cycles(machine, 2)};
    struct rng rng = {HOST_LAB_SEED};
    uint32_t nodes = 0;
    for (uint32_t node = 0; node < machine->topology.nodes; node++)
        host_runs_list(lab, &rng, 8, node, node == other ? length : 0,
                       node == one || node == other ? length : 0);
    host_runs_run(lab, &run, &rng);
    for (uint32_t node = 0; node < machine->topology.nodes; node++)
        if (host_lab_read(lab, machine_router_flags_address(node)) & MACHINE_ROUTER_OVERFLOW)
            nodes |= 1u << node;
    host_lab_reset(lab);
    return nodes;
}

/* In some tree a node other than 0 is its neighbor's parent, and sends its own packets first. */
static void neighbours_fill_queues(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_CUBE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_CUBE]);
    const struct topology *cube = &lab.map.machine.topology;
    for (uint32_t one = 0; one < cube->nodes; one++)
        for (unsigned dimension = 0; dimension < cube->dimensions; dimension++) {
            const uint32_t other = one ^ 1u << dimension, both = 1u << one | 1u << other;
            if (other < one)
                continue;
            assert_int_equal(overflows(&lab, one, other, 9) & (both | 1), both & ~1u);
            assert_int_equal(overflows(&lab, one, other, 1), 0);
        }
    host_lab_close(&lab);
}

/* Runs without rows, and reads the number of each. */
static void count_runs(const struct host_lab_shape *shape, uint32_t runs)
{
    struct host_lab lab = host_lab_open(shape);
    const struct machine *machine = &lab.map.machine;
    struct rng rng = {HOST_LAB_SEED};
    const uint32_t flits = machine_header_flits(machine) + 1;
    const struct run run = {.flits = flits,
                            .row_cycles = machine_row_cycles(machine, flits),
                            .period = machine_has_setting_period(machine),
                            .packets = machine_has_run_packets(machine)};
    host_runs_registers(&lab, &run);
    for (uint32_t k = 1; k <= runs; k++) {
        host_runs_again(&lab, &run, &rng);
        host_lab_idle(&lab, 2);
        host_lab_ask(&lab, MACHINE_RUN_COUNT);
        host_lab_idle(&lab, 3);
        assert_int_equal(lab.outputs.host_rdata, k & 0xffff);
    }
    host_lab_close(&lab);
}

/* A run without rows ends at once. Every number of runs is read, in 1024 runs of the machines in
 * which a fault of the counter may be planted or, if every space is exhausted, on the smallest
 * until the 16 bits of the register wrap around. */
static void every_run_is_counted(void **state)
{
    static const size_t shapes[] = {0, HOST_LAB_COMBINES, HOST_LAB_RANGES, HOST_LAB_SHARED,
                                    HOST_LAB_KEEPS_OWN};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (host_lab_wanted(shapes[k]))
            count_runs(&host_lab_shapes[shapes[k]],
                       running_exhaustive() && k == 0 ? UINT32_C(0x10001) : COUNTED);
}

/* Sends a packet of one source through settings that change within it, and reads all flags. Every
 * word that is held is a header of node 0. */
static void send_fragments(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = 32, .flits = 4, .row_cycles = 2, .packets = 1};
    const uint32_t node = 1 + rng_below(rng, 3), last = node + 1 + rng_below(rng, 3),
                   address = machine_program_address(machine, MACHINE_SEND, node, 0);
    for (uint32_t row = 0; row < 8; row++)
        for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
            host_lab_write(lab, machine_table_address(machine, stage, row, 0), rng_below(rng, 4));
    for (uint32_t flit = 1; flit < run.flits; flit++)
        host_lab_write(lab, MACHINE_ALL_NODES | machine_packet_address(machine, 0, 0, flit),
                       rng_below(rng, 4) ? MACHINE_VALID : 0);
    host_lab_write(lab, address, MACHINE_VALID | last);
    host_runs_run(lab, &run, rng);
    host_lab_write(lab, address, 0);
    for (uint32_t each = 0; each < lab->map.nodes; each++)
        host_lab_ask(lab, machine_flags_address(each));
    host_lab_ask(lab, MACHINE_ERROR_CAUSE);
    host_lab_idle(lab, 3);
}

/* No header names node 0, which is the first of every range: it receives only fragments of packets,
 * whose words look like headers. At other nodes the rest of a packet is missing. */
static void fragments_arrive(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_RANGES))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_RANGES]);
    struct rng rng = {HOST_LAB_SEED};
    for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * FRAGMENTS; k++)
        send_fragments(&lab, &rng);
    host_lab_close(&lab);
}

/* Stops a stream of 2 packets in its first row. Returns the rows that it has. */
static uint64_t stop_first(struct host_lab *lab, uint32_t tail, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = 2 + tail,
                            .flits = 1,
                            .row_cycles =
                                MAX(machine_row_cycles(machine, 1), MACHINE_STREAM_CYCLES),
                            .period = 1,
                            .packets = 2,
                            .stream = true};
    uint64_t cycles = 0;
    assert_true(machine_check_run(machine, &run, "run", NULL));
    host_runs_stream(lab, &run, rng);
    host_runs_registers(lab, &run);
    host_lab_start(lab);
    host_lab_write(lab, MACHINE_RUN_STOP, 1);
    while (!lab->outputs.done) {
        host_lab_idle(lab, 1);
        cycles += lab->outputs.run;
        assert_true(cycles <= run.rows * run.row_cycles);
    }
    assert_int_equal(cycles % run.row_cycles, 0);
    return cycles / run.row_cycles;
}

static bool has_streams(const struct host_lab_shape *shape)
{
    return shape->computed;
}

/* Tails of every length follow the packet after which a stream is stopped. */
static void stop_each(struct host_lab *lab, struct rng *rng)
{
    host_words_write(lab, rng, HOST_WORDS_MOST_VALID, true);
    for (uint32_t tail = 0; tail <= (1u << lab->map.machine.log2_rows) - 2; tail++)
        assert_int_equal(stop_first(lab, tail, rng), 1 + tail);
}

static void tails_end(void **state)
{
    (void)state;
    host_lab_each(has_streams, stop_each);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packets_go_on_while_they_come),
                                       cmocka_unit_test(long_rows_and_none),
                                       cmocka_unit_test(neighbours_fill_queues),
                                       cmocka_unit_test(every_run_is_counted),
                                       cmocka_unit_test(fragments_arrive),
                                       cmocka_unit_test(tails_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
