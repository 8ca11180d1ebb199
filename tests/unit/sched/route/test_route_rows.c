/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_rows: the circuits of each row of a schedule, by hand.
 *
 * Packets in rounds 1 and 3 of 3, none in round 2: which rows change, which are idle, which are
 * numbered. Steps that the schedule no longer has are stored after its last step.
 *
 * Counter-case: without steps there is no circuit, although the schedule has transfers.
 */
#include "sched/route/settings.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

enum { NODES = 4, NONE = MULTISTAGE_IDLE };

static void append(struct schedule *schedule, uint64_t round, struct transfer transfer)
{
    struct err err = {0};
    struct transfer *room = schedule_open_step(schedule, round, 1, &err);
    support_true(room != NULL, &err);
    *room = transfer;
    schedule_close_step(schedule, 1);
}

/* Transfers from 1 to 2 in round 1, from 0 to 3 in round 3. */
static struct schedule two_rounds(void)
{
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_broadcast(
                     &schedule, "two",
                     &(struct collective){.n = NODES, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
                 &err);
    append(&schedule, 1, (struct transfer){1, 2, 1});
    append(&schedule, 3, (struct transfer){0, 3, 1});
    append(&schedule, 4, (struct transfer){3, 0, 1});
    schedule.transfer_count = schedule.step[--schedule.step_count].first;
    schedule.step[schedule.step_count].time = 1;
    schedule.end = 3;
    return schedule;
}

static void rows_change(void **state)
{
    (void)state;
    static const uint32_t expected[3][NODES] = {
        {NONE, 2, NONE, NONE}, {NONE, NONE, NONE, NONE}, {3, NONE, NONE, NONE}};
    static const size_t first[] = {0, 1, 1}, end[] = {1, 1, 2};
    const struct machine machine = support_machine(2, 1, 0);
    struct schedule schedule = two_rounds();
    struct route_rows rows = route_rows_begin(&schedule, &machine);
    struct err err = {0};
    uint32_t circuit[NODES];
    for (uint32_t row = 0; row < 3; row++) {
        support_true(route_rows_next(&rows, circuit, &err), &err);
        assert_true(rows.changed && rows.idle == (row == 1));
        assert_true(rows.first == first[row] && rows.end == end[row]);
        assert_memory_equal(circuit, expected[row], sizeof circuit);
    }
    assert_false(route_rows_next(&rows, circuit, &err));
    schedule_free(&schedule);
}

/* Counts its calls. */
static bool give(void *self, const struct route_rows *row, const uint32_t circuit[],
                 uint32_t *number, struct err *err)
{
    (void)err;
    assert_false(row->idle);
    assert_true(circuit[0] != NONE || circuit[1] != NONE);
    *number = ++*(uint32_t *)self;
    return true;
}

static void rows_with_circuits_are_numbered(void **state)
{
    (void)state;
    const struct machine machine = support_machine(2, 1, 0);
    struct schedule schedule = two_rounds();
    struct err err = {0};
    uint32_t asked = 0, number[3];
    support_true(route_rows_numbers(&schedule, &machine,
                                    (struct route_rows_numbering){give, &asked}, number, &err),
                 &err);
    assert_true(asked == 2 && number[0] == 1 && number[1] == 0 && number[2] == 2);
    schedule_free(&schedule);
}

/* Before the first packet, in round 3, the first row has no circuits. */
static void the_first_row_changes(void **state)
{
    (void)state;
    const struct machine machine = support_machine(2, 1, 0);
    struct schedule schedule = {0};
    struct err err = {0};
    support_true(support_broadcast(
                     &schedule, "late",
                     &(struct collective){.n = NODES, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
                 &err);
    append(&schedule, 3, (struct transfer){0, 3, 1});
    struct route_rows rows = route_rows_begin(&schedule, &machine);
    uint32_t circuit[NODES] = {0};
    for (uint32_t row = 0; row < 3; row++) {
        support_true(route_rows_next(&rows, circuit, &err), &err);
        assert_true(rows.changed == (row != 1) && rows.idle == (row < 2));
        assert_int_equal(circuit[0], row < 2 ? NONE : 3);
    }
    schedule_free(&schedule);
}

static void no_steps_have_no_circuits(void **state)
{
    (void)state;
    const struct multistage senders = multistage_benes(NODES);
    struct schedule schedule = two_rounds();
    for (uint32_t step = 0; step <= 2; step++) {
        uint32_t circuit[NODES] = {0};
        assert_int_equal(route_rows_circuits(&schedule, step, step, &senders, circuit), NONE);
        for (uint32_t port = 0; port < NODES; port++)
            assert_int_equal(circuit[port], NONE);
    }
    schedule_free(&schedule);
}

/* If several ports send twice, the first in the order of transfers is reported. */
static void what_sends_twice_is_reported(void **state)
{
    (void)state;
    struct schedule schedule = two_rounds();
    const struct multistage senders = multistage_benes(NODES);
    const struct multistage receivers = multistage_multicast(NODES);
    uint32_t circuit[NODES];
    struct transfer both[] = {{1, 2, 1}, {0, 3, 1}, {0, 1, 1}, {1, 3, 1}};
    schedule.step[0].first = 0;
    schedule.step_count = 1;
    schedule.transfer_count = 4;
    struct transfer *kept = schedule.transfer;
    schedule.transfer = both;
    assert_int_equal(route_rows_circuits(&schedule, 0, 1, &senders, circuit), 0);
    assert_true(circuit[0] == 3 && circuit[1] == 2); /* the first circuit of each stays */
    assert_int_equal(route_rows_circuits(&schedule, 0, 1, &receivers, circuit), 3);
    schedule.transfer = kept;
    schedule_free(&schedule);
}

/* A network that combines and copies connects groups: senders, and the receivers of all of them. A
 * group is named by its lowest receiver. The first receiver of two groups is reported. */
static void groups_have_their_lowest_receiver(void **state)
{
    (void)state;
    enum { PORTS = 8 };
    static const struct {
        uint32_t count;
        struct transfer transfer[6];
        uint32_t twice, label[2 * PORTS]; /* 0: none */
    } cases[] = {{0, {{0}}, NONE, {0}},
                 {4,
                  {{0, 3, 1}, {0, 2, 1}, {1, 2, 1}, {1, 3, 1}},
                  NONE,
                  {2, 2, [PORTS + 2] = 2, [PORTS + 3] = 2}},
                 {3,
                  {{1, 2, 1}, {4, 6, 1}, {5, 6, 1}},
                  NONE,
                  {[1] = 2, [4] = 6, [5] = 6, [PORTS + 2] = 2, [PORTS + 6] = 6}},
                 {5,
                  {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {1, 3, 1}, {1, 4, 1}},
                  3,
                  {2, 3, [PORTS + 2] = 2, [PORTS + 3] = 2, [PORTS + 4] = 2}}};
    const struct multistage net = multistage_all_reduce(PORTS);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct topology complete = topology_complete(PORTS);
        struct schedule schedule = {0};
        struct err err = {0};
        uint32_t label[2 * PORTS];
        support_true(
            schedule_init_empty(&schedule, "groups", &complete, MODEL_FABRIC_ALL_REDUCE, &err),
            &err);
        for (uint32_t before = 0; before < 2; before++) { /* the first step does not count */
            support_true(schedule_open_step(&schedule, before + 1, 6, &err) != NULL, &err);
            for (uint32_t k = 0; k < (before == 0 ? 1 : cases[which].count); k++)
                support_true(schedule_append(&schedule,
                                             before == 0 ? (struct transfer){7, 1, 1}
                                                         : cases[which].transfer[k],
                                             &err),
                             &err);
            schedule_close_step(&schedule, 0);
        }
        assert_int_equal(multistage_circuits(&net), 2 * PORTS);
        assert_int_equal(route_rows_circuits(&schedule, 1, schedule.step_count, &net, label),
                         cases[which].twice);
        for (uint32_t k = 0; k < 2 * PORTS; k++)
            assert_int_equal(label[k], cases[which].label[k] == 0 ? NONE : cases[which].label[k]);
        schedule_free(&schedule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_change),
        cmocka_unit_test(rows_with_circuits_are_numbered),
        cmocka_unit_test(the_first_row_changes),
        cmocka_unit_test(no_steps_have_no_circuits),
        cmocka_unit_test(what_sends_twice_is_reported),
        cmocka_unit_test(groups_have_their_lowest_receiver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
