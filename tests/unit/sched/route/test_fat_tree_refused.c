/* SPDX-License-Identifier: Apache-2.0 */
/* test_fat_tree_refused: the errors of schedules that self-timed routers do not execute, and of
 * machines that are too small for schedules that they do execute.
 *
 * Cases by hand: each message; schedules that verify would reject; every memory of a router one
 * packet too small.
 */
#include "sched/route/route.h"
#include "sched/route/self_timed.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_kept.h"
#include "tests/support/room.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- By hand ----------------------------------------------------------------------------------- */

/* A packet of leaf 0 of the tree 2,2 for all leaves: 0 sends it to 4 (1:0), 4 to 6 (2:0), and 6 to
 * 5 (1:1). A case changes hop `which` of a schedule by the rule: it moves to round `step` (0: it is
 * omitted), or to `destination`. */
static const struct rule_reference_hop all_ports[] = {{1, 0, 4, 0, 1}, {2, 4, 1, 0, 1},
                                                      {2, 4, 6, 0, 1}, {3, 6, 5, 0, 1},
                                                      {4, 5, 2, 0, 1}, {4, 5, 3, 0, 1}},
                                       one_port[] = {{1, 0, 4, 0, 1}, {2, 4, 6, 0, 1},
                                                     {3, 4, 1, 0, 1}, {3, 6, 5, 0, 1},
                                                     {4, 5, 2, 0, 1}, {5, 5, 3, 0, 1}};
#define HOPS (sizeof all_ports / sizeof *all_ports)

static const struct reported {
    bool single_port;
    size_t which;
    uint32_t step, destination;
    const char *text; /* NULL: the routers execute it */
} reported[] = {
    {false, 0, 1, 4, NULL},
    {false, 1, 3, 1, "round 2: router 1:0 sends nothing to 1; expected packet 1 by the rules"},
    {false, 4, 5, 2, "round 4: router 1:1 sends nothing to 2; expected packet 1 by the rules"},
    {false, 2, 3, 6, NULL}, /* between routers */
    {false, 3, 4, 5, NULL},
    {false, 3, 5, 5, "round 5 is the last; expected round 4, the last in which its routers send"},
    {false, 0, 2, 4, "round 2: router 1:0 sends packet 1 to 1; expected nothing by the rules"},
    {false, 3, 0, 0,
     "round 3: router 1:1 gets packet 1; expected a schedule in which it forwards it to all"},
    {true, 0, 1, 4, NULL},
    {true, 2, 4, 1, "round 3: router 1:0 sends nothing to 1; expected packet 1 by the rules"},
    {true, 2, 2, 1, "round 2: router 1:0 sends packet 1 to 1; expected nothing by the rules"},
    {true, 4, 4, 3, "round 4: router 1:1 sends packet 1 to 3; expected nothing by the rules"},
    {true, 5, 6, 3, "round 5: router 1:1 sends nothing to 3; expected packet 1 by the rules"},
};

static void open_by_hand(struct schedule *schedule, const struct topology *tree, bool single_port,
                         const struct rule_reference_hop hop[], size_t count)
{
    struct err err = {0};
    struct schedule like;
    struct rule_reference_hop *sorted = room_of(count + 1, sizeof *sorted);
    memcpy(sorted, hop, count * sizeof *hop);
    support_true(schedule_init(&like, "by hand",
                               &(struct collective){.topology = tree,
                                                    .kind = COLLECTIVE_BROADCAST,
                                                    .m = 1,
                                                    .model = single_port ? MODEL_SINGLE_PORT
                                                                         : MODEL_MULTIPORT},
                               &err),
                 &err);
    judge_kept_schedule(&like, sorted, count, schedule);
    schedule_free(&like);
    free(sorted);
}

static void messages(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("2,2", "const");
    for (size_t k = 0; k < sizeof reported / sizeof *reported; k++) {
        struct rule_reference_hop hop[HOPS];
        struct schedule schedule;
        struct err err = {0};
        size_t count = HOPS, which = reported[k].which;
        memcpy(hop, reported[k].single_port ? one_port : all_ports, sizeof hop);
        hop[which].step = reported[k].step;
        hop[which].destination = reported[k].destination;
        if (reported[k].step == 0)
            hop[which] = hop[--count];
        open_by_hand(&schedule, &tree, reported[k].single_port, hop, count);
        assert_int_equal(fat_tree_auto_check(&schedule, &err), reported[k].text == NULL);
        if (reported[k].text != NULL)
            support_error(&err, ERR_UNSUPPORTED, "network fat-tree-auto: ", reported[k].text);
        schedule_free(&schedule);
    }
}

/* Schedules that verify would reject, but that a bundle may contain: a packet that is never
 * forwarded; a packet for its own leaf, which its router drops; a schedule of another topology. */
