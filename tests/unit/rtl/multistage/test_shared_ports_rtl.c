/* SPDX-License-Identifier: Apache-2.0 */
/* test_shared_ports_rtl: endpoints that share a packet memory, on csim and RTL in lockstep,
 * observation for observation.
 *
 * Networks of 8 ports whose endpoints share memories in pairs, and in threes, of which the last has
 * two. Broadcasts and all-gathers of nodes of 2 ports, with and without barriers. Then random words
 * (seed printed) in all tables, programs and memories, so that the send programs name every member,
 * also those that the machine does not have: runs of 1 … 4 flits with short and long rows, after
 * which all words are read back from both engines.
 *
 * Counter-case. If the second engine's send program names another member, the engines differ.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/route/route.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/second_engine.h"
#include "tests/support/support.h"

#include <inttypes.h>

#define SEED UINT64_C(20261126)
#define MOST_FIELDS (UINT32_C(1) << 11)

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

static struct machine machine_of(const char *network, uint32_t shared)
{
    struct machine machine = {.width = 16, .shared = shared};
    struct err err = {0};
    support_true(machine_parse_network(network, &machine, &err), &err);
    machine.log2_packets = 3, machine.log2_flits = 2, machine.log2_rows = 5;
    return machine;
}

/* Makes the image of the endpoints of 4 nodes of 2 ports. */
static void make_job(const char *name, uint32_t m, uint32_t flits, bool times,
                     struct machine machine, struct support_job *job)
{
    const struct algorithm *algorithm = support_algorithm(name);
    const struct collective asked = {.kind = algorithm->kind,
                                     .n = 4,
                                     .m = m,
                                     .ports = 2,
                                     .lambda = machine_lambda(&machine, flits),
                                     .model = times ? MODEL_POSTAL : MODEL_SEND_RECEIVE};
    struct schedule several = {0};
    struct err err = {0};
    *job = (struct support_job){0};
    support_true(algorithm_build(algorithm, &asked, &several, &err) &&
                     ports_to_nodes(&several, &job->schedule, &err),
                 &err);
    schedule_free(&several);
    assert_int_equal(job->schedule.topology.shared, 2);
    support_payload(&job->schedule, &machine, flits, SEED, &job->payload);
    support_true(route_schedule(&job->schedule, &machine, &job->payload, &job->image, &err), &err);
}

static void schedules(void **state)
{
    (void)state;
    const struct simulate_options options = {.engine_count = 2, .engine = {both[0], both[1]}};
    const struct machine machine = machine_of("benes:8,pipe=2", 2);
    static const struct {
        const char *name;
        uint32_t m;
        bool times;
    } cases[] = {{"matching", 3, false},
                 {"matching", 8, false},
                 {"binomial", 5, false},
                 {"all-gather", 1, false},
                 {"all-gather", 1, true}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++)
        for (uint32_t flits = 1; flits <= 4; flits *= 2) {
            struct support_job job;
            struct simulate_report report;
            struct err err = {0};
            make_job(cases[which].name, cases[which].m, flits, cases[which].times, machine, &job);
            support_true(simulate(&job.image, &job.schedule, &job.payload, &options, &report, &err),
                         &err);
            assert_int_equal(report.checks.seen, job.schedule.transfer_count);
            support_job_free(&job);
        }
}

/* -- Random words ------------------------------------------------------------------------------ */

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Writes random words to all addresses, or reads them; the testbench compares what is read. Most
 * entries and words are valid. */
static void visit_all(struct testbench *testbench, struct rng *rng)
{
    struct err err = {0};
    for (enum machine_region region = MACHINE_TABLE; region <= MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < MOST_FIELDS; field++) {
            uint32_t address = machine_region_address(region) | field, word;
            if (!machine_has_address(&testbench->machine, address))
                continue;
            word = rng != NULL ? (uint32_t)rng_next(rng) : 0;
            if (region > MACHINE_TABLE && word % 4 != 0)
                word |= MACHINE_VALID;
            support_true(rng != NULL ? testbench_write(testbench, address, word, &err)
                                     : testbench_read(testbench, address, &word, &err),
                         &err);
        }
}

static void run_any(const struct machine *machine)
{
    static const struct run runs[] = {
        {.rows = 30, .flits = 1, .row_cycles = 1}, {.rows = 30, .flits = 2, .row_cycles = 1},
        {.rows = 30, .flits = 4, .row_cycles = 2}, {.rows = 32, .flits = 1, .row_cycles = 9},
        {.rows = 32, .flits = 3, .row_cycles = 9}, {.rows = 32, .flits = 4, .row_cycles = 7}};
    const struct testbench_observer observer = {NULL, look_away};
    struct rng rng = {SEED};
    for (unsigned which = 0; which < 6 * sizeof runs / sizeof *runs; which++) {
        const struct run *run = &runs[which % (sizeof runs / sizeof *runs)];
        struct testbench testbench = {0};
        struct err err = {0};
        uint64_t cycles;
        support_true(testbench_open(both, 2, machine, false, &testbench, &err), &err);
        visit_all(&testbench, &rng);
        const uint32_t registers[] = {run->rows, run->flits, run->row_cycles};
        for (uint32_t k = 0; k < 3; k++)
            support_true(testbench_write(&testbench, MACHINE_RUN_ROWS + k, registers[k], &err),
                         &err);
        support_true(testbench_run(&testbench, run, &observer, &cycles, &err), &err);
        assert_int_equal(cycles, run->rows * run->row_cycles);
        visit_all(&testbench, NULL);
        uint32_t shared;
        support_true(testbench_read(&testbench, MACHINE_SHARED, &shared, &err), &err);
        assert_int_equal(shared, machine->shared);
        testbench_close(&testbench);
    }
}

static void random_words(void **state)
{
    (void)state;
    print_message("seed %" PRIu64 "\n", SEED);
    const struct machine pairs = machine_of("benes:8,pipe=2", 2);
    const struct machine threes = machine_of("benes:8,pipe=2", 3);
    run_any(&pairs);
    run_any(&threes);
}

static void another_member_is_noticed(void **state)
{
    (void)state;
    const struct machine machine = machine_of("benes:8,pipe=2", 2);
    const struct testbench_observer observer = {NULL, look_away};
    struct testbench testbench = {0};
    struct support_job job;
    struct err err = {0};
    uint64_t cycles;
    make_job("matching", 3, 2, false, machine, &job);
    support_true(testbench_open(both, 2, &machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, &job.image, &err), &err);
    /* the source has its packets at its first endpoint, member 0 */
    uint32_t address = machine_program_address(&machine, MACHINE_SEND, 0, 0), word;
    support_true(testbench_read(&testbench, address, &word, &err), &err);
    second_engine_write(&testbench, address, word ^ UINT32_C(1) << machine.log2_packets);
    assert_false(testbench_run(&testbench, &job.image.run, &observer, &cycles, &err));
    assert_int_equal(err.code, ERR_DIVERGED);
    testbench_close(&testbench);
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schedules), cmocka_unit_test(random_words),
                                       cmocka_unit_test(another_member_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
