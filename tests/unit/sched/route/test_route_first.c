/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_first: the requirements of a schedule on a machine are checked before any row is read.
 *
 * Rows are processed port by port, in memory whose size follows from the machine's ports and rows;
 * so a schedule that needs more must be rejected earlier. Exhaustive: networks of 2 … 8 ports, all
 * settings and programs, schedules of more nodes than ports by one and by many, made by
 * machine_sizing_fit with either minimum, by machine_sizing_fit_settings for a machine whose
 * memories are given, and by route_schedule: E402 with the network that fits, never an error about
 * rows. The same for more rows than a machine has, up to 2^62, for a model that requires copies,
 * and for another topology. A sanitizer detects illegal writes; without a sanitizer the codes
 * reveal them, because the rows have another fault or none.
 *
 * Counter-case: with enough ports and rows the same calls succeed.
 */
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/setting_period_lab.h"

#include <stdio.h>

enum { MOST_ROWS = 64 };

static const struct machine minima[] = {{.log2_packets = 4, .log2_flits = 3, .log2_rows = 6}};

/* Returns a machine, of any settings and programs, with or without a setting period. */
static struct machine machine_of(const char *network, unsigned how)
{
    return setting_period_lab_machine(
        network,
        (struct setting_period_lab_how){(enum machine_settings)(how / 2 % 4), how % 2 != 0});
}

/* Checks that all functions that lead to the machine reject the schedule. */
static void refused(const struct schedule *schedule, struct machine machine, enum err_code code,
                    const char *text)
{
    struct payload payload = {0};
    struct image image;
    struct err err = {0};
    struct machine tried = machine;
    if (machine_has_setting_period(&machine)) {
        assert_false(machine_sizing_fit(schedule, 1, &minima[0], &tried, &err));
        support_error(&err, code, text);
        tried = machine;
        assert_false(machine_sizing_fit(schedule, 1, NULL, &tried, &err));
        support_error(&err, code, text);
        tried.log2_packets = 1, tried.log2_flits = 1, tried.log2_rows = 6;
        assert_false(machine_sizing_fit_settings(schedule, true, &tried, &err));
        support_error(&err, code, text);
    }
    tried = machine;
    tried.log2_packets = 1, tried.log2_flits = 1, tried.log2_rows = 6;
    tried.log2_period = machine_has_setting_period(&machine);
    tried.log2_settings = machine_is_indexed(&machine);
    support_payload(schedule, &tried, 1, 1, &payload);
    assert_false(route_schedule(schedule, &tried, &payload, &image, &err));
    support_error(&err, code, text);
    payload_free(&payload);
}

static void more_nodes_than_ports(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:2", "benes:3", "benes:8", "omega:4",
                                           "clos:2,2,2"};
    static const uint32_t more[] = {1, 2, 37, 4000, 16777216};
    for (unsigned network = 0; network < sizeof networks / sizeof *networks; network++)
        for (unsigned how = 0; how < 8; how++)
            for (unsigned which = 0; which < sizeof more / sizeof *more; which++) {
                const struct machine machine = machine_of(networks[network], how);
                if (!machine_check_settings(&machine, NULL))
                    continue;
                uint32_t ports = machine_ports(&machine),
                         nodes = which < 4 ? ports + more[which] : more[which];
                struct schedule schedule;
                char text[80];
                snprintf(text, sizeof text,
                         "network: %u ports for %u nodes; expected benes:%u or larger", ports,
                         nodes, nodes);
                setting_period_lab_far(nodes, 3, MODEL_SEND_RECEIVE, &schedule);
                refused(&schedule, machine, ERR_TOO_SMALL, text);
                schedule_free(&schedule);
            }
}

/* The rows of a machine may be given; otherwise it gets as many rows as needed, if possible. */
static void more_rows_than_the_machine(void **state)
{
    (void)state;
    static const uint64_t ends[] = {
        MOST_ROWS + 1,           1u << 20,          UINT64_C(1) << 30, UINT64_C(1) << 32,
        (UINT64_C(1) << 32) + 1, UINT64_C(1) << 40, UINT64_C(1) << 62};
    for (unsigned how = 0; how < 8; how++)
        for (unsigned which = 0; which < sizeof ends / sizeof *ends; which++) {
            struct machine machine = machine_of("benes:8", how), tried = machine;
            struct schedule schedule;
            struct err err = {0};
            setting_period_lab_far(8, ends[which], MODEL_SEND_RECEIVE, &schedule);
            machine.log2_packets = 1, machine.log2_flits = 1, machine.log2_rows = 6;
            if (machine_has_setting_period(&machine)) {
                assert_false(machine_sizing_fit_settings(&schedule, true, &machine, &err));
                support_error(&err, ERR_TOO_SMALL, "expected a larger memory");
            }
            if (ends[which] >= UINT64_C(1) << 30) {
                assert_false(machine_sizing_fit(&schedule, 1, NULL, &tried, &err));
                assert_true(err.code == ERR_TOO_SMALL || err.code == ERR_NETWORK);
            }
            schedule_free(&schedule);
        }
}

static void another_network(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 8; how++) {
        struct schedule schedule;
        setting_period_lab_far(8, 3, MODEL_FABRIC_MULTICAST, &schedule);
        refused(&schedule, machine_of("benes:8", how), ERR_NETWORK, "does not copy packets");
        schedule_free(&schedule);
        setting_period_lab_far(8, 3, MODEL_SEND_RECEIVE, &schedule);
        struct err err = {0};
        support_true(topology_hypercube(3, &schedule.topology, &err), &err);
        refused(&schedule, machine_of("benes:8", how), ERR_NETWORK,
                "its topology is not the schedule's");
        schedule_free(&schedule);
    }
}

/* If no setting is held, a word of the setting index consists of a setting only. */
static void check_setting_index(const struct image *image)
{
    const struct machine *machine = &image->machine;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place at = machine_place_of(machine, image->word[k].address);
        if (at.region == MACHINE_TABLE && at.bank == machine_stages(machine))
            assert_int_equal(image->word[k].word >> machine_setting_index_bits(machine), 0);
    }
}

static void what_fits_is_routed(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 8; how++) {
        struct machine machine = machine_of("benes:8", how);
        struct schedule schedule;
        struct support_job job;
        struct err err = {0};
        setting_period_lab_schedule("circulant", 8, 3, &schedule);
        support_true(setting_period_lab_job(&schedule, machine, 1, 1, &job, &err), &err);
        check_setting_index(&job.image);
        support_job_free(&job);
        setting_period_lab_far(8, MOST_ROWS, MODEL_SEND_RECEIVE, &schedule);
        machine.log2_packets = 1, machine.log2_flits = 1, machine.log2_rows = 6;
        if (machine_has_setting_period(&machine) && !machine.computed)
            support_true(machine_sizing_fit_settings(&schedule, true, &machine, &err), &err);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_nodes_than_ports),
        cmocka_unit_test(more_rows_than_the_machine),
        cmocka_unit_test(another_network),
        cmocka_unit_test(what_fits_is_routed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