static void schedules_not_verified(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("8", "1"), complete = topology_complete(8);
    static const struct rule_reference_hop hop[] = {{1, 0, 8, 0, 1}, {1, 0, 1, 0, 1}};
    uint32_t wanted[] = {0};
    struct schedule schedule;
    struct err err = {0};
    open_by_hand(&schedule, &tree, true, hop, 1);
    assert_false(fat_tree_auto_check(&schedule, &err));
    support_error(&err, ERR_UNSUPPORTED,
                  "round 1: router 1:0 gets packet 1; expected a schedule in which it");
    schedule.demand[0].wanted = wanted;
    schedule.demand[0].wanted_count = 1;
    support_true(fat_tree_auto_check(&schedule, &err), &err);
    schedule.demand[0].wanted = NULL;
    schedule_free(&schedule);
    err = (struct err){0};
    support_true(
        support_broadcast(&schedule, "complete",
                          &(struct collective){.n = 8, .m = 1, .model = MODEL_SEND_RECEIVE}, &err),
        &err);
    assert_true(topology_equal(&schedule.topology, &complete));
    assert_false(fat_tree_auto_check(&schedule, &err));
    support_error(&err, ERR_UNSUPPORTED, "expected a tree");
    schedule_free(&schedule);
}

/* Schedules that end early. The pool of the check has a place for each transfer that a router
 * sends, so that a packet going up finds no place; or the round of a required transfer is
 * missing. */
static void schedules_that_end_early(void **state)
{
    (void)state;
    static const struct {
        struct rule_reference_hop hop[3];
        size_t count;
        const char *text;
    } early[] = {
        {{{1, 0, 4, 0, 1}, {2, 4, 1, 0, 1}},
         2,
         "round 1: router 1:0 gets packet 1; expected a schedule in which it forwards it to all"},
        {{{1, 0, 4, 0, 1}, {1, 4, 6, 0, 1}, {1, 6, 5, 0, 1}},
         3,
         "round 2: router 1:0 sends nothing to 1; expected packet 1 by the rules"},
    };
    const struct topology tree = tree_lab_parse("2,2", "const");
    for (size_t k = 0; k < sizeof early / sizeof *early; k++) {
        struct schedule schedule;
        struct err err = {0};
        open_by_hand(&schedule, &tree, false, early[k].hop, early[k].count);
        assert_false(fat_tree_auto_check(&schedule, &err));
        support_error(&err, ERR_UNSUPPORTED, "network fat-tree-auto: ", early[k].text);
        schedule_free(&schedule);
    }
}

static void refuse_size(const struct support_job *job, const struct machine *machine,
                        enum err_code code, const char *text)
{
    struct image image;
    struct err err = {0};
    assert_false(route_schedule(&job->schedule, machine, &job->payload, &image, &err));
    support_error(&err, code, text);
}

/* Rejects machines in which one memory of a router is one packet smaller than required. Returns the
 * number of rejections. */
static unsigned refuse_sizes(const struct support_job *job, struct machine *machine)
{
    unsigned refused = 0;
    for (unsigned level = 1; level <= machine->topology.height; level++) {
        uint32_t *sizes[] = {&machine->depth[level], &machine->queue[level]};
        for (unsigned which = 0; which < 2; which++) {
            char text[80];
            if (*sizes[which] == 1)
                continue;
            --*sizes[which];
            snprintf(text, sizeof text,
                     "buffers of %u packet%s and queues of %u at level %u; expected",
                     machine->depth[level], machine->depth[level] == 1 ? "" : "s",
                     machine->queue[level], level);
            refuse_size(job, machine, ERR_BUFFER, text);
            ++*sizes[which];
            refused++;
        }
    }
    return refused;
}

static void small_machines(void **state)
{
    (void)state;
    unsigned sizes = 0, reads = 0;
    struct rng rng = {JUDGE_KEPT_SEED};
    print_message("seed %llu\n", (unsigned long long)JUDGE_KEPT_SEED);
    for (unsigned run = 0; run < 100; run++) {
        const struct topology tree = tree_lab_parse("3,2", "exp");
        struct machine machine = tree_machine_of(MACHINE_FAT_TREE_AUTO, &tree, 0);
        struct schedule schedule;
        struct support_job job;
        judge_kept_draw(&tree, run % 2 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, &rng, &schedule);
        tree_machine_fit(&schedule, JUDGE_KEPT_FLITS, &machine);
        tree_machine_job(&schedule, &machine, JUDGE_KEPT_FLITS, &job);
        sizes += refuse_sizes(&job, &machine);
        if (machine.reads > 1) {
            machine.reads--;
            refuse_size(&job, &machine, ERR_TOO_SMALL, "expected more reads");
            reads++;
        }
        support_job_free(&job);
    }
    print_message("%u buffers and queues, %u read ports\n", sizes, reads);
    assert_true(sizes > 100 && reads > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(schedules_not_verified),
        cmocka_unit_test(schedules_that_end_early),
        cmocka_unit_test(small_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
