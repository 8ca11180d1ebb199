/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_random: runs of random tables, programs and packets, csim and RTL in lockstep.
 *
 * Compiled images reach few of the states of a machine: a switch that no round requires crossed
 * stays straight, and nodes that send no wrong packets raise no flags. Here a machine of each kind
 * (host_lab.h) has random words in all of its memories, of which few to most are valid, and runs
 * them: every packet length and kind of run that the machine supports, short rows and long rows,
 * with barriers and without. Some runs are reset before they end, some after they end, and after
 * some runs the next run starts without a reset. Registers are read during the run; after each run
 * packets, flags and some words of all memories, of one node or of all, are read, and at the end
 * all words. One machine reconfigures after drawn numbers of rows, and waits for up to 4 cycles at
 * each reconfiguration. Machines with computed programs also run streams, which the host stops in
 * drawn cycles. The endpoints of one machine combine packets, by drawn operators; those of another
 * split ranges, by drawn tables of splits; those of a third share their memories, and those of a
 * fourth combine what their node receives. One machine keeps what is received apart, and the host
 * writes packets between two runs. Both engines must agree on every output in every cycle, and with
 * the map where the map is defined. The seed is printed. A quarter of the runs are made, unless
 * every space is exhausted or the test is run by `make coverage-rtl`.
 *
 * test_host_special and test_host_busy make runs that random draws are unlikely to reach. The
 * faults of qa/mutants are applied to all three.
 *
 * Counter-case: a row of switches is inverted in one engine, and the run detects it.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_runs.h"
#include "tests/support/host_words.h"
#include "tests/support/running.h"
#include "tests/support/second_engine.h"

#include <inttypes.h>

#define RUNS 48
#define MANY_RUNS 96 /* if the packets that a node sends depend on those received */
#define FEW_RUNS 4   /* if there are many rows */
#define REWRITES 64

/* Combinations of settings and programs that none of the lab's machines has. */
static const struct host_lab_shape more_shapes[] = {
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_TAGS, false, 16, 5, 1, 6},
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_MASKS, true, 16, 5, 1, 6},
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_INDEXED, false, 16, 5, 1, 6, true},
};
#define SHAPES (HOST_LAB_SHAPES + sizeof more_shapes / sizeof *more_shapes)

static void read_all(struct host_lab *lab)
{
    for (uint32_t region = MACHINE_REGISTER; region < HOST_MAP_REGIONS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_ask(lab, host_words_address(region, field));
    host_lab_idle(lab, 3);
}

/* -- Runs -------------------------------------------------------------------------------------- */

/* Reports whether rows of packets of `flits` flits may have no barriers. */
static bool can_stream(const struct machine *machine, uint32_t flits)
{
    return !machine_hops(machine) && !machine->computed && !machine->reconfigures &&
           (!machine->combines || flits >= MACHINE_COMBINE_FLITS);
}

/* Draws a run. In every four, one run has packets of maximum length, with barriers, and one packets
 * of minimum length in rows of minimum length. One in eight has all rows; half of the runs if
 * queues shall fill. */
static struct run draw_any(const struct machine *machine, unsigned which, struct rng *rng)
{
    const uint32_t least = machine_header_flits(machine) + 1, most = 1u << machine->log2_flits,
                   rows = 1u << machine->log2_rows;
    const bool all_rows = which % 8 == 2 || (machine_is_self_timed(machine) && which % 2);
    struct run run = {.rows = all_rows ? rows : rng_below(rng, rows + 1),
                      .flits = least + rng_below(rng, most),
                      .single_port = rng_below(rng, 1u + machine_hops(machine)),
                      .operation = host_words_operator(machine, rng),
                      .reconfigure = machine->reconfigures ? rng_below(rng, 5) : 0};
    if (which % 4 < 2)
        run.flits = which % 4 == 0 ? most : least;
    run.row_cycles =
        machine_row_cycles(machine, run.flits) + (which % 4 == 1 ? 0 : rng_below(rng, 3));
    if (can_stream(machine, run.flits) &&
        (which % 4 == 1 || (which % 4 > 1 && rng_below(rng, 3) == 0)))
        run.row_cycles = which % 4 == 1 ? 1 : 1 + rng_below(rng, 4);
    /* The first flit of a packet follows the last flit of another: both are in an endpoint. */
    if (machine->combines && can_stream(machine, run.flits) && which % 8 == 3)
        run.row_cycles = run.flits;
    if (machine_has_setting_period(machine)) {
        run.period = 1 + rng_below(rng, 1u << machine->log2_period);
        run.first = rng_below(rng, run.period);
    }
    if (machine->computed) {
        run.packets = which % 4 == 1 ? 2 : 1 + rng_below(rng, 1u << machine->log2_packets);
        run.stream = rng_below(rng, 2);
    }
    return run;
}

static struct run draw_run(const struct machine *machine, unsigned which, struct rng *rng)
{
    struct run run;
    do
        run = machine->ranges ? host_runs_draw_ranges(machine, rng) : draw_any(machine, which, rng);
    while (!machine_check_run(machine, &run, "drawn", NULL));
    return run;
}

/* Without barriers, clears the sends of the last rows, so that all packets arrive in the run. */
static void end_quietly(struct host_lab *lab, const struct run *run)
{
    const struct machine *machine = &lab->map.machine;
    uint32_t quiet = machine_latency(machine) / run->row_cycles;
    for (uint32_t row = run->rows < quiet ? 0 : run->rows - quiet; row < run->rows; row++)
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row), 0);
}

