/* SPDX-License-Identifier: Apache-2.0 */
/* test_setting_period_run: machines whose settings are full, indexed or tags and whose programs are
 * stored or computed, end to end on csim.
 *
 * State space. Circulant for n = 2 … 24 and several m, also with many more rows and packets than
 * setting phases, on benes:n, the next power of two and Clos networks, with all six combinations of
 * settings and programs; lowered hypercubes, whose rounds are complements; other algorithms, with
 * indexed settings and with tags if they have them, the postal ones without barriers. The
 * scoreboard, which uses only the schedule and the clock, must find each packet in its cycle and in
 * memory. The cases in which tags do not apply are found by trying all shifts and complements on
 * each round.
 *
 * Counter-cases. Tags on ports for which a round is no shift, and computed programs for a schedule
 * that does not repeat, are rejected (E409). test_setting_period_faults checks that the scoreboard
 * detects a broken image of these machines.
 */
#include "sched/machine/clock.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/route/rewrite.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/support.h"

#include <stdio.h>

/* Returns whether each round is part of a shift, or of a complement, of all ports. */
static bool rounds_have_tags(const struct schedule *schedule, uint32_t ports)
{
    bool power = (ports & (ports - 1)) == 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        bool has = false;
        for (uint32_t value = 0; !has && value < ports; value++) {
            bool shift = true, complement = power;
            for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
                struct transfer transfer = schedule->transfer[t];
                shift = shift && transfer.destination == (transfer.source + value) % ports;
                complement = complement && transfer.destination == (transfer.source ^ value);
            }
            has = shift || complement;
        }
        if (!has)
            return false;
    }
    return true;
}

/* Runs a job and requires that all checks pass. Returns the number of receipts. */
static uint64_t run(const struct support_job *job, const char *network)
{
    struct simulate_report report;
    struct err err = {0};
    if (!setting_period_lab_holds(job, &job->image, &report, &err))
        fail_msg("%s on %s, settings %d, computed %d: %s", job->schedule.algorithm, network,
                 (int)job->image.machine.settings, job->image.machine.computed, err.text);
    assert_int_equal(report.run_cycles, job->schedule.end * job->image.run.row_cycles);
    assert_true(report.checks.seen > 0 && report.checks.seen == report.checks.expected);
    assert_true(report.checks.packets == report.checks.wanted);
    return report.checks.seen;
}

/* Frees the image and memory, but not the schedule. */
static void job_free(struct support_job *job)
{
    payload_free(&job->payload);
    image_free(&job->image);
}

/* Counts of runs, of rejections, and of runs with tags on more ports than nodes. */
struct count {
    unsigned runs, refused, foreign;
    uint64_t receipts;
};

/* Runs a schedule on a network with all six combinations of settings and programs. */
static void all_hows(const struct schedule *schedule, const char *network, unsigned log2_rows,
                     struct count *count)
{
    for (unsigned how = 0; how < SETTING_PERIOD_LAB_HOWS; how++) {
        struct machine machine = setting_period_lab_machine(network, setting_period_lab_hows[how]);
        bool tags = machine.settings == MACHINE_TAGS,
             own = machine.network.ports == schedule->nodes;
        struct support_job job;
        struct err err = {0};
        if (tags && !network_row_of(&machine.network)->computes)
            continue;
        bool routed = setting_period_lab_job(schedule, machine, log2_rows, 1 + how % 3, &job, &err);
        if (!routed && (!tags || own))
            fail_msg("%s, how %u, %u nodes, %u packets: %s", network, how, schedule->nodes,
                     schedule->packets, err.text);
        if (tags && !machine.computed)
            assert_int_equal(routed, rounds_have_tags(schedule, machine.network.ports));
        if (!routed) {
            support_error(&err, ERR_IRREGULAR, tags ? "round " : "", "expected ");
            count->refused++;
            continue;
        }
        count->receipts += run(&job, network);
        count->runs++;
        count->foreign += tags && !own;
        job_free(&job);
    }
}

