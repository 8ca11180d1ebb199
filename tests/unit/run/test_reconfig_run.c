/* SPDX-License-Identifier: Apache-2.0 */
/* test_reconfig_run: machines with reconfiguration, end to end on csim.
 *
 * State space. Settings drawn one by one (seed printed), each kept for 1 … k rows, of which inner
 * rows may send little or nothing, on benes:4 … benes:8, waksman, Clos, radix and multicast
 * networks and on omega networks for settings that pass, with full and indexed settings, with tags
 * and masks for shifts, for reconfigurations of 0, 1, 3 and 10 cycles. The test counts the settings
 * that it has drawn: the run takes rows · cycles + settings · reconfiguration, and the scoreboard,
 * which derives them from the schedule, finds each packet in its cycle and in memory. Words of the
 * setting index have the lengths that were drawn.
 *
 * Counter-cases. The scoreboard detects a reconfiguration that takes a cycle less or more and a
 * setting that is kept a row less or more; the reader of images rejects the same setting twice in
 * succession, and a setting index that lacks a word. Combinations without reconfiguration are
 * rejected: rows without barriers, computed programs, routers.
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/route/compile.h"
#include "sched/schedule/schedule_settings.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/reconfig_lab.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261203)

static const uint32_t prices[] = {0, 1, 3, 10};

/* Runs a job and compares its cycles with the closed formula for the settings that were drawn. */
static void run(const struct reconfig_lab *lab, const struct support_job *job, const char *network)
{
    const struct run *clock = &job->image.run;
    uint64_t rows = 0;
    struct simulate_report report;
    struct err err = {0};
    for (uint32_t which = 0; which < lab->count; which++)
        rows += lab->rows[which];
    if (!setting_period_lab_holds(job, &job->image, &report, &err))
        fail_msg("%s, %u nodes, settings %d: %s", network, lab->nodes,
                 (int)job->image.machine.settings, err.text);
    assert_int_equal(job->schedule.end, rows);
    assert_int_equal(report.run_cycles,
                     rows * clock->row_cycles + (uint64_t)lab->count * clock->reconfigure);
    assert_true(report.checks.seen == job->schedule.transfer_count &&
                report.checks.packets == report.checks.wanted);
}

static void check_words(const struct reconfig_lab *lab, struct image *image)
{
    const unsigned bits = machine_setting_index_bits(&image->machine);
    for (uint32_t which = 0; which < lab->count; which++)
        assert_int_equal((*reconfig_lab_word(image, which % image->run.period) >> bits) + 1,
                         lab->rows[which]);
}

static void run_drawn(struct reconfig_lab *lab, struct rng *rng, const char *network,
                      enum machine_settings settings, unsigned *runs, unsigned *blocked)
{
    struct schedule schedule;
    reconfig_lab_schedule(lab, rng, &schedule);
    for (unsigned k = 0; k < 4; k++) {
        struct support_job job;
        struct err err = {0};
        if (!reconfig_lab_job(&schedule, network, settings, 1 + k % 3, prices[k], &job, &err)) {
            assert_true(err.code == ERR_BLOCKED || err.code == ERR_IRREGULAR);
            ++*blocked;
            continue;
        }
        check_words(lab, &job.image);
        run(lab, &job, network);
        ++*runs;
        payload_free(&job.payload);
        image_free(&job.image);
    }
    schedule_free(&schedule);
}

static void on_every_network(void **state)
{
    static const struct {
        const char *network;
        uint32_t nodes;
        bool whole;
    } cases[] = {
        {"benes:4", 4, false},         {"benes:4,pipe=0", 4, false}, {"benes:5", 5, false},
        {"benes:6", 6, false},         {"benes:7,pad=2", 5, false},  {"benes:8,pipe=2", 8, false},
        {"waksman:6", 6, false},       {"clos:2,2,2", 4, false},     {"clos:4,3,3", 9, false},
        {"benes:9,radix=3", 9, false}, {"multicast:8", 8, true},     {"omega:4", 4, false}};
    struct rng rng = {SEED};
    unsigned runs = 0, blocked = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
        for (unsigned draw = 0; draw < 6; draw++) {
            struct reconfig_lab lab = {.nodes = cases[k].nodes,
                                       .count = 1 + rng_below(&rng, 5),
                                       .most_rows = 1 + draw,
                                       .whole = cases[k].whole};
            run_drawn(&lab, &rng, cases[k].network, draw % 2 ? MACHINE_INDEXED : MACHINE_FULL,
                      &runs, &blocked);
        }
    assert_true(runs > 200 && blocked > 0 && blocked < 24);
}

static void computed_settings(void **state)
{
    struct rng rng = {SEED + 1};
    unsigned runs = 0, refused = 0;
    (void)state;
    for (uint32_t nodes = 4; nodes <= 8; nodes++) {
        struct reconfig_lab lab = {.nodes = nodes, .count = 4, .most_rows = 3, .shifts = true};
        char network[16];
        snprintf(network, sizeof network, "benes:%u", (unsigned)nodes);
        run_drawn(&lab, &rng, network, MACHINE_TAGS, &runs, &refused);
    }
    assert_true(runs == 20 && refused == 0);
    struct reconfig_lab lab = {.nodes = 4, .count = 5, .most_rows = 4, .shifts = true};
    run_drawn(&lab, &rng, "benes:4", MACHINE_MASKS, &runs, &refused);
    assert_true(runs == 24 && refused == 0);
}

