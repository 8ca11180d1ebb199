/* SPDX-License-Identifier: Apache-2.0 */
/* test_algorithms_no_memory: schedules whose build runs out of memory.
 *
 * State space: the requests of `cases` × the number of the allocation that fails × whether all
 * allocations after it fail too; exhaustive in the allocation. The requests cover the algorithms on
 * each topology that allocate while they build: small enough for a run per allocation, and large
 * enough that arrays grow within a step. Each build returns false with E104 and leaves an empty
 * schedule, or returns the schedule that it builds with enough memory. In either case all memory is
 * released. Counter-case: a schedule that is not freed is counted.
 *
 * tags: no-memory
 */
#include "sched/algorithms/algorithm.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A request. `nodes` is the text of the topology; of a complete graph, the number of nodes. */
static const struct request {
    const char *algorithm;
    enum topology_kind kind;
    const char *nodes;
    uint32_t m;
    const char *model; /* NULL: the first of the algorithm */
    const char *method, *by;
    uint32_t ports, source;
    bool half_duplex;
} cases[] = {
    {"blocks-all-reduce", 0, "9", 4},
    {"blocks-all-reduce", 0, "12", 7},
    {"blocks-all-reduce", 0, "13", 5},
    {"blocks-all-reduce", 0, "7", 3},
    {"blocks-all-reduce", 0, "1030", 3},
    {"window-all-reduce", 0, "6", 2},
    {"circulant-all-reduce", 0, "5", 3},
    {"circulant-reduce-scatter", 0, "5", 2},
    {"halving-all-reduce", 0, "8", 4},
    {"fabric-reduce", 0, "4", 2},
    {"fabric-all-reduce", 0, "5", 2},
    {"scan", 0, "2", 1}, /* opens a step for more transfers than it appends */
    {"scan", 0, "6", 2},
    {"exclusive-scan", 0, "7", 2},
    {"exclusive-scan", 0, "9", 2, NULL, "123"},
    {"path-scan", 0, "5", 2},
    {"reduce", 0, "6", 2, NULL, NULL, "circulant"},
    {"reduce-scatter", 0, "5", 2, NULL, NULL, "all-gather"},
    {"reduce-broadcast", 0, "6", 2, NULL, NULL, "binomial"},
    {"torus-reduce", TOPOLOGY_TORUS, "3,2", 2, "torus-single-port"},
    {"torus-all-reduce", TOPOLOGY_TORUS, "3,2", 2, "torus-multiport"},
    {"path", 0, "5", 3, NULL, NULL, NULL, 2},
    {"binomial", 0, "7", 5, NULL, NULL, NULL, 2},
    {"matching", 0, "6", 3},
    {"matching", 0, "7", 2, "telephone"},
    {"matching", 0, "7", 9, "telephone"},
    {"matching", 0, "9", 4, NULL, NULL, NULL, 2},
    {"telegraph", 0, "7", 3},
    {"telegraph", 0, "10", 3},
    {"cube-trees", TOPOLOGY_HYPERCUBE, "3", 4},
    {"cube-doubling-all-reduce", TOPOLOGY_HYPERCUBE, "3", 4},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 7},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 13},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "2", 8},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "2", 17},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "2", 46}, /* grows in a second half */
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 40},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 100},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 60},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 150},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 220},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "3", 300},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "4", 130},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "4", 200},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "4", 330},
    {"cube-blocks-all-reduce", TOPOLOGY_HYPERCUBE, "5", 400},
    {"tree-broadcast", TOPOLOGY_TREE, "2,3", 2, "multiport"},
    {"tree-scatter", TOPOLOGY_TREE, "2,3", 1, "multiport", NULL, NULL, 0, 6},
    {"tree-gather", TOPOLOGY_TREE, "2,3", 1, "multiport", "greedy"},
    {"tree-all-gather", TOPOLOGY_TREE, "2,3", 1, "multiport", "flood"},
    {"tree-all-gather", TOPOLOGY_TREE, "2,3", 1, "multiport", "queue-free"},
    {"tree-all-gather", TOPOLOGY_TREE, "2,3", 1, "multiport", "interleaved"},
    {"tree-all-gather", TOPOLOGY_TREE, "2,3", 1, "single-port", NULL, NULL, 0, 0, true},
    {"tree-all-gather", TOPOLOGY_TREE, "2,3", 1, "multiport", NULL, NULL, 0, 0, true},
    {"tree-total-exchange", TOPOLOGY_TREE, "2,3", 1, "multiport"},
    {"tree-total-exchange", TOPOLOGY_TREE, "2,3", 1, "multiport", "phases"},
    {"tree-total-exchange", TOPOLOGY_TREE, "2,2 1,2", 1, "multiport", "interleaved"},
    {"tree-total-exchange", TOPOLOGY_TREE, "2,2", 1, "single-port", NULL, NULL, 0, 0, true},
    {"tree-reduce", TOPOLOGY_TREE, "2,3", 2, "multiport"},
    {"tree-all-reduce", TOPOLOGY_TREE, "2,3", 2, "multiport"},
    {"tree-all-reduce", TOPOLOGY_TREE, "2,3", 2, "single-port"},
    {"tree-reduce-scatter", TOPOLOGY_TREE, "2,3", 1, "multiport"},
    {"tree-pipelined-reduce-scatter", TOPOLOGY_TREE, "2,3", 1, "single-port"},
    {"tree-broadcast", TOPOLOGY_TREE, "parents", 1, "single-port"},
    {"tree-scatter", TOPOLOGY_TREE, "parents", 1, "multiport"},
    {"tree-gather", TOPOLOGY_TREE, "parents", 1, "single-port"},
    {"tree-all-gather", TOPOLOGY_TREE, "parents", 1, "multiport"},
    {"tree-total-exchange", TOPOLOGY_TREE, "parents", 1, "multiport"},
    {"tree-all-reduce", TOPOLOGY_TREE, "parents", 2, "single-port"},
    {"tree-pipelined-reduce-scatter", TOPOLOGY_TREE, "parents", 1, "single-port"},
};
#define CASES (sizeof cases / sizeof *cases)

