/* SPDX-License-Identifier: Apache-2.0 */
/* test_setting_changes: when a network that combines and copies needs another setting.
 *
 * A setting of such a network joins groups of nodes: what its senders send is combined, and all its
 * receivers get it. By hand: a first round with two groups, {0} to {1, 2} and {3, 5} to {4}, and
 * every way in which a second round fits into its setting: the same groups, one of them, further
 * groups and further senders of a group. Counter-cases, in which the setting must change: a group
 * without one of its receivers, with another receiver that is free, that is in another group, or
 * that is in no group of the round, and a sender that changes its group.
 */
#include "sched/schedule/schedule_settings.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdio.h>

static const struct change {
    const char *round; /* the second one */
    uint32_t settings;
} changes[] = {
    {"0 1 1\n0 2 1\n3 4 1\n5 4 1\n", 1}, /* the same */
    {"0 2 1\n0 1 1\n", 1},               /* one group, in another order */
    {"3 4 1\n5 4 1\n", 1},               /* the other group */
    {"3 4 1\n", 1},                      /* one of its senders */
    {"6 4 1\n3 4 1\n", 1},               /* a further sender */
    {"7 6 1\n", 1},                      /* a further group, … */
    {"7 6 1\n7 0 1\n", 1},               /* … of two receivers, … */
    {"7 6 1\n0 1 1\n0 2 1\n", 1},        /* … with one of the first round */
    {"0 1 1\n", 2},                      /* 2 would get a copy */
    {"0 1 1\n0 2 1\n0 6 1\n", 2},        /* 6 gets one too */
    {"0 1 1\n0 4 1\n", 2},               /* as many receivers, one of which is 3's */
    {"0 1 1\n0 6 1\n", 2},               /* as many, one of which is free */
    {"7 1 1\n7 2 1\n7 4 1\n", 2},        /* the receivers of both groups in one */
    {"0 4 1\n", 2},                      /* 0 in the other group */
    {"3 6 1\n", 2},                      /* 3 in a further group */
    {"7 2 1\n", 2},                      /* 2 in a further group */
    {"7 6 1\n7 2 1\n", 2},
};

static void check(const struct change *change)
{
    char text[300];
    struct schedule schedule = {0};
    struct err err = {0};
    const struct multistage net = multistage_all_reduce(8);
    uint32_t settings[3] = {0};
    running("round 2: %s", change->round);
    snprintf(text, sizeof text,
             "roundcast-schedule 1\nalgorithm none\ntopology complete 8\nmodel fabric-all-reduce\n"
             "reduce 1 * *\nround 1\n0 1 1\n0 2 1\n3 4 1\n5 4 1\nround 3\n%send 3\n",
             change->round);
    support_true(support_read(text, "text", &schedule, &err), &err);
    support_true(schedule_setting_changes(&schedule, &net, settings, &err), &err);
    assert_int_equal(settings[0], 1);
    assert_int_equal(settings[1], 1); /* the idle round keeps the setting */
    assert_int_equal(settings[2], change->settings);
    schedule_free(&schedule);
}

static void second_rounds(void **state)
{
    (void)state;
    for (size_t which = 0; which < sizeof changes / sizeof *changes; which++)
        check(&changes[which]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_rounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