/* -- Faults that the scoreboard must detect ---------------------------------------------------- */

static struct support_job drawn_job(struct reconfig_lab *lab, uint32_t price)
{
    struct rng rng = {SEED + 2};
    struct schedule schedule;
    struct support_job job;
    struct err err = {0};
    *lab = (struct reconfig_lab){.nodes = 4, .count = 3, .most_rows = 4};
    do
        reconfig_lab_schedule(lab, &rng, &schedule);
    while ((lab->rows[0] < 2 || lab->rows[1] < 2) && (schedule_free(&schedule), true));
    support_true(reconfig_lab_job(&schedule, "benes:4", MACHINE_FULL, 2, price, &job, &err), &err);
    run(lab, &job, "benes:4");
    return job;
}

static void refused(const struct support_job *job)
{
    struct simulate_report report;
    struct err err = {0};
    assert_false(setting_period_lab_holds(job, &job->image, &report, &err));
    assert_int_equal(err_exit_status(err.code), 1);
}

static void other_changes_are_seen(void **state)
{
    (void)state;
    struct reconfig_lab lab;
    struct support_job job = drawn_job(&lab, 5);
    for (int wrong = -1; wrong <= 1; wrong += 2) {
        for (size_t k = 0; k < job.image.count; k++)
            if (job.image.word[k].address == MACHINE_RUN_RECONFIGURE)
                job.image.word[k].word = (uint32_t)(5 + wrong);
        refused(&job);
    }
    support_job_free(&job);
}

static void other_lengths_are_seen(void **state)
{
    (void)state;
    struct reconfig_lab lab;
    struct support_job job = drawn_job(&lab, 1);
    const uint32_t one = UINT32_C(1) << machine_setting_index_bits(&job.image.machine);
    for (uint32_t setting_phase = 0; setting_phase < 2; setting_phase++) {
        uint32_t *word = reconfig_lab_word(&job.image, setting_phase);
        *word -= one;
        refused(&job);
        *word += 2 * one;
        refused(&job);
        *word -= one;
    }
    run(&lab, &job, "benes:4");
    support_job_free(&job);
}

/* Rows that are unpacked from the last to the first have the same settings as rows that are
 * unpacked from the first to the last. */
static void rows_are_unpacked_in_any_order(void **state)
{
    (void)state;
    enum { WORDS = 8, ROWS = 16 };
    struct reconfig_lab lab;
    struct support_job job = drawn_job(&lab, 1);
    struct unpacked unpacked;
    struct err err = {0};
    uint32_t setting[ROWS][WORDS];
    const size_t words = (size_t)multistage_row_words(&job.image.machine.network) *
                         machine_stages(&job.image.machine);
    support_true(unpack_image(&job.image, &unpacked, &err), &err);
    assert_true(words <= WORDS && unpacked.run.rows > 3 && unpacked.run.rows <= ROWS);
    for (uint32_t row = 0; row < unpacked.run.rows; row++) {
        unpack_row(&unpacked, row);
        memcpy(setting[row], unpacked.setting, words * sizeof **setting);
    }
    assert_memory_not_equal(setting[0], setting[lab.rows[0]], words * sizeof **setting);
    for (uint32_t row = unpacked.run.rows; row-- > 0;) {
        unpack_row(&unpacked, row);
        assert_memory_equal(unpacked.setting, setting[row], words * sizeof **setting);
    }
    unpack_free(&unpacked);
    support_job_free(&job);
}

/* Returns whether the reader accepts the text of the image. */
static bool reads(const struct image *image, struct err *err)
{
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    struct image seen;
    support_true(image_write(file, "text", image, IMAGE_HEX, err), err);
    fclose(file);
    file = fmemopen(text, size, "r");
    bool read = image_read(file, "text", &seen, err);
    if (read)
        image_free(&seen);
    fclose(file);
    free(text);
    return read;
}

/* A setting that is split into two words: the machine would wait although nothing changes. */
static void no_change_takes_no_time(void **state)
{
    (void)state;
    struct reconfig_lab lab;
    struct support_job job = drawn_job(&lab, 3);
    struct err err = {0};
    support_true(reads(&job.image, &err), &err);
    uint32_t setting = *reconfig_lab_word(&job.image, 0) &
                       ((UINT32_C(1) << machine_setting_index_bits(&job.image.machine)) - 1);
    uint32_t *second = reconfig_lab_word(&job.image, 1), kept = *second;
    *second = machine_setting_index_word(&job.image.machine, lab.rows[1], setting);
    assert_false(reads(&job.image, &err));
    support_error(&err, ERR_IMAGE, "phase 1 of the setting index holds setting 0",
                  "expected another");
    *second = kept;
    for (size_t k = 0; k < job.image.count; k++)
        if (job.image.word[k].address == machine_setting_index_address(&job.image.machine, 2))
            job.image.word[k--] = job.image.word[--job.image.count];
    assert_false(reads(&job.image, &err));
    support_error(&err, ERR_IMAGE, "no word for phase 2", "expected a setting");
    support_job_free(&job);
}

