/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound_no_memory: bounds that allocate are 0 without memory, so that the largest one still
 * holds; and the packets that links carry, by hand.
 *
 * State space: the collectives of `cases` × the allocation that fails × whether all after it fail
 * too, exhaustive. No bound without memory exceeds that with memory, and some are smaller.
 *
 * tags: no-memory
 */
#include "sched/bound/bound.h"
#include "sched/bound/bound_links.h"
#include "sched/schedule/schedule.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdio.h>

/* Fails each allocation of a bound. Returns how many of the bounds were smaller. */
static unsigned fail_each(const struct collective *asked)
{
    unsigned smaller = 0;
    int64_t left;
    no_memory_begin(0, false);
    const uint64_t bound = bound_end(asked), calls = no_memory_end(&left);
    assert_int_equal(left, 0);
    for (uint64_t call = 1; call <= calls; call++)
        for (int on = 0; on < 2; on++) {
            no_memory_begin(call, on);
            const uint64_t found = bound_end(asked);
            assert_true(no_memory_end(&left) >= call);
            assert_int_equal(left, 0);
            assert_true(found <= bound);
            smaller += found < bound;
        }
    return smaller;
}

/* Leaves 0 … 4 and routers 5 … 7; router 7 is the root, and a branch has three leaves. */
#define PARENTS "5,5,5,6,6,7,7"

static void collectives_of_any_tree(void **state)
{
    (void)state;
    static const struct {
        enum collective_kind kind;
        enum model model;
    } cases[] = {{COLLECTIVE_TOTAL_EXCHANGE, MODEL_MULTIPORT},
                 {COLLECTIVE_ALL_GATHER, MODEL_MULTIPORT},
                 {COLLECTIVE_REDUCE_SCATTER, MODEL_MULTIPORT}};
    struct topology tree;
    struct err err = {0};
    unsigned smaller = 0;
    support_true(topology_parse_parents(PARENTS, "const", &tree, &err), &err);
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct collective asked = {.n = tree.nodes,
                                         .m = 1,
                                         .kind = cases[which].kind,
                                         .model = cases[which].model,
                                         .topology = &tree};
        running("%s", collective_name(asked.kind));
        smaller += fail_each(&asked);
    }
    assert_true(smaller > 0);
}

/* Demands in a mesh of 2 × 2 nodes, each of two links. Packets that only their source wants cross
 * none. */
static void demands_of_a_mesh(void **state)
{
    (void)state;
    static const struct {
        const char *demands;
        uint64_t rounds;
    } cases[] = {
        {"demand 1-9 0 0\n", 0},
        {"demand 1-9 0 0\ndemand 10-12 0 3\n", 2},               /* three packets over two links */
        {"demand 1-5 0 1,2\n", 3},                               /* five leave node 0 once */
        {"demand 1-5 0 *\n", 3},                                 /* and reach each node */
        {"demand 1-2 0 3\ndemand 3-5 1 3\ndemand 6-8 2 3\n", 4}, /* eight reach node 3 */
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        char text[300];
        struct schedule demands = {0};
        struct collective asked;
        struct err err = {0};
        int64_t left;
        snprintf(text, sizeof text,
                 "roundcast-schedule 1\nalgorithm a\ntopology mesh 2 2\nmodel mesh-multiport\n"
                 "%send 0\n",
                 cases[which].demands);
        support_true(support_read(text, "text", &demands, &err), &err);
        assert_true(schedule_collective(&demands, &asked));
        asked.demands = &demands;
        assert_int_equal(bound_links_arcs(&asked), cases[which].rounds);
        no_memory_begin(1, true);
        assert_int_equal(bound_links_arcs(&asked), 0);
        no_memory_end(&left);
        assert_int_equal(left, 0);
        fail_each(&asked);
        schedule_free(&demands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(collectives_of_any_tree),
                                       cmocka_unit_test(demands_of_a_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
