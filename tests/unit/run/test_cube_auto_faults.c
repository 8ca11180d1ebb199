/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_auto_faults: faults of a self-timed hypercube are detected: in a sum, a packet, a
 * queue, a buffer, or the end of the run; and a schedule that it would not execute is rejected.
 */
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "sched/route/self_timed.h"
#include "testbench/run/simulate.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"

#include <stdio.h>
#include <stdlib.h>

#define FLITS 3

/* -- Counter-cases ----------------------------------------------------------------------------- */

static const struct cube_runs_set usual = {7, {1, 3, 3, 4, 6, 6, 6}};

static void open_usual(struct support_job *job)
{
    const struct topology cube = cube_lab_make(3);
    const struct machine machine = cube_auto_lab_machine(&cube, 0, 16, FLITS);
    cube_auto_lab_job(&machine, &usual, FLITS, job);
}

/* Expects that the first violation has the code and contains the part. */
static void breaks(struct support_job *job, enum err_code code, const char *part)
{
    const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct err err = {0};
    assert_false(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err));
    support_error(&err, code, part);
    support_job_free(job);
}

/* Every control value is checked, and a wrong value is named; here the schedule's values are
 * wrong. */
static void test_sums(void **state)
{
    (void)state;
    struct support_job job;
    open_usual(&job);
    uint32_t data = job.payload.data, control = job.schedule.packets - data;
    support_job_free(&job);
    assert_int_equal(control, 2 * 7 + 1 + 3);
    for (uint32_t which = 0; which < control; which++) {
        char part[40];
        open_usual(&job);
        job.payload.control[which]++;
        snprintf(part, sizeof part, "holds packet %u with flit 1", (unsigned)(data + which + 1));
        breaks(&job, ERR_CORRUPT, part);
    }
}

/* Appends a word to a node's list. */
static void lengthen(struct support_job *job, uint32_t node, uint32_t row, uint32_t slot)
{
    for (uint32_t endpoint = node * 3; endpoint < (node + 1) * 3; endpoint++)
        image_append(&job->image,
                     machine_program_address(&job->image.machine, MACHINE_SEND, endpoint, row),
                     MACHINE_VALID | slot, NULL);
}

/* Wrong sums, which result from nodes that count too many packets. Node 1 has a packet of rank 7,
 * which stays there because node 1 is the root of tree 1; with rank 8 it belongs to tree 2, and
 * goes to node 3 at once. Node 7 has none, and sends a packet that it does not hold. */
static void test_count(void **state)
{
    (void)state;
    struct support_job job;
    open_usual(&job);
    lengthen(&job, 1, 1, 0);
    breaks(&job, ERR_LATE, "round 8, cycle 58: node 3, dimension 2 receives packet 1;");
    open_usual(&job);
    lengthen(&job, 7, 0, 9);
    breaks(&job, ERR_FLAG, "node 7, dimension");
}

/* A packet whose first or last flit its source's endpoint does not hold. */
static void test_lost(void **state)
{
    (void)state;
    for (uint32_t flit = 0; flit < FLITS; flit += FLITS - 1) {
        struct support_job job;
        struct err err = {0};
        struct simulate_report report;
        const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
        struct schedule schedule;
        open_usual(&job);
        /* simulate() loads the payload of data packets again: marking demand 0 as control prevents
         * this for the broken packet. */
        cube_runs_schedule("cube-broadcast", NULL, &job.schedule.topology, &usual, &schedule);
        schedule.demand[0].control = calloc(1, sizeof(struct control));
        assert_non_null(schedule.demand[0].control);
        struct support_job broken = job;
        broken.schedule = schedule;
        for (size_t k = 0; k < job.image.count; k++) {
            struct image_word *word = &job.image.word[k];
            struct machine_place at = machine_place_of(&job.image.machine, word->address);
            if (at.region == MACHINE_PACKET && !at.all && at.flit == flit && at.slot == 0)
                word->word &= ~MACHINE_VALID;
        }
        broken.image = job.image;
        assert_false(
            simulate(&broken.image, &broken.schedule, &broken.payload, &options, &report, &err));
        assert_true(err.code == ERR_FLAG || err.code == ERR_LOST);
        schedule_free(&schedule);
        support_job_free(&job);
    }
}

/* A queue has room for one packet, but two wait. */
static void test_queue(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    struct machine machine = cube_auto_lab_machine(&cube, 0, 16, FLITS);
    const struct cube_runs_set set = {16, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}};
    const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
    struct simulate_report report;
    struct support_job job;
    struct err err = {0};
    machine.queue[1] = 1;
    cube_auto_lab_job(&machine, &set, FLITS, &job);
    assert_false(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err));
    support_error(&err, ERR_LATE, "round 10",
                  "node 2, dimension 3 receives packet 12; expected it in round 11");
    assert_true(report.checks.flags > 0);
    support_job_free(&job);
}

static uint32_t read_word(struct testbench *testbench, uint32_t address)
{
    struct err err = {0};
    uint32_t word;
    support_true(testbench_read(testbench, address, &word, &err), &err);
    return word;
}

