/* SPDX-License-Identifier: Apache-2.0 */
/* test_setting_period_rtl: all settings and programs on csim and RTL in lockstep, observation for
 * observation.
 *
 * Circulant broadcasts on Beneš networks of 7, 8 and 22 ports and on clos:3,3,3, and broadcasts
 * that copy on multicast:8, with and without registers between the stages, with a machine for each
 * combination that a network supports (on benes:8 and clos:3,3,3 for one combination, unless every
 * space is exhausted): one Verilated machine each, on which schedules of different n (for tags: the
 * network's own n) and m run one after another. The words that the host writes are read back from
 * both engines: setting index, tables, entries, registers. Then each machine gets random words
 * (seed printed) in all its tables, programs and memories, and values in its registers that no
 * compiler writes, 0 and ffffffff among them: both engines behave the same. Streams of matching are
 * stopped after each packet, and streams of random words in rows of 2 to 8 cycles.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/route/route.h"
#include "testbench/run/testbench.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/setting_period_lab.h"

#define SEED UINT64_C(20261125)
#define MOST_FIELDS (UINT32_C(1) << 14) /* of the addresses that these machines have */

static const enum engine_kind both[] = {ENGINE_CSIM, ENGINE_RTL};

static uint64_t run_both(const struct support_job *job)
{
    const struct simulate_options options = {.engine_count = 2,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct simulate_report report;
    struct err err = {0};
    support_true(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err),
                 &err);
    assert_int_equal(report.checks.seen,
                     (uint64_t)(job->schedule.nodes - 1) * job->schedule.packets);
    return report.checks.seen;
}

/* Checks that the last word written to an address is read back. Words that are written before the
 * last write to all nodes are not checked. */