/* A finished run may be followed by another without a reset, unless its words remain in queues. */
static void run_and_reset(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    host_runs_registers(lab, run);
    host_lab_start(lab);
    if (rng_below(rng, 4) != 0) {
        host_runs_finish(lab, run, rng);
        host_words_read_changed(lab);
        host_words_read_some(lab, rng);
    } else {
        for (uint32_t k = rng_below(rng, run->rows * run->row_cycles + 1); k > 0; k--)
            host_runs_cycle(lab, rng);
    }
    if (!lab->outputs.done || machine_is_self_timed(&lab->map.machine) || rng_below(rng, 2))
        host_lab_reset(lab);
}

static void run_shape(const struct host_lab_shape *shape, uint64_t seed)
{
    struct host_lab lab = host_lab_open(shape);
    struct rng rng = {seed};
    print_message("seed %" PRIu64 "\n", rng.state);
    unsigned runs = machine_header_flits(&lab.map.machine) > 0 ? MANY_RUNS : RUNS;
    if (lab.map.machine.ranges)
        runs *= 4;
    if (lab.map.machine.log2_rows > 8)
        runs = FEW_RUNS;
    if (!running_exhaustive())
        runs = (runs + 3) / 4;
    for (unsigned k = 0; k < runs; k++) {
        const struct run run = draw_run(&lab.map.machine, k, &rng);
        const bool streams = machine_streams(&lab.map.machine, &run);
        host_words_write(&lab, &rng, k, streams);
        if (lab.map.machine.ranges)
            host_runs_ranges(&lab, &run, &rng);
        else if (streams)
            end_quietly(&lab, &run);
        if (run.stream)
            host_runs_stream(&lab, &run, &rng);
        run_and_reset(&lab, &run, &rng);
        host_words_read_some(&lab, &rng);
    }
    read_all(&lab);
    host_lab_close(&lab);
}

static void random_runs(void **state)
{
    (void)state;
    for (size_t which = 0; which < SHAPES; which++)
        if (host_lab_wanted(which))
            run_shape(which < HOST_LAB_SHAPES ? &host_lab_shapes[which]
                                              : &more_shapes[which - HOST_LAB_SHAPES],
                      HOST_LAB_SEED + which);
}
/* A flit that the host writes has received nothing, and the others keep what they have: after a run
 * the host writes some flits, and the run is made again. */
static void written_flits_have_received_nothing(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_KEEPS_OWN))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_KEEPS_OWN]);
    struct rng rng = {HOST_LAB_SEED};
    const uint32_t fields = 1u << host_map_bits(&lab.map, MACHINE_PACKET);
    for (unsigned k = 0; k < REWRITES; k++) {
        const struct run run = draw_run(&lab.map.machine, 0, &rng);
        host_words_write(&lab, &rng, k, false);
        host_runs_registers(&lab, &run);
        for (unsigned again = 0; again < 2; again++) {
            host_runs_again(&lab, &run, &rng);
            for (unsigned flit = 0; again == 0 && flit < fields / 16; flit++)
                host_lab_write(&lab, host_words_address(MACHINE_PACKET, rng_below(&rng, fields)),
                               host_words_draw(&rng, 8, true, false));
        }
        host_words_read_changed(&lab);
    }
    host_lab_close(&lab);
}
static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Half of the nodes send and expect in a row, so that a different switch changes the packets that
 * arrive. */
static void a_setting_that_differs_shows(void **state)
{
    (void)state;
    if (!host_lab_wanted(1))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[1]);
    struct rng rng = {HOST_LAB_SEED};
    const struct run run = {.rows = 64, .flits = 8, .row_cycles = 20};
    const struct testbench_observer observer = {NULL, look_away};
    struct err err = {0};
    uint64_t cycles;
    host_words_write(&lab, &rng, 10, false);
    host_words_packets(&lab, &rng, 8);
    host_runs_registers(&lab, &run);
    second_engine_write(&lab.testbench, host_words_address(MACHINE_TABLE, 5),
                        ~host_map_read(&lab.map, host_words_address(MACHINE_TABLE, 5)));
    assert_false(testbench_run(&lab.testbench, &run, &observer, &cycles, &err));
    support_error(&err, ERR_DIVERGED, "csim and rtl differ");
    host_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_runs),
                                       cmocka_unit_test(written_flits_have_received_nothing),
                                       cmocka_unit_test(a_setting_that_differs_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
