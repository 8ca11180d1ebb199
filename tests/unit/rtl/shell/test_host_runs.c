/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_runs: accesses that a host may make during a run, such as reading registers and
 * resetting, and accesses that it may not make.
 *
 * On a machine of each kind (host_lab.h), csim and RTL in lockstep, collectives run
 *
 *   - while registers are read: each word has its predicted value, and status that of the cycle;
 *     and while memories are read, words are written and the run is started again: these accesses
 *     are rejected. All expectations of the scoreboard are met;
 *   - until a reset, in each of the first cycles and in seeded later ones. Runs are correct runs,
 *     and runs that raise every flag: packets not held, receipts not expected, two packets of a
 *     router in a single-port row, more packets than queues hold. After the reset all run
 *     registers, flags and status are 0, tables and programs are unchanged, and the next run equals
 *     that of a new machine. Unless every space is exhausted, a quarter of the resets are tested.
 *
 * Each node and each router of a machine with tables alone raises flags, and is the cause of the
 * error.
 *
 * After a run, the count of its cycles and the cause of its error are those of the observed run and
 * of the flags that are read one by one. Interrupts are set by the end of a run, by an error and by
 * the host, are cleared by the host, and drive the pin if they are enabled. A start in the first
 * cycle after a run with an error leaves no error.
 *
 * Counter-case: without the reset these runs have their flags set.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "testbench/scoreboard/scoreboard.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_lab.h"
#include "tests/support/host_runs.h"
#include "tests/support/running.h"

#include <inttypes.h>

#define JOBS 3
#define CUTS 30

/* -- Runs -------------------------------------------------------------------------------------- */

/* Clears all words of the previous run. */
static void forget(struct host_lab *lab)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, MACHINE_TABLE); field++)
        host_lab_write(lab, machine_region_address(MACHINE_TABLE) | field, 0);
    for (uint32_t row = 0; row < 1u << machine->log2_rows; row++) {
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row), 0);
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_RECEIVE, 0, row), 0);
    }
    for (uint32_t word = 0; word < 1u << (machine->log2_packets + machine->log2_flits); word++)
        host_lab_write(lab, MACHINE_ALL_NODES | machine_region_address(MACHINE_PACKET) | word, 0);
}

static void load(struct host_lab *lab, const struct image *image)
{
    forget(lab);
    for (size_t k = 0; k < image->count; k++)
        host_lab_write(lab, image->word[k].address, image->word[k].word);
    host_lab_idle(lab, 2);
}

/* Makes an access that is rejected during a run: a write, a read of a memory, or a second start. */
static void trespass(struct host_lab *lab, struct rng *rng)
{
    enum machine_region region = (enum machine_region)rng_below(rng, MACHINE_ROUTER_FLAGS + 1);
    struct dut_inputs inputs = {.start = rng_below(rng, 4) == 0,
                                .host_addr = machine_region_address(region) | rng_below(rng, 64),
                                .host_wdata = (uint32_t)rng_next(rng)};
    inputs.host_we = region == MACHINE_REGISTER || rng_below(rng, 2);
    inputs.host_re = !inputs.host_we;
    host_lab_step(lab, &inputs);
}

/* Simulates a cycle. If there is a generator, a register is read, or an access that is rejected is
 * made. */
static void cycle_of(struct host_lab *lab, struct rng *rng)
{
    uint32_t what = rng == NULL ? 0 : rng_below(rng, 8);
    if (what == 0)
        host_lab_idle(lab, 1);
    else if (what < 3 && lab->busy)
        trespass(lab, rng);
    else
        host_lab_ask(lab, rng_below(rng, 2) ? MACHINE_STATUS : rng_below(rng, HOST_MAP_REGISTERS));
}

