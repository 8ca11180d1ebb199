/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_rtl: broadcasts in hypercubes on the routers of csim and RTL, in lockstep.
 *
 * One machine for each of d = 1 … 4, and of 5 and 6 if every space is exhausted, is built for the
 * largest of its sets and runs all of them one after another by table load: every subset of sources
 * for d ≤ 2, seeded subsets for d = 3 … 6, alternately different nodes and several packets a node,
 * by the three phases and, if the set allows it, by the other algorithms.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/cube_runs.h"
#include "tests/support/running.h"
#include "tests/support/tree_machine.h"

#define SEED 20261203
#define FLITS 2
#define MOST_RUNS 256

struct runs {
    struct machine machine;
    struct schedule schedule[MOST_RUNS];
    size_t count;
};

static void add(struct runs *runs, const char *name, const char *method,
                const struct topology *cube, const struct cube_runs_set *set)
{
    assert_true(runs->count < MOST_RUNS);
    struct schedule *schedule = &runs->schedule[runs->count++];
    cube_runs_schedule(name, method, cube, set, schedule);
    tree_machine_fit(schedule, FLITS, &runs->machine);
}

static void add_set(struct runs *runs, const struct topology *cube, const struct cube_runs_set *set)
{
    add(runs, "cube-broadcast", NULL, cube, set);
    if (set->count > 0 && set->count <= 2 * cube->dimensions && runs->count % 3 == 0)
        add(runs, "cube-unbalanced", NULL, cube, set);
    if (set->count > 0 && set->count <= cube->dimensions)
        add(runs, "cube-ranked", NULL, cube, set);
    if (set->count > 0 && runs->count % 4 == 1)
        add(runs, "cube-reserved", NULL, cube, set);
}

static void add_sets(struct runs *runs, const struct topology *cube, unsigned sets, struct rng *rng)
{
    for (unsigned which = 0; which < sets; which++) {
        struct cube_runs_set set;
        if (cube->nodes <= 4) {
            set = cube_runs_set_of(cube->nodes, which);
        } else {
            set.count = rng_below(rng, cube->nodes + 1);
            if (which % 2 == 0)
                cube_lab_tuple(cube->nodes, set.count, rng_next(rng), set.node);
            else
                cube_lab_multi(cube->nodes, set.count, rng_next(rng), set.node);
        }
        add_set(runs, cube, &set);
    }
    add(runs, "cube-all-gather", "known", cube, &(struct cube_runs_set){0});
    add(runs, "cube-all-gather", "optimal", cube, &(struct cube_runs_set){0});
    add(runs, "cube-single", NULL, cube, &(struct cube_runs_set){1, {cube->nodes - 1}});
}

static void run_cube(unsigned d, unsigned sets, unsigned pad)
{
    static struct runs runs;
    const struct topology cube = cube_lab_make(d);
    struct rng rng = {SEED + d};
    uint64_t receipts = 0;
    runs = (struct runs){.machine = tree_machine_of(MACHINE_CUBE, &cube, pad)};
    add_sets(&runs, &cube, sets, &rng);
    for (size_t k = 0; k < runs.count; k++) {
        struct support_job job;
        tree_machine_job(&runs.schedule[k], &runs.machine, FLITS, &job);
        receipts += tree_machine_run(&job, true, runs.schedule[k].end);
        support_job_free(&job);
    }
    print_message("d = %u, seed %u: %u sets in %zu runs, %llu receipts\n", d, SEED + d, sets,
                  runs.count, (unsigned long long)receipts);
}

static void test_small(void **state)
{
    (void)state;
    run_cube(1, 4, 2);
    run_cube(2, 16, 1);
    run_cube(3, 110, 0);
}

static void test_4(void **state)
{
    (void)state;
    run_cube(4, 60, 0);
}

static void test_5(void **state)
{
    (void)state;
    run_cube(5, 20, 1);
}

static void test_6(void **state)
{
    (void)state;
    run_cube(6, 8, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_4)};
    const struct CMUnitTest large[] = {cmocka_unit_test(test_5), cmocka_unit_test(test_6)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return running_exhaustive() ? failed + cmocka_run_group_tests(large, NULL, NULL) : failed;
}