static void read_back(const struct support_job *job)
{
    const struct image *image = &job->image;
    struct testbench testbench = {0};
    struct err err = {0};
    unsigned read = 0;
    support_true(testbench_open(both, 2, &image->machine, false, &testbench, &err), &err);
    support_true(testbench_load(&testbench, image, &err), &err);
    for (size_t k = image->count; k-- > 0;) {
        uint32_t address = image->word[k].address, word = 0;
        if (address & MACHINE_ALL_NODES)
            break; /* words before this one may have been overwritten */
        if (machine_region_of(address) == MACHINE_PACKET)
            continue;
        support_true(testbench_read(&testbench, address, &word, &err), &err);
        assert_int_equal(word, image->word[k].word);
        read++;
    }
    assert_true(read > 10);
    testbench_close(&testbench);
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Writes to, or reads from, all addresses of the machine; the testbench compares the words that are
 * read. Returns the number of words. */
static unsigned visit_all(struct testbench *testbench, struct rng *rng)
{
    struct err err = {0};
    unsigned visited = 0;
    for (enum machine_region region = MACHINE_TABLE; region <= MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < MOST_FIELDS; field++) {
            uint32_t address = machine_region_address(region) | field, word;
            if (!machine_has_address(&testbench->machine, address))
                continue;
            support_true(rng != NULL
                             ? testbench_write(testbench, address, (uint32_t)rng_next(rng), &err)
                             : testbench_read(testbench, address, &word, &err),
                         &err);
            visited++;
        }
    return visited;
}

/* Runs with unusual registers and random words everywhere: unusual setting periods; packets of 0
 * flits, or of more than fit, of which the lowest bits count; rows that are too short for barriers,
 * and rows too short without barriers: of one cycle, unless the receive programs are read early
 * (rtl/shell/rc_computed_program.sv). */
static void run_any(const struct machine *machine)
{
    static const uint32_t odd[] = {0, UINT32_C(0xffffffff), UINT32_C(0x00010001),
                                   UINT32_C(0x003f0040)};
    static const struct run runs[] = {
        {.rows = 64, .flits = 1, .row_cycles = 20}, {.rows = 64, .flits = 2, .row_cycles = 20},
        {.rows = 6, .flits = 0, .row_cycles = 20},  {.rows = 6, .flits = 3, .row_cycles = 20},
        {.rows = 20, .flits = 2, .row_cycles = 3},  {.rows = 20, .flits = 2, .row_cycles = 2},
        {.rows = 20, .flits = 0, .row_cycles = 1},  {.rows = 0, .flits = 3, .row_cycles = 0}};
    const struct testbench_observer observer = {NULL, look_away};
    const bool prefetches = machine->computed && machine_latency(machine) > 0;
    struct rng rng = {SEED};
    for (unsigned which = 0; which < 8; which++) {
        struct testbench testbench = {
            0}; /* opened anew, so no flits of the last run are under way */
        struct err err = {0};
        struct run any_run = runs[which], *run = &any_run;
        if (prefetches && run->row_cycles == 1)
            run->row_cycles = 2;
        const uint32_t setting_period = which < 4 ? odd[which] : (uint32_t)rng_next(&rng);
        const uint32_t registers[] = {run->rows, run->flits,     run->row_cycles,       0, 0,
                                      0,         setting_period, setting_period ^ which};
        uint64_t cycles;
        uint32_t word;
        support_true(testbench_open(both, 2, machine, false, &testbench, &err), &err);
        assert_true(visit_all(&testbench, &rng) > 1000);
        for (uint32_t k = 0; k < 8; k++)
            support_true(testbench_write(&testbench, MACHINE_RUN_ROWS + k, registers[k], &err),
                         &err);
        support_true(testbench_run(&testbench, run, &observer, &cycles, &err), &err);
        assert_int_equal(cycles, run->rows * run->row_cycles);
        visit_all(&testbench, NULL);
        for (uint32_t k = 0; k <= MACHINE_RUN_PACKETS; k++)
            support_true(testbench_read(&testbench, k, &word, &err), &err);
        testbench_close(&testbench);
    }
}

/* Stops streams of random words, of any numbers of rows and packets. Returns how many runs were
 * shorter than their rows. */
static unsigned stop_any(const struct machine *machine)
{
    const struct testbench_observer observer = {NULL, look_away};
    struct rng rng = {SEED};
    unsigned stopped = 0;
    for (uint32_t which = 0; which < 42; which++) {
        struct testbench testbench = {0};
        struct err err = {0};
        const struct run run = {.rows = 1 + which % 13, .row_cycles = 2 + which % 7, .flits = 1};
        const uint32_t registers[] = {run.rows,
                                      run.flits,
                                      run.row_cycles,
                                      0,
                                      0,
                                      0,
                                      5,
                                      MACHINE_STREAM | (1 + (uint32_t)rng_below(&rng, 15))};
        uint64_t cycles;
        uint32_t word;
        support_true(testbench_open(both, 2, machine, false, &testbench, &err), &err);
        visit_all(&testbench, &rng);
        for (uint32_t k = 0; k < 8; k++)
            support_true(testbench_write(&testbench, MACHINE_RUN_ROWS + k, registers[k], &err),
                         &err);
        testbench.stop_after = 2 + (uint32_t)rng_below(&rng, 6);
        support_true(testbench_run(&testbench, &run, &observer, &cycles, &err), &err);
        stopped += cycles < run.rows * run.row_cycles;
        visit_all(&testbench, NULL);
        for (uint32_t k = 0; k <= MACHINE_RUN_PACKETS; k++)
            support_true(testbench_read(&testbench, k, &word, &err), &err);
        testbench_close(&testbench);
    }
    return stopped;
}

static struct machine machine_for(const char *network, struct setting_period_lab_how how)
{
    struct machine machine = setting_period_lab_machine(network, how);
    machine.log2_packets = 5, machine.log2_flits = 1, machine.log2_rows = 6;
    machine.log2_period = machine_has_setting_period(&machine) ? 6 : 0;
    machine.log2_settings = how.settings == MACHINE_INDEXED ? 3 : 0;
    return machine;
}

static uint64_t run_network(const char *network, struct setting_period_lab_how how)
{
    const struct machine machine = machine_for(network, how);
    const char *algorithm = multistage_copies(&machine.network) ? "fabric-broadcast" : "circulant";
    const uint32_t ports = machine.network.ports, packets[] = {1, 6, 29};
    uint64_t receipts = 0;
    for (unsigned which = 0; which < 3; which++)
        for (uint32_t n = how.settings == MACHINE_TAGS ? ports : ports - 2; n <= ports; n++) {
            struct support_job job = {0};
            struct err err = {0};
            setting_period_lab_schedule(algorithm, n, packets[which], &job.schedule);
            support_payload(&job.schedule, &machine, 1 + which % 2, SETTING_PERIOD_LAB_SEED,
                            &job.payload);
            support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err),
                         &err);
            receipts += run_both(&job);
            if (which == 1)
                read_back(&job);
            support_job_free(&job);
        }
    run_any(&machine);
    return receipts;
}