/* Simulates until the run is done. Returns the cycles of the run. */
static uint64_t finish(struct host_lab *lab, const struct run *run, struct scoreboard *board,
                       struct rng *rng)
{
    uint64_t cycles = 0, limit = (uint64_t)run->rows * run->row_cycles + 8;
    for (uint64_t k = 0; k < limit && !lab->outputs.done; k++) {
        cycle_of(lab, rng);
        if (lab->outputs.run && board != NULL)
            scoreboard_observe(board, cycles, lab->outputs.obs_strobe ? lab->outputs.obs : NULL);
        cycles += lab->outputs.run;
    }
    assert_true(lab->outputs.done);
    host_lab_idle(lab, 3);
    return cycles;
}

static void read_packets(struct host_lab *lab, const struct support_job *job,
                         struct scoreboard *board)
{
    const struct schedule *schedule = &job->schedule;
    const struct machine *machine = &lab->map.machine;
    uint32_t word[64], data = schedule_data_packets(schedule);
    assert_true(job->payload.flits <= 64);
    for (uint32_t node = 0; node < wiring_endpoints(&schedule->topology); node++)
        for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
            uint32_t slot = machine_slot(machine, data, packet);
            for (uint32_t flit = 0; flit < job->payload.flits; flit++)
                word[flit] = host_lab_read(lab, machine_packet_address(machine, node, slot, flit));
            if (scoreboard_wants(board, node, packet))
                scoreboard_memory(board, node, packet, word);
        }
}

static void read_flags(struct host_lab *lab, uint32_t *leaves, uint32_t *routers)
{
    *leaves = *routers = 0;
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        *leaves |= host_lab_read(lab, machine_flags_address(node));
    for (uint32_t router = 0; router < machine_routers(&lab->map.machine); router++)
        *routers |= host_lab_read(lab, machine_router_flags_address(router));
}

/* Returns the expected cause of an error: the first node with a flag or, if there is none, the
 * first router. */
static uint32_t find_cause(struct host_lab *lab)
{
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        uint32_t flags = host_lab_read(lab, machine_flags_address(node));
        if (flags != 0)
            return flags << 28 | node;
    }
    for (uint32_t router = 0; router < machine_routers(&lab->map.machine); router++) {
        uint32_t flags = host_lab_read(lab, machine_router_flags_address(router));
        if (flags != 0)
            return UINT32_C(1) << 31 | flags << 28 | router;
    }
    return 0;
}

/* Checks what a run of `cycles` cycles reports; its first flit leaves three cycles after the
 * start. */
static void assert_events(struct host_lab *lab, uint64_t cycles)
{
    uint32_t cause = find_cause(lab);
    assert_int_equal(host_lab_read(lab, MACHINE_CYCLE_COUNT), cycles + 3);
    assert_int_equal(host_lab_read(lab, MACHINE_ERROR_CAUSE), cause);
    assert_int_equal(lab->outputs.error, cause != 0);
}

/* Runs a job and checks all of it; reads registers meanwhile if there is a generator. */
static void run_holds(struct host_lab *lab, const struct support_job *job, struct rng *rng)
{
    struct err err = {0};
    struct scoreboard_report report;
    uint32_t leaves, routers;
    struct scoreboard *board =
        scoreboard_new(&job->schedule, &job->payload, &lab->map.machine, &job->image.run, &err);
    support_true(board != NULL, &err);
    load(lab, &job->image);
    host_lab_start(lab);
    uint64_t cycles = finish(lab, &job->image.run, board, rng);
    assert_int_equal(cycles, job->schedule.end * job->image.run.row_cycles);
    read_flags(lab, &leaves, &routers);
    assert_int_equal(leaves | routers, 0);
    assert_events(lab, cycles);
    if (machine_hops(&lab->map.machine))
        scoreboard_steps(board, host_lab_read(lab, MACHINE_STEPS));
    read_packets(lab, job, board);
    support_true(scoreboard_verdict(board, &report, &err), &err);
    assert_true(report.seen > 0 && report.seen == report.expected &&
                report.packets == report.wanted);
    scoreboard_free(board);
}