/* -- Settings read off a schedule -------------------------------------------------------------- */

static uint32_t setting_changes_of(const char *rounds, const char *network)
{
    char *text;
    struct schedule schedule;
    struct err err = {0};
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){MACHINE_FULL, false});
    assert_true(asprintf(&text,
                         "roundcast-schedule 1\nalgorithm held\ntopology complete 4\n"
                         "model send-receive\ndemand 1 0 *\n%s",
                         rounds) > 0);
    support_true(support_read(text, "held", &schedule, &err), &err);
    uint32_t setting_changes[16];
    assert_true(schedule.end <= 16);
    support_true(schedule_setting_changes(&schedule, &machine.network, setting_changes, &err),
                 &err);
    uint32_t last = setting_changes[schedule.end - 1];
    schedule_free(&schedule);
    free(text);
    return last;
}

static void settings_of_a_schedule(void **state)
{
    (void)state;
    const char *joined = "round 1\n0 1 1\nround 2\n2 3 1\nround 4\n0 1 1\n2 3 1\nend 4\n";
    assert_int_equal(setting_changes_of(joined, "benes:4"), 1);
    assert_int_equal(setting_changes_of(joined, "multicast:4"), 1);
    const char *other = "round 1\n0 1 1\nround 2\n0 2 1\nround 3\n3 1 1\nround 4\n3 0 1\nend 4\n";
    assert_int_equal(setting_changes_of(other, "benes:4"), 3);
    /* 0 → 1 and 2 → 0 require the same lane of omega:4. */
    const char *together = "round 1\n0 1 1\nround 2\n2 0 1\nend 2\n";
    assert_int_equal(setting_changes_of(together, "benes:4"), 1);
    assert_int_equal(setting_changes_of(together, "omega:4"), 2);
    assert_int_equal(setting_changes_of("round 3\n0 1 1\nend 3\n", "benes:4"), 1);
}

/* -- Combinations without reconfiguration ------------------------------------------------------ */

static void what_cannot(void **state)
{
    (void)state;
    struct err err = {0};
    struct machine machine = support_machine(2, 1, 0);
    machine.reconfigures = machine.computed = true;
    machine.log2_period = machine.log2_settings = 2;
    assert_false(machine_check(&machine, &err));
    support_error(&err, ERR_NETWORK, "computed programs", "expected programs stored");
    machine.computed = false;
    support_true(machine_check(&machine, &err), &err);
    const struct run streams = {.rows = 4, .flits = 3, .row_cycles = 3, .period = 1};
    assert_false(machine_check_run(&machine, &streams, "run", &err));
    struct run short_rows = {.rows = 4, .flits = 1, .row_cycles = 1, .period = 1};
    machine.pipe = 0;
    assert_false(machine_check_run(&machine, &short_rows, "run", &err));
    short_rows.row_cycles = 2;
    support_true(machine_check_run(&machine, &short_rows, "run", &err), &err);
    machine.log2_rows = 27;
    machine.log2_settings = 6;
    assert_false(machine_check_reconfig(&machine, &err));
    support_error(&err, ERR_NETWORK, "do not fit in a word", "at most 32 bits");
    machine.reconfigures = false;
    short_rows.reconfigure = 1;
    assert_false(machine_check_run(&machine, &short_rows, "run", &err));
}

/* The host reads the cycles of a reconfiguration, and 0 on a machine without reconfiguration. */
static void the_host_reads_the_price(void **state)
{
    (void)state;
    struct reconfig_lab lab;
    struct support_job job = drawn_job(&lab, 7);
    for (int reconfig = 0; reconfig < 2; reconfig++) {
        struct machine machine = reconfig ? job.image.machine : support_machine(2, 1, 0);
        struct testbench testbench;
        struct err err = {0};
        uint32_t word;
        support_true(testbench_open((const enum engine_kind[]){ENGINE_CSIM}, 1, &machine, false,
                                    &testbench, &err),
                     &err);
        support_true(testbench_write(&testbench, MACHINE_RUN_RECONFIGURE, 7, &err), &err);
        support_true(testbench_read(&testbench, MACHINE_RUN_RECONFIGURE, &word, &err), &err);
        assert_int_equal(word, reconfig ? 7 : 0);
        testbench_close(&testbench);
    }
    support_job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_every_network),
                                       cmocka_unit_test(computed_settings),
                                       cmocka_unit_test(other_changes_are_seen),
                                       cmocka_unit_test(other_lengths_are_seen),
                                       cmocka_unit_test(rows_are_unpacked_in_any_order),
                                       cmocka_unit_test(no_change_takes_no_time),
                                       cmocka_unit_test(settings_of_a_schedule),
                                       cmocka_unit_test(the_host_reads_the_price),
                                       cmocka_unit_test(what_cannot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