static void every_n(void **state)
{
    (void)state;
    static const uint32_t packets[] = {1, 2, 5, 13};
    struct count count = {0};
    for (uint32_t n = 2; n <= 24; n++)
        for (unsigned m = 0; m < 4; m++) {
            struct schedule schedule;
            char network[5][40];
            uint32_t power = 2;
            while (power < n)
                power *= 2;
            snprintf(network[0], sizeof network[0], "benes:%u,pipe=%u,pad=%u", n, n % 3 % 2, n % 4);
            snprintf(network[1], sizeof network[1], "benes:%u,pipe=%u", power, power > 2 ? 2 : 1);
            snprintf(network[2], sizeof network[2], "clos:2,2,%u", n / 2 + 1);
            snprintf(network[3], sizeof network[3], "clos:5,4,%u,pipe=0", (n + 3) / 4 + 1);
            snprintf(network[4], sizeof network[4], "benes:%u", n + 3);
            setting_period_lab_schedule("circulant", n, packets[m], &schedule);
            for (unsigned which = 0; which < 5; which++)
                all_hows(&schedule, network[which], 3 + (n + m) % 6, &count);
            schedule_free(&schedule);
        }
    print_message("%u runs, %llu receipts, %u refused, %u with tags on more ports than nodes\n",
                  count.runs, (unsigned long long)count.receipts, count.refused, count.foreign);
    assert_true(count.runs > 1500 && count.refused > 100 && count.foreign > 10);
}

/* 200 packets, those of the last rows clamped; memories of 256 and of 4096 rows. */
static void many_rows(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {2, 5, 8, 13, 32};
    struct count count = {0};
    for (unsigned which = 0; which < 5; which++) {
        struct schedule schedule;
        char network[20];
        setting_period_lab_schedule("circulant", nodes[which], 200, &schedule);
        snprintf(network, sizeof network, "benes:%u", nodes[which]);
        for (unsigned log2_rows = 8; log2_rows <= 12; log2_rows += 4)
            all_hows(&schedule, network, log2_rows, &count);
        schedule_free(&schedule);
    }
    assert_int_equal(count.runs, 5 * 2 * SETTING_PERIOD_LAB_HOWS);
}

/* Rounds of a cube are complements of its dimensions. They do not repeat as circulant's rounds
 * do. */
static void lowered_cubes(void **state)
{
    (void)state;
    unsigned complements = 0;
    for (unsigned d = 1; d <= 4; d++) {
        const struct topology cube = cube_lab_make(d);
        const struct cube_runs_set set =
            cube_runs_set_of(cube.nodes, UINT64_C(0x35b9) & ((UINT64_C(1) << cube.nodes) - 1));
        struct schedule schedule, lowered = {0};
        char network[20];
        snprintf(network, sizeof network, "benes:%u", cube.nodes);
        cube_runs_schedule("cube-broadcast", NULL, &cube, &set, &schedule);
        struct err err = {0};
        support_true(hypercube_to_rounds(&schedule, &lowered, &err), &err);
        for (unsigned settings = 0; settings < 3; settings++) {
            struct support_job job;
            struct machine machine = setting_period_lab_machine(
                network, (struct setting_period_lab_how){(enum machine_settings)settings, false});
            support_true(setting_period_lab_job(&lowered, machine, 1, 2, &job, &err), &err);
            run(&job, network);
            for (size_t k = 0; settings == MACHINE_TAGS && k < job.image.count; k++)
                complements += machine_region_of(job.image.word[k].address) == MACHINE_TABLE &&
                               job.image.word[k].word >> d == 1;
            job_free(&job);
            machine.computed = true;
            if (d > 1) {
                assert_false(setting_period_lab_job(&lowered, machine, 1, 2, &job, &err));
                support_error(&err, ERR_IRREGULAR, "expected a schedule that repeats");
            }
        }
        schedule_free(&schedule);
        schedule_free(&lowered);
    }
    assert_true(complements > 10);
}

/* Sets the registers that give λ in the postal model, and returns the flits that λ requires. */
static uint32_t flits_of(const struct collective *asked, struct machine *machine)
{
    struct err err = {0};
    uint32_t flits = 2;
    if (model_has_times(asked->model))
        support_true(clock_registers(machine, &(struct clock_request){asked->lambda, 2, 0, false},
                                     &flits, &err),
                     &err);
    return flits;
}