static void registers_are_read_in_runs(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        print_message("seed %" PRIu64 "\n", rng.state);
        for (unsigned k = 0; k < JOBS; k++) {
            struct support_job job = {0};
            host_lab_job(&host_lab_shapes[which], &lab.map.machine, k, &job);
            run_holds(&lab, &job, &rng);
            support_job_free(&job);
        }
        assert_true(lab.rejected > 0);
        host_lab_close(&lab);
    }
}

/* -- Runs that raise flags --------------------------------------------------------------------- */

enum trouble { NONE, HOLLOW, DEAF, FLOOD, TROUBLES };

/* Makes every leaf send a packet to all, in every possible row; every node of a hypercube has two
 * packets. */
static void flood(struct host_lab *lab)
{
    const struct machine *machine = &lab->map.machine;
    bool cube = machine_is_autonomous(machine);
    uint32_t multicast = cube ? 0 : 1u << (machine->width - 1);
    host_lab_write(lab, MACHINE_RUN_ROWS, 1u << machine->log2_rows);
    for (uint32_t node = 0; node < lab->map.nodes; node++)
        for (uint32_t row = 0; row < (cube ? 2 : 1u << machine->log2_rows); row++) {
            uint32_t slot = cube ? 2 * (node / machine->topology.dimensions) + row : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           MACHINE_VALID | slot);
            for (uint32_t flit = 0; flit < 1u << machine->log2_flits; flit++)
                host_lab_write(lab, machine_packet_address(machine, node, slot, flit),
                               MACHINE_VALID | (flit == 0 ? (cube ? slot : 1) : multicast));
        }
}

/* Introduces a fault after the image is loaded. Returns false if the machine cannot have it. */
static bool make_trouble(struct host_lab *lab, enum trouble trouble)
{
    const struct machine *machine = &lab->map.machine;
    bool tables = !machine_is_self_timed(machine);
    if (trouble == NONE)
        return true;
    if (trouble == FLOOD ? tables : !tables)
        return false;
    if (trouble == DEAF && !machine_has_receive_programs(machine))
        return false;
    if (trouble == FLOOD)
        flood(lab);
    else if (trouble == HOLLOW)
        for (uint32_t word = 0; word < 1u << (machine->log2_packets + machine->log2_flits); word++)
            host_lab_write(lab, MACHINE_ALL_NODES | machine_region_address(MACHINE_PACKET) | word,
                           0);
    else
        for (uint32_t row = 0; row < 1u << machine->log2_rows; row++)
            host_lab_write(
                lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_RECEIVE, 0, row),
                0);
    host_lab_write(lab, MACHINE_RUN_SINGLE_PORT, trouble == HOLLOW);
    host_lab_idle(lab, 2);
    return true;
}

/* Checks the flags of the whole run. */
static void assert_flags(struct host_lab *lab, enum trouble trouble)
{
    static const uint32_t of_leaves[] = {0, MACHINE_NOT_HELD | MACHINE_MISSING, MACHINE_UNEXPECTED,
                                         0};
    static const uint32_t of_routers[] = {0, MACHINE_ROUTER_NOT_HELD | MACHINE_ROUTER_TWICE, 0,
                                          MACHINE_ROUTER_OVERFLOW};
    uint32_t leaves, routers;
    read_flags(lab, &leaves, &routers);
    assert_int_equal(leaves & of_leaves[trouble], of_leaves[trouble]);
    if (machine_routers(&lab->map.machine) > 0)
        assert_int_equal(routers & of_routers[trouble], of_routers[trouble]);
    assert_true(trouble == NONE || (leaves | routers) != 0);
}

/* -- Flags of a single node -------------------------------------------------------------------- */

/* Runs rows of one flit, in which one node does what the words of its first row request. Returns
 * the cause of the error: the node and its flags, or a router (bit 31); no other node has any. */