/* Stops the stream of 9 packets after each of them. */
static void test_streams(void **state)
{
    (void)state;
    const struct machine machine =
        machine_for("benes:7", (struct setting_period_lab_how){MACHINE_INDEXED, true});
    for (uint32_t n = 5; n <= 7; n++) {
        struct support_job job = {0};
        struct err err = {0};
        const struct collective asked = {
            .n = n, .m = 9, .source = 1, .model = MODEL_SEND_RECEIVE, .stream = true};
        support_job(support_algorithm("matching"), &asked, &machine, 1 + n % 2, SEED, &job);
        assert_int_equal(job.image.run.stream, 1);
        for (uint32_t packets = 1; packets <= 9; packets++) {
            const struct simulate_options options = {
                .engine_count = 2, .engine = {ENGINE_CSIM, ENGINE_RTL}, .stop_after = packets};
            struct simulate_report report;
            struct schedule stopped;
            support_true(schedule_stop(&job.schedule, packets, &stopped, &err), &err);
            support_true(simulate(&job.image, &stopped, &job.payload, &options, &report, &err),
                         &err);
            assert_int_equal(report.checks.seen, (uint64_t)(n - 1) * packets);
            assert_int_equal(report.run_cycles, (packets + 3) * job.image.run.row_cycles);
            schedule_free(&stopped);
        }
        support_job_free(&job);
    }
    unsigned stopped = stop_any(&machine);
    print_message("%u of 42 random streams are stopped\n", stopped);
    assert_true(stopped > 5);
}

static void run_all(const char *network, bool tags)
{
    uint64_t receipts = 0;
    for (unsigned which = 1; which < SETTING_PERIOD_LAB_HOWS; which++)
        if (tags || setting_period_lab_hows[which].settings != MACHINE_TAGS)
            receipts += run_network(network, setting_period_lab_hows[which]);
    print_message("%s: %llu receipts\n", network, (unsigned long long)receipts);
}

static void test_benes(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    run_all("benes:7", true);
    run_network("benes:8,pipe=2", (struct setting_period_lab_how){MACHINE_TAGS, true});
}

static void test_benes_8(void **state)
{
    (void)state;
    run_all("benes:8,pipe=2", true);
}

static void test_benes_22(void **state)
{
    (void)state;
    run_network("benes:22,pipe=0", (struct setting_period_lab_how){MACHINE_TAGS, true});
}

static void test_benes_22_indexed(void **state)
{
    (void)state;
    run_network("benes:22,pad=1", (struct setting_period_lab_how){MACHINE_INDEXED, false});
}

static void test_multicast(void **state)
{
    (void)state;
    run_network("multicast:8,pipe=2", (struct setting_period_lab_how){MACHINE_INDEXED, true});
}

static void test_clos(void **state)
{
    (void)state;
    run_network("clos:3,3,3", (struct setting_period_lab_how){MACHINE_INDEXED, true});
}

static void test_clos_all(void **state)
{
    (void)state;
    run_all("clos:3,3,3", false);
}

/* Complements: the dimensions of a hypercube, and rounds that do not repeat with a period. */
static void test_complements(void **state)
{
    (void)state;
    static const char text[] = "roundcast-schedule 1\n"
                               "algorithm by hand\n"
                               "topology complete 8\n"
                               "model send-receive\n"
                               "demand 1 0 *\n"
                               "round 1\n"
                               "0 5 1\n"
                               "round 2\n"
                               "0 3 1\n"
                               "5 6 1\n"
                               "round 3\n"
                               "0 1 1\n"
                               "3 2 1\n"
                               "5 4 1\n"
                               "6 7 1\n"
                               "end 3\n";
    struct support_job job = {0};
    struct err err = {0};
    struct machine machine =
        machine_for("benes:8,pipe=2", (struct setting_period_lab_how){MACHINE_TAGS, false});
    support_true(support_read(text, "by hand", &job.schedule, &err), &err);
    support_payload(&job.schedule, &machine, 2, SETTING_PERIOD_LAB_SEED, &job.payload);
    support_true(route_schedule(&job.schedule, &machine, &job.payload, &job.image, &err), &err);
    assert_int_equal(run_both(&job), 7);
    uint32_t setting_index = machine_setting_index_address(&machine, 1);
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address == setting_index)
            assert_int_equal(job.image.word[k].word, 8 | 3); /* complement 011 */
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_benes),    cmocka_unit_test(test_streams),
        cmocka_unit_test(test_benes_22), cmocka_unit_test(test_multicast),
        cmocka_unit_test(test_clos),     cmocka_unit_test(test_complements)};
    const struct CMUnitTest others[] = {cmocka_unit_test(test_benes_8),
                                        cmocka_unit_test(test_benes_22_indexed),
                                        cmocka_unit_test(test_clos_all)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(others, NULL, NULL) : failed;
}
