/* SPDX-License-Identifier: Apache-2.0 */
/* test_cube_auto: self-timed hypercubes of csim broadcast the packets of any set of sources, as the
 * schedule of cube-broadcast predicts.
 *
 * Every subset of sources for d = 1 … 3, and seeded and adversarial sets, with several packets of a
 * node, for d = 2 … 7 (d = 6 and 7: a 5th of them, all in `make test-all`); arcs have 0 … 2
 * registers and packets 2 … 10 flits, alternately. The scoreboard checks every receipt in its cycle
 * and every packet in memory; the sums and the last packets must have the values that the schedule
 * computes independently. A run may last as long as the machine has rows, and must end with round
 * 2⌈K/d⌉ + 4d.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_auto_lab.h"
#include "tests/support/cube_lab.h"
#include "tests/support/running.h"

#define SEED 20261121

#ifdef __SANITIZE_ADDRESS__
#define SETS 4
#else
#define SETS 24
#endif

#define SAMPLED 5
#define LARGE 6 /* smallest d that is sampled */

struct totals {
    uint64_t sets, receipts;
    uint64_t large; /* sets of the large cubes */
};

static uint32_t flits_of_run(uint64_t run)
{
    static const uint32_t flits[] = {2, 3, 4, 10};
    return flits[run % 4];
}

static void test_subsets(void **state)
{
    (void)state;
    struct totals totals = {0};
    for (unsigned d = 1; d <= 3; d++)
        for (unsigned pad = 0; pad <= 2; pad++) {
            const struct topology cube = cube_lab_make(d);
            const struct machine machine = cube_auto_lab_machine(&cube, pad, cube.nodes, 10);
            for (uint64_t bits = 0; bits < UINT64_C(1) << cube.nodes; bits++) {
                const struct cube_runs_set set = cube_runs_set_of(cube.nodes, bits);
                totals.receipts +=
                    cube_auto_lab_run(&machine, &set, flits_of_run(totals.sets++), false);
            }
        }
    print_message("every subset: %llu runs, %llu receipts\n", (unsigned long long)totals.sets,
                  (unsigned long long)totals.receipts);
    assert_int_equal(totals.sets, 3 * (4 + 16 + 256));
}

/* Returns a set: all nodes, all packets at one node, at a root, or opposite the first root; or
 * twice as many packets as nodes. */
static struct cube_runs_set adversarial(unsigned which, const struct topology *cube)
{
    struct cube_runs_set set = {0};
    uint32_t last = cube->nodes - 1, many = 3 * cube->dimensions + 1;
    for (uint32_t node = 0; node < cube->nodes; node++) {
        uint32_t packets = which == 0   ? 1
                           : which == 1 ? many * (node == 0)
                           : which == 2 ? many * (node == 2 % cube->nodes)
                           : which == 3 ? many * (node == (last ^ 1))
                                        : 2;
        for (; packets > 0; packets--)
            set.node[set.count++] = node;
    }
    return set;
}
#define ADVERSARIAL 5

static void test_sets(void **state)
{
    (void)state;
    struct totals totals = {0};
    struct rng rng = {SEED};
    print_message("seed %d\n", SEED);
    for (unsigned d = 2; d <= 7; d++) {
        const struct topology cube = cube_lab_make(d);
        const struct machine machine =
            cube_auto_lab_machine(&cube, d % 3, 2 * cube.nodes + 4 * d, 4);
        for (unsigned which = 0; which < (d < 7 ? ADVERSARIAL + SETS : ADVERSARIAL); which++) {
            struct cube_runs_set set = {.count = rng_below(&rng, cube.nodes + 1)};
            if (which < ADVERSARIAL)
                set = adversarial(which, &cube);
            else if (which % 2 == 0)
                cube_lab_tuple(cube.nodes, set.count, rng_next(&rng), set.node);
            else
                cube_lab_multi(cube.nodes, set.count, rng_next(&rng), set.node);
            if (d < LARGE || totals.large++ % running_stride(SAMPLED) == 0)
                totals.receipts +=
                    cube_auto_lab_run(&machine, &set, 2 + (uint32_t)(totals.sets++ % 3), false);
        }
    }
    print_message("seeded and adversarial sets: %llu runs, %llu receipts\n",
                  (unsigned long long)totals.sets, (unsigned long long)totals.receipts);
    assert_int_equal(totals.large, ADVERSARIAL + SETS + ADVERSARIAL);
    assert_int_equal(totals.sets, 4 * (ADVERSARIAL + SETS) + running_met(totals.large, SAMPLED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_subsets), cmocka_unit_test(test_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