static uint32_t run_one(struct host_lab *lab, uint32_t node, uint32_t send, uint32_t receive)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = 2,
                            .flits = 1,
                            .row_cycles = machine_row_cycles(machine, 1),
                            .single_port = machine_hops(machine),
                            .period = machine_has_setting_period(machine)};
    const uint32_t address[] = {machine_program_address(machine, MACHINE_SEND, node, 0),
                                machine_program_address(machine, MACHINE_RECEIVE, node, 0)};
    host_lab_write(lab, address[0], send);
    host_lab_write(lab, address[1], receive);
    host_runs_registers(lab, &run);
    host_lab_start(lab);
    finish(lab, &run, NULL, NULL);
    const uint32_t cause = host_lab_read(lab, MACHINE_ERROR_CAUSE);
    for (uint32_t each = 0; each < lab->map.nodes; each++)
        assert_int_equal(host_lab_read(lab, machine_flags_address(each)),
                         each == (cause & ~UINT32_C(0x70000000)) ? cause >> 28 : 0);
    host_lab_write(lab, address[0], 0);
    host_lab_write(lab, address[1], 0);
    return cause;
}

/* Returns the cause of the error of a run in which a router sends from one or two inputs in the
 * first row; its buffers are empty. No other node or router has a flag. */
static uint32_t route_one(struct host_lab *lab, uint32_t router, uint32_t inputs)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t port = 0; port < inputs; port++)
        host_lab_write(lab, machine_table_address(machine, router, 0, port * machine->reads),
                       MACHINE_VALID | (port * machine->reads) << 16);
    const uint32_t cause = run_one(lab, 0, 0, 0);
    for (uint32_t port = 0; port < inputs; port++)
        host_lab_write(lab, machine_table_address(machine, router, 0, port * machine->reads), 0);
    for (uint32_t each = 0; each < machine_routers(machine); each++)
        assert_int_equal(host_lab_read(lab, machine_router_flags_address(each)),
                         each == router ? cause >> 28 & 7 : 0);
    return cause;
}

/* A node sends a word to a node that does not expect it, each to another. */
static void send_to_each(struct host_lab *lab)
{
    const uint32_t nodes = lab->map.nodes;
    uint64_t surprised = 0;
    host_lab_write(lab, MACHINE_ALL_NODES | machine_packet_address(&lab->map.machine, 0, 0, 0),
                   MACHINE_VALID);
    for (uint32_t node = 0; node < nodes; node++) {
        const uint32_t cause = run_one(lab, node, MACHINE_VALID, 0);
        assert_int_equal(cause >> 28, MACHINE_UNEXPECTED);
        surprised |= UINT64_C(1) << (cause & 0x0fffffff);
    }
    assert_true(surprised == (UINT64_C(1) << nodes) - 1);
}

/* Reports whether tables determine all that nodes and routers do. */
static bool has_tables(const struct host_lab_shape *shape)
{
    return !shape->computed && shape->splits == 0 &&
           (shape->kind == MACHINE_MULTISTAGE || shape->kind == MACHINE_FAT_TREE ||
            shape->kind == MACHINE_CUBE);
}

/* A node sends a word that it does not hold, or expects a word that is not sent; a router sends a
 * word that it does not hold. Except in trees, words also arrive that are not expected. */
static void raise_each(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    (void)rng;
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        assert_int_equal(run_one(lab, node, MACHINE_VALID, 0),
                         (uint32_t)MACHINE_NOT_HELD << 28 | node);
        assert_int_equal(run_one(lab, node, 0, MACHINE_VALID),
                         (uint32_t)MACHINE_MISSING << 28 | node);
    }
    for (uint32_t router = 0; router < machine_routers(machine); router++) {
        assert_int_equal(route_one(lab, router, 1),
                         MACHINE_VALID | MACHINE_ROUTER_NOT_HELD << 28 | router);
        assert_int_equal(route_one(lab, router, 2),
                         MACHINE_VALID | (MACHINE_ROUTER_NOT_HELD | MACHINE_ROUTER_TWICE) << 28 |
                             router);
    }
    if (machine->kind != MACHINE_FAT_TREE)
        send_to_each(lab);
}