/* Returns the first node with a flag or, if none, the first router, and its flags, as ErrorCause
 * has them; 0: none. */
static uint32_t first_flagged(struct testbench *testbench, const struct machine *machine)
{
    for (uint32_t node = 0; node < machine_ports(machine); node++) {
        const uint32_t flags = read_word(testbench, machine_flags_address(node));
        if (flags != 0)
            return flags << MACHINE_ERROR_CAUSE_FLAGS_LOW | node;
    }
    for (uint32_t router = 0; router < machine->topology.nodes; router++) {
        const uint32_t flags = read_word(testbench, machine_router_flags_address(router));
        if (flags != 0)
            return UINT32_C(1) << MACHINE_ERROR_CAUSE_ROUTER_LOW |
                   flags << MACHINE_ERROR_CAUSE_FLAGS_LOW | router;
    }
    return 0;
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Queues of one packet overflow, which only routers report; with a flit that was never stored nodes
 * have flags, too. The register names the first node or, if there is none, the first router. */
static void test_first_flags(void **state)
{
    (void)state;
    static const enum engine_kind csim[] = {ENGINE_CSIM};
    const struct topology cube = cube_lab_make(3);
    struct machine machine = cube_auto_lab_machine(&cube, 0, 16, FLITS);
    const struct cube_runs_set set = {16, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}};
    const struct testbench_observer nobody = {NULL, look_away};
    struct testbench testbench;
    struct support_job job;
    struct err err = {0};
    machine.queue[1] = 1;
    cube_auto_lab_job(&machine, &set, FLITS, &job);
    support_true(testbench_open(csim, 1, &machine, false, &testbench, &err), &err);
    for (uint32_t lacks = 0; lacks <= 16; lacks++) { /* 0: none */
        uint64_t cycles;
        uint32_t seen = 0;
        support_true(testbench_load(&testbench, &job.image, &err), &err);
        for (uint32_t node = 0; lacks > 0 && node < machine_ports(&machine); node++)
            support_true(testbench_write(&testbench,
                                         machine_packet_address(&machine, node, lacks - 1, 1), 0,
                                         &err),
                         &err);
        support_true(testbench_run(&testbench, &job.image.run, &nobody, &cycles, &err), &err);
        for (uint32_t router = 0; router < cube.nodes; router++)
            seen |= read_word(&testbench, machine_router_flags_address(router));
        assert_true(seen & MACHINE_ROUTER_OVERFLOW);
        const uint32_t cause = first_flagged(&testbench, &machine);
        assert_int_equal(read_word(&testbench, MACHINE_ERROR_CAUSE), cause);
        assert_int_equal(cause >> MACHINE_ERROR_CAUSE_ROUTER_LOW, lacks == 0);
    }
    testbench_close(&testbench);
    support_job_free(&job);
}

/* A limit of rows before the end, at the end, and after it. */
static void test_limit(void **state)
{
    (void)state;
    for (int less = -1; less <= 1; less++) {
        const struct simulate_options options = {.engine_count = 1, .engine = {ENGINE_CSIM}};
        struct simulate_report report;
        struct support_job job;
        struct err err = {0};
        open_usual(&job);
        uint32_t end = (uint32_t)cube_auto_lab_rounds(&job.schedule.topology, usual.count);
        job.image.run.rows = end - (uint32_t)less;
        image_append(&job.image, MACHINE_RUN_ROWS, job.image.run.rows, NULL);
        bool held = simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err);
        assert_int_equal(held, less <= 0);
        assert_int_equal(report.run_cycles, (end - (less > 0)) * job.image.run.row_cycles);
        support_job_free(&job);
    }
}

/* -- What is rejected -------------------------------------------------------------------------- */

static void refuses(const struct schedule *schedule, const char *part)
{
    struct machine machine = cube_auto_lab_machine(&schedule->topology, 0, 64, FLITS);
    struct err err = {0};
    assert_false(route_check_self_timed(schedule, &machine, &err));
    support_error(&err, ERR_UNSUPPORTED, "network cube-auto: ", part);
}

static void test_other_schedules(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    static const char *const methods[] = {"exchange", "tree-gather", "tree-spread",
                                          "random-gather"};
    struct schedule schedule;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        cube_runs_schedule("cube-broadcast", methods[k], &cube, &usual, &schedule);
        refuses(&schedule, "expected a schedule of cube-broadcast by its first method");
        schedule_free(&schedule);
    }
    cube_runs_schedule("cube-all-gather", NULL, &cube, &usual, &schedule);
    refuses(&schedule, "the control packets differ");
    schedule_free(&schedule);
    cube_runs_schedule("cube-ranked", NULL, &cube, &(struct cube_runs_set){3, {1, 2, 3}},
                       &schedule);
    refuses(&schedule, "the control packets differ");
    schedule_free(&schedule);
}