/* Leaves 0 … 4, routers 5 … 7: 5 has two leaves, 6 has two, and 7 has a leaf and both routers. */
#define PARENTS "5,5,6,6,7,7,7"

/* Parses the topology of a request; a tree may have capacities after a blank. */
static struct topology topology_of(const struct request *request)
{
    struct topology topology = {0};
    struct err err = {0};
    char children[16], capacity[16] = "const";
    switch (request->kind) {
    case TOPOLOGY_COMPLETE:
        return topology_complete((uint32_t)atoi(request->nodes));
    case TOPOLOGY_HYPERCUBE:
        support_true(topology_hypercube((uint64_t)atoi(request->nodes), &topology, &err), &err);
        return topology;
    case TOPOLOGY_TREE:
        if (strcmp(request->nodes, "parents") == 0) {
            support_true(topology_parse_parents(PARENTS, "const", &topology, &err), &err);
        } else {
            assert_in_range(sscanf(request->nodes, "%15s %15s", children, capacity), 1, 2);
            support_true(topology_parse_tree(children, capacity, &topology, &err), &err);
        }
        topology.half_duplex = request->half_duplex;
        return topology;
    default:
        support_true(topology_parse_direct(request->kind, request->nodes, &topology, &err), &err);
        return topology;
    }
}

static struct collective collective_of(const struct request *request,
                                       const struct algorithm *algorithm,
                                       const struct topology *topology)
{
    struct collective asked = {.n = topology->nodes,
                               .m = request->m,
                               .source = request->source,
                               .ports = request->ports,
                               .kind = algorithm->kind,
                               .model = algorithm_model(algorithm),
                               .topology = topology};
    if (request->model != NULL)
        assert_true(model_parse(request->model, &asked.model));
    if (request->method != NULL)
        asked.method = support_method(algorithm, request->method);
    if (request->by != NULL)
        asked.by = support_algorithm(request->by);
    return asked;
}

/* Fails each allocation of a build. Returns how many of the builds reported E104. */
static unsigned fail_each(const struct algorithm *algorithm, const struct collective *asked)
{
    struct schedule schedule = {0};
    struct err err = {0};
    unsigned refused = 0;
    int64_t left;
    no_memory_begin(0, false);
    support_true(algorithm_build(algorithm, asked, &schedule, &err), &err);
    const uint64_t calls = no_memory_end(&left);
    char *whole = support_text(&schedule);
    schedule_free(&schedule);
    for (uint64_t call = 1; call <= calls; call++)
        for (int on = 0; on < 2; on++) {
            running("%s, call %lu%s", algorithm->name, (unsigned long)call, on ? " and after" : "");
            schedule = (struct schedule){0};
            err = (struct err){0};
            no_memory_begin(call, on);
            const bool built = algorithm_build(algorithm, asked, &schedule, &err);
            const uint64_t made = no_memory_end(&left);
            assert_true(made >= call);
            assert_int_equal(err.code, built ? ERR_NONE : ERR_TOO_BIG);
            if (built) {
                char *text = support_text(&schedule);
                assert_string_equal(text, whole);
                free(text);
                no_memory_begin(0, false);
                schedule_free(&schedule);
                int64_t freed;
                no_memory_end(&freed);
                assert_int_equal(left + freed, 0);
            }
            assert_int_equal(built ? 0 : left, 0);
            assert_null(schedule.transfer);
            refused += !built;
        }
    free(whole);
    return refused;
}

/* An end that is computed without enough memory is unknown, or the same. */
static void check_end(const struct algorithm *algorithm, const struct collective *asked)
{
    int64_t left;
    no_memory_begin(0, false);
    const uint64_t end = algorithm_end(algorithm, asked);
    const uint64_t calls = no_memory_end(&left);
    for (uint64_t call = 1; call <= calls; call++) {
        running("end of %s, call %lu", algorithm->name, (unsigned long)call);
        no_memory_begin(call, true);
        const uint64_t found = algorithm_end(algorithm, asked);
        no_memory_end(&left);
        assert_true(found == end || found == ALGORITHM_UNKNOWN);
        assert_int_equal(left, 0);
    }
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (size_t k = 0; k < CASES; k++) {
        const struct algorithm *algorithm = support_algorithm(cases[k].algorithm);
        const struct topology topology = topology_of(&cases[k]);
        const struct collective asked = collective_of(&cases[k], algorithm, &topology);
        running("%s of %s", cases[k].algorithm, cases[k].nodes);
        check_end(algorithm, &asked);
        assert_true(fail_each(algorithm, &asked) >= 4); /* at least the steps and the transfers */
    }
}

static void schedules_are_counted(void **state)
{
    (void)state;
    const struct collective asked = {.n = 3, .m = 1, .model = MODEL_SEND_RECEIVE};
    struct schedule schedule = {0};
    struct err err = {0};
    int64_t left;
    no_memory_begin(0, false);
    support_true(algorithm_build(support_algorithm("path"), &asked, &schedule, &err), &err);
    no_memory_end(&left);
    assert_true(left > 0);
    schedule_free(&schedule);
}

int main(void)
{
    omp_set_num_threads(1);
    no_memory_prepare();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules_are_counted),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