static void each_node_raises_flags(void **state)
{
    (void)state;
    host_lab_each(has_tables, raise_each);
}

/* -- A reset in the middle --------------------------------------------------------------------- */

/* Reads registers, flags, and some other words; the lab compares them with the known values. */
static void look_around(struct host_lab *lab, struct rng *rng)
{
    uint32_t leaves, routers;
    for (uint32_t reg = 0; reg < HOST_MAP_REGISTERS; reg++)
        host_lab_ask(lab, reg);
    for (unsigned k = 0; k < 200; k++) {
        enum machine_region region = (enum machine_region)(MACHINE_TABLE + rng_below(rng, 4));
        host_lab_ask(lab, machine_region_address(region) |
                              rng_below(rng, 1u << host_map_bits(&lab->map, region)));
    }
    read_flags(lab, &leaves, &routers);
    assert_int_equal(leaves | routers, 0);
}

static void cut(struct host_lab *lab, const struct support_job *job, enum trouble trouble,
                uint32_t cycles, struct rng *rng)
{
    load(lab, &job->image);
    if (!make_trouble(lab, trouble))
        return;
    host_lab_start(lab);
    for (uint32_t k = 0; k < cycles; k++)
        cycle_of(lab, k % 2 ? rng : NULL);
    host_lab_reset(lab);
    host_lab_idle(lab, 1 + rng_below(rng, 20));
    assert_false(lab->outputs.run || lab->outputs.done || lab->outputs.obs_strobe);
    look_around(lab, rng);
    run_holds(lab, job, NULL);
}

/* Requests the flags of every node, or of a router that has some. */
static void ask_flags(struct host_lab *lab, bool of_router)
{
    const struct machine *machine = &lab->map.machine;
    for (uint32_t node = 0; !of_router && node < lab->map.nodes; node++)
        host_lab_ask(lab, machine_flags_address(node));
    for (uint32_t router = 0; of_router && router < machine_routers(machine); router++)
        if (host_lab_read(lab, machine_router_flags_address(router)) != 0) {
            host_lab_ask(lab, machine_router_flags_address(router));
            return;
        }
}

/* When the run is over, starts another run while the last of its flags are being read, and resets
 * the machine in the same way when that run is over. */
static void cut_at_the_end(struct host_lab *lab, const struct support_job *job,
                           enum trouble trouble, bool of_router, struct rng *rng)
{
    struct run run = job->image.run;
    load(lab, &job->image);
    if (!make_trouble(lab, trouble))
        return;
    host_lab_start(lab);
    run.rows = 1u << lab->map.machine.log2_rows; /* at most */
    uint64_t cycles = finish(lab, &run, NULL, NULL);
    assert_flags(lab, trouble);
    assert_events(lab, cycles);
    ask_flags(lab, of_router);
    host_lab_start(lab);
    finish(lab, &run, NULL, NULL);
    ask_flags(lab, of_router);
    host_lab_reset(lab);
    look_around(lab, rng);
}

static void reset_ends_runs(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        struct support_job job = {0};
        print_message("seed %" PRIu64 "\n", rng.state);
        host_lab_job(&host_lab_shapes[which], &lab.map.machine, 2, &job);
        uint32_t cycles = (uint32_t)job.schedule.end * job.image.run.row_cycles + 4;
        for (enum trouble trouble = NONE; trouble < TROUBLES; trouble++) {
            for (uint32_t k = 0; k < CUTS; k += running_stride(4))
                cut(&lab, &job, trouble, k < CUTS / 2 ? k : rng_below(&rng, cycles), &rng);
            cut_at_the_end(&lab, &job, trouble, false, &rng);
            cut_at_the_end(&lab, &job, trouble, true, &rng);
        }
        support_job_free(&job);
        host_lab_close(&lab);
    }
}