/* Schedules that differ in a single detail; in another order of transfers the schedule is equal. */
static void test_other_details(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    struct schedule schedule;
    struct err err = {0};
    cube_runs_schedule("cube-broadcast", NULL, &cube, &usual, &schedule);
    size_t data = schedule.step[7].first; /* round 8, the first of the gather */
    struct transfer was = schedule.transfer[data], other = schedule.transfer[data + 1];
    schedule.transfer[data] = other;
    schedule.transfer[data + 1] = was;
    support_true(cube_auto_check(&schedule, &err), &err);
    schedule.transfer[data] = (struct transfer){was.source, was.destination, other.packet};
    schedule.transfer[data + 1] = (struct transfer){other.source, other.destination, was.packet};
    refuses(&schedule, "round 8 differs from what its nodes do");
    schedule.transfer[data] = was;
    schedule.transfer[data + 1] = other;
    schedule.demand[schedule.demand_count - 1].control->value++;
    refuses(&schedule, "the control packets differ");
    schedule.demand[schedule.demand_count - 1].control->value--;
    size_t first = 0;
    while (schedule.demand[first].control == NULL)
        first++;
    schedule.demand[first].control->value++;
    refuses(&schedule, "the control packets differ");
    schedule.demand[first].control->value--;
    schedule.transfer_count--;
    refuses(&schedule, "round 18");
    schedule.transfer_count++;
    support_true(cube_auto_check(&schedule, &err), &err);

    schedule.demand[schedule.demand_count - 1].source ^= 1;
    refuses(&schedule, "the control packets differ");
    schedule.demand[schedule.demand_count - 1].source ^= 1;
    schedule.transfer[data].destination ^= 7;
    refuses(&schedule, "round 8 differs from what its nodes do");
    schedule.transfer[data] = was;
    schedule.step[0].time = 0;
    refuses(&schedule, "round 0 differs from what its nodes do");
    schedule.step[0].time = 1;
    schedule.step[7].time = 0;
    refuses(&schedule, "round 0 differs from what its nodes do");
    schedule.step[7].time = 8;
    const size_t all = schedule.transfer_count;
    schedule.transfer_count = schedule.step[--schedule.step_count].first;
    refuses(&schedule, "round 18 differs from what its nodes do");
    struct step *roomy = schedule.step, *exact = malloc(schedule.step_count * sizeof *exact);
    assert_non_null(exact);
    for (size_t k = 0; k < schedule.step_count; k++)
        exact[k] = roomy[k];
    schedule.step = exact; /* no memory after the last step: ASan detects reads */
    refuses(&schedule, "round 18 differs from what its nodes do");
    free(exact);
    schedule.step = roomy;
    schedule.step_count++;
    schedule.transfer_count = all;
    support_true(cube_auto_check(&schedule, &err), &err);
    struct transfer *sent = schedule_open_step(&schedule, 19, 1, &err);
    assert_non_null(sent);
    sent[0] = schedule.transfer[all - 1];
    schedule_close_step(&schedule, 1);
    refuses(&schedule, "round 19 differs from what its nodes do");
    schedule_free(&schedule);
}

/* Demands whose sources descend, or that not all nodes want. */
static void test_other_demands(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(2);
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", NULL, &cube, &(struct cube_runs_set){2, {1, 2}},
                       &schedule);
    assert_int_equal(schedule.demand[1].source, 2);
    schedule.demand[1].source = 0;
    refuses(&schedule, "packet 2 is not for all nodes, or its source precedes");
    schedule.demand[1].source = 1; /* two packets of one node can be distinguished */
    refuses(&schedule, "the control packets differ");
    schedule.demand[1].source = 2;
    schedule.demand[1].wanted = calloc(1, sizeof *schedule.demand[1].wanted);
    assert_non_null(schedule.demand[1].wanted);
    schedule.demand[1].wanted_count = 1;
    refuses(&schedule, "packet 2 is not for all nodes, or its source precedes");
    schedule_free(&schedule);
}

/* Buffers of one packet less than the schedule requires; words that are too narrow for a header. */
static void test_small_machines(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(3);
    struct machine machine = cube_auto_lab_machine(&cube, 0, 16, FLITS);
    const struct cube_runs_set set = {16, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7}};
    struct support_job job;
    struct image image;
    struct err err = {0};
    char text[160];
    cube_auto_lab_job(&machine, &set, FLITS, &job);
    while (machine.depth[1] > 1) {
        machine.depth[1]--;
        if (!route_schedule(&job.schedule, &machine, &job.payload, &image, &err))
            break;
        image_free(&image);
    }
    snprintf(
        text, sizeof text,
        "later packets overwrite unsent ones in buffers of %u packets; expected %u packets or more",
        machine.depth[1], machine.depth[1] + 1);
    support_error(&err, ERR_BUFFER, text);
    err = (struct err){0};
    machine.width = machine.log2_packets + 2;
    support_true(machine_check(&machine, &err), &err);
    machine.width--;
    assert_false(machine_check(&machine, &err));
    support_error(&err, ERR_NETWORK, "which a header needs");
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_first_flags),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_other_schedules),
        cmocka_unit_test(test_other_details),
        cmocka_unit_test(test_small_machines),
        cmocka_unit_test(test_other_demands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