/* Other algorithms reuse settings, too, on any network, also without barriers; some have tags. */
static void other_algorithms(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {5, 2}, {4, 1}};
    unsigned runs[3] = {0}, postal[3] = {0};
    for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++)
        for (uint32_t k = 0; k < 4 * 8 * 2; k++) {
            const uint32_t n = 2 + k / 4 % 8 * 2;
            const struct collective asked = {
                .n = n, .m = 3, .model = algorithm_model(*entry), .lambda = lambdas[k % 4]};
            struct machine machine = setting_period_lab_machine(
                n % 4 ? "benes:16" : "clos:4,4,4", setting_period_lab_hows[1 + k / 32]);
            struct support_job job;
            struct schedule schedule;
            struct err err = {0};
            if ((*entry)->topology != TOPOLOGY_COMPLETE || !algorithm_check(*entry, &asked, NULL))
                continue;
            if (model_copies(asked.model)) {
                if (machine.settings == MACHINE_TAGS)
                    continue; /* not supported on a network that copies */
                machine.network = multistage_multicast(16);
            } else if (machine.settings == MACHINE_TAGS) {
                machine.network = multistage_benes(n);
            }
            uint32_t flits = flits_of(&asked, &machine);
            support_schedule(*entry, &asked, &schedule);
            if (setting_period_lab_job(&schedule, machine, 3, flits, &job, &err)) {
                run(&job, (*entry)->name);
                runs[machine.settings]++, postal[machine.settings] += model_has_times(asked.model);
                job_free(&job);
            } else if (machine.settings == MACHINE_TAGS)
                support_error(&err, ERR_IRREGULAR, "neither a cyclic shift");
            else
                fail_msg("%s: %s", (*entry)->name, err.text);
            schedule_free(&schedule);
        }
    print_message("indexed: %u runs, %u of the postal model; tags: %u, %u\n", runs[MACHINE_INDEXED],
                  postal[MACHINE_INDEXED], runs[MACHINE_TAGS], postal[MACHINE_TAGS]);
    assert_true(postal[MACHINE_INDEXED] > 50 && runs[MACHINE_TAGS] > 10 &&
                postal[MACHINE_TAGS] > 0);
}

/* Memories of fewer rows than the default numbers of setting phases and settings, which --memory
 * may request; they hold the schedule. */
static void few_rows(void **state)
{
    (void)state;
    for (unsigned log2_rows = 1; log2_rows <= 2; log2_rows++) {
        struct count count = {0};
        struct schedule schedule;
        setting_period_lab_schedule("circulant", UINT32_C(3) << (log2_rows - 1), 1, &schedule);
        all_hows(&schedule, log2_rows == 1 ? "benes:3" : "benes:6", log2_rows, &count);
        assert_int_equal(count.runs, SETTING_PERIOD_LAB_HOWS);
        schedule_free(&schedule);
    }
}

/* Returns whether a schedule with a period of two rounds fits a machine: nodes 0 and 1 send to
 * nodes 2 and 3 in round 1, and to the nodes `to` in round 3. */
static bool repeats(struct setting_period_lab_how how, const uint32_t to[2], struct err *err)
{
    struct schedule schedule = {0};
    struct support_job job;
    support_true(
        support_broadcast(&schedule, "two",
                          &(struct collective){.n = 4, .m = 3, .model = MODEL_SEND_RECEIVE}, err),
        err);
    for (uint32_t round = 1; round <= 3; round += 2) {
        struct transfer *transfer = schedule_open_step(&schedule, round, 2, err);
        assert_non_null(transfer);
        for (uint32_t node = 0; node < 2; node++)
            transfer[node] = (struct transfer){node, round == 1 ? 2 + node : to[node], round};
        schedule_close_step(&schedule, 2);
    }
    bool fits = setting_period_lab_job(&schedule, setting_period_lab_machine("benes:4", how), 3, 2,
                                       &job, err);
    if (fits)
        job_free(&job);
    schedule_free(&schedule);
    return fits;
}

/* Stored programs allow any sequence of settings; computed ones require one that repeats. */
static void orders_that_do_not_repeat(void **state)
{
    (void)state;
    for (unsigned how = 0; how < SETTING_PERIOD_LAB_HOWS; how++) {
        struct err err = {0};
        bool stored = !setting_period_lab_hows[how].computed ||
                      setting_period_lab_hows[how].settings == MACHINE_FULL;
        support_true(repeats(setting_period_lab_hows[how], (const uint32_t[]){2, 3}, &err), &err);
        assert_int_equal(repeats(setting_period_lab_hows[how], (const uint32_t[]){3, 2}, &err),
                         stored);
        if (!stored)
            support_error(&err, ERR_IRREGULAR, "round 3 has other settings than round 1",
                          "every period of 2 rounds");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_n),       cmocka_unit_test(many_rows),
        cmocka_unit_test(lowered_cubes), cmocka_unit_test(other_algorithms),
        cmocka_unit_test(few_rows),      cmocka_unit_test(orders_that_do_not_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