/* -- Interrupts -------------------------------------------------------------------------------- */

enum { DONE = 1, ERROR = 2 };

/* Writes a register of interrupts, and checks the state and the pin after it. */
static void interrupt(struct host_lab *lab, uint32_t reg, uint32_t bits, uint32_t state, bool irq)
{
    host_lab_write(lab, reg, bits);
    host_lab_idle(lab, 1);
    assert_int_equal(lab->outputs.irq, irq);
    assert_int_equal(host_lab_read(lab, MACHINE_INTERRUPT_STATE), state);
}

/* Runs the loaded job, in whose first cycle the interrupts are enabled. */
static void run_with_interrupt(struct host_lab *lab, const struct run *run)
{
    struct run longest = *run;
    longest.rows = 1u << lab->map.machine.log2_rows;
    interrupt(lab, MACHINE_INTERRUPT_ENABLE, 0, 0, false);
    host_lab_start(lab);
    host_lab_write(lab, MACHINE_INTERRUPT_ENABLE, DONE | ERROR);
    assert_false(lab->outputs.irq || lab->outputs.error || lab->outputs.done);
    finish(lab, &longest, NULL, NULL);
    assert_true(lab->outputs.irq);
}

/* Runs the loaded job, which has an error, and starts it again in the first cycle in which it is
 * done: no error is left, although the interrupt reports one. */
static void start_at_the_end(struct host_lab *lab)
{
    interrupt(lab, MACHINE_INTERRUPT_STATE, DONE | ERROR, 0, false);
    host_lab_start(lab);
    while (!lab->outputs.done)
        host_lab_idle(lab, 1);
    host_lab_start(lab);
    assert_false(lab->outputs.done);
    for (unsigned k = 0; k < 4; k++) {
        host_lab_idle(lab, 1);
        assert_false(lab->outputs.error);
    }
    assert_int_equal(host_lab_read(lab, MACHINE_INTERRUPT_STATE), DONE | ERROR);
    host_lab_reset(lab);
    host_lab_idle(lab, 20);
}

static void interrupts_report_the_end(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct support_job job = {0};
        host_lab_job(&host_lab_shapes[which], &lab.map.machine, 2, &job);
        interrupt(&lab, MACHINE_INTERRUPT_TEST, DONE, DONE, false);
        interrupt(&lab, MACHINE_INTERRUPT_ENABLE, ERROR, DONE, false);
        interrupt(&lab, MACHINE_INTERRUPT_TEST, ERROR, DONE | ERROR, true);
        interrupt(&lab, MACHINE_INTERRUPT_STATE, DONE, ERROR, true);
        interrupt(&lab, MACHINE_INTERRUPT_STATE, ERROR, 0, false);
        assert_int_equal(host_lab_read(&lab, MACHINE_INTERRUPT_TEST), 0);
        load(&lab, &job.image);
        run_with_interrupt(&lab, &job.image.run);
        assert_int_equal(host_lab_read(&lab, MACHINE_INTERRUPT_STATE), DONE);
        interrupt(&lab, MACHINE_INTERRUPT_STATE, DONE, 0, false);
        if (make_trouble(&lab, HOLLOW) || make_trouble(&lab, FLOOD)) {
            run_with_interrupt(&lab, &job.image.run);
            assert_int_equal(host_lab_read(&lab, MACHINE_INTERRUPT_STATE), DONE | ERROR);
            assert_int_equal(host_lab_read(&lab, MACHINE_RUN_COUNT), 2);
            start_at_the_end(&lab);
        }
        support_job_free(&job);
        host_lab_close(&lab);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_read_in_runs), cmocka_unit_test(each_node_raises_flags),
        cmocka_unit_test(reset_ends_runs), cmocka_unit_test(interrupts_report_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
