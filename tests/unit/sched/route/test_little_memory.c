/* SPDX-License-Identifier: Apache-2.0 */
/* test_little_memory: an image that does not fit in memory is rejected before it is built.
 *
 * State space. Each kind of machine, with full, indexed and tag settings and stored programs; this
 * file replaces sysconf and so determines how much memory the host seems to have. By hand: the
 * number of words that an image has in any case, one for each row of each table and program and one
 * for each flit of each packet. Schedules that do not fit are not built either: the split for an
 * omega network, and the rewriting of a hypercube one dimension at a time.
 *
 * Counter-case: with one more page the image is built, with at least that number of words.
 */
#include "sched/route/rewrite.h"
#include "sched/route/route.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/setting_period_lab.h"
#include "tests/support/tree_lab.h"
#include "tests/support/tree_machine.h"

#include <inttypes.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/* Pages have 4096 bytes here, whatever the host uses; a word and its address have 8. */
enum { PAGE = 4096, PAGE_WORDS = PAGE / 8, FLITS = 64 };

static long memory_pages;

/* Replaces sysconf of the C library, which stays available under another name. */
long __sysconf(int name);
long sysconf(int name)
{
    if (name == _SC_PAGESIZE)
        return PAGE;
    return name == _SC_PHYS_PAGES ? memory_pages : __sysconf(name);
}

/* Checks that the image needs memory for `words`; frees the schedule. */
static void takes(struct schedule *schedule, struct machine machine, uint64_t words)
{
    struct support_job job;
    struct err err = {0};
    char text[120];
    assert_true(words > PAGE_WORDS);
    memory_pages = (long)((words - 1) / PAGE_WORDS);
    snprintf(text, sizeof text,
             "image: 0 + %" PRIu64 " words do not fit in memory; expected at most %ld ", words,
             memory_pages * PAGE_WORDS);
    assert_false(setting_period_lab_job(schedule, machine, 6, FLITS, &job, &err));
    support_error(&err, ERR_TOO_BIG, text);
    memory_pages++;
    support_true(setting_period_lab_job(schedule, machine, 6, FLITS, &job, &err), &err);
    assert_true(job.image.count > words);
    support_job_free(&job);
    memory_pages = get_phys_pages();
}

/* All machines have 1000 rows. */
static void multistage_networks(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        struct setting_period_lab_how how;
        uint64_t words;
    } cases[] = {
        /* 5 stages of 4 switches, 13 of 64, one bit each; 3 of 32 outputs of crossbars, of which 10
         * or 8 fit in a word */
        {"benes:8", {MACHINE_FULL, false}, 2 * 1000 + 5 * 1000 + FLITS},
        {"benes:128", {MACHINE_FULL, false}, 2 * 1000 + 13 * 2 * 1000 + FLITS},
        {"clos:4,4,8", {MACHINE_FULL, false}, 2 * 1000 + 3 * 4 * 1000 + FLITS},
        {"benes:8", {MACHINE_INDEXED, false}, 2 * 1000 + FLITS},
        {"benes:8", {MACHINE_TAGS, false}, 2 * 1000 + FLITS},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct schedule schedule;
        setting_period_lab_far(8, 1000, MODEL_SEND_RECEIVE, &schedule);
        takes(&schedule, setting_period_lab_machine(cases[k].network, cases[k].how),
              cases[k].words);
    }
}

/* Routers of trees have only the rows of the programs; self-timed routers have one program, and in
 * hypercubes one of its rows and all slots are cleared. */
static void routers_of_trees(void **state)
{
    (void)state;
    const struct topology tree = tree_lab_parse("4,4", "1,2");
    const struct tree_machine_case asked = {"tree-total-exchange", NULL, MODEL_SINGLE_PORT, 0};
    for (unsigned programs = 1; programs <= 2; programs++) {
        struct schedule schedule;
        tree_machine_schedule(&asked, &tree, &schedule);
        assert_int_equal(schedule.packets, 16 * 15);
        takes(&schedule,
              tree_machine_of(programs == 1 ? MACHINE_FAT_TREE_AUTO : MACHINE_FAT_TREE, &tree, 0),
              programs * schedule.end + 16 * 15 * FLITS);
    }
}

static void hypercubes(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(4);
    const struct cube_runs_set set = {.count = 200};
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", "tree", &cube, &set, &schedule);
    takes(&schedule, tree_machine_of(MACHINE_CUBE, &cube, 0),
          2 * schedule.end + (uint64_t)schedule.packets * FLITS);
    cube_runs_schedule("cube-broadcast", NULL, &cube, &set, &schedule);
    takes(&schedule, tree_machine_of(MACHINE_CUBE_AUTO, &cube, 0), 1 + 256 * FLITS);
}

/* Returns the number of pages for this number of entries of a schedule, of 12 bytes each. */
static long pages_of(size_t entries)
{
    return (long)((entries * sizeof(struct transfer) + PAGE - 1) / PAGE);
}

/* Rewrites a schedule: into rounds that pass an omega network, or that use one dimension of a
 * hypercube. */
static bool make(const struct schedule *from, struct schedule *made, struct err *err)
{
    const struct multistage net = multistage_omega(64);
    struct split_report report;
    *made = (struct schedule){0};
    return from->topology.kind == TOPOLOGY_COMPLETE ? split_schedule(from, &net, made, &report, err)
                                                    : hypercube_to_rounds(from, made, err);
}

/* In addition to its transfers, a schedule needs memory for those of one step, because each part of
 * a step is opened with that size. */
static void other_schedules(void **state)
{
    (void)state;
    const struct topology cube = cube_lab_make(6);
    const struct collective gather = {.n = 64, .m = 1, .model = MODEL_SEND_RECEIVE};
    const struct tree_machine_case multinode = {"cube-all-gather", NULL, MODEL_ALL_PORT, 0};
    for (unsigned which = 0; which < 2; which++) {
        struct schedule from, made;
        struct err err = {0};
        if (which == 0)
            support_schedule(support_algorithm("all-gather"), &gather, &from);
        else
            tree_machine_schedule(&multinode, &cube, &from);
        size_t transfers = from.transfer_count, step = which == 0 ? 64 : 64 * 6;
        assert_true(transfers >= 64 * 63);
        memory_pages = pages_of(transfers + step);
        support_true(make(&from, &made, &err), &err);
        assert_int_equal(made.transfer_count, transfers);
        schedule_free(&made);
        memory_pages = pages_of(transfers) - 1;
        assert_false(make(&from, &made, &err));
        support_error(&err, ERR_TOO_BIG, "entries of 12 bytes does not fit in memory");
        memory_pages = get_phys_pages();
        schedule_free(&from);
    }
}

int main(void)
{
    memory_pages = get_phys_pages();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multistage_networks),
        cmocka_unit_test(routers_of_trees),
        cmocka_unit_test(hypercubes),
        cmocka_unit_test(other_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
