/* SPDX-License-Identifier: Apache-2.0 */
/* test_decompose_no_memory: settings that are searched for without memory.
 *
 * State space: the methods that need no solver × the allocation that fails, exhaustive. Each call
 * reports E104 and leaves nothing allocated. The local search of `search` allocates in each of its
 * steps, and its makespan for this traffic is above the bound, so that it makes all its steps.
 * Counter-case: with all its memory each method carries all packets, and `search` allocates
 * hundreds of times.
 *
 * tags: no-memory
 */
#include "sched/decompose/decompose.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

#define NODES 4

/* Packets from each node to each other one: nodes send and receive 20 to 31 of them. */
static const uint32_t packets[NODES][NODES] = {
    {0, 13, 4, 9}, {7, 0, 11, 2}, {8, 5, 0, 17}, {16, 6, 9, 0}};

struct work {
    const struct decompose_method *method;
    const struct traffic *traffic;
};

static bool find(void *given, struct err *err)
{
    const struct work *work = given;
    struct decomposition made = {0};
    if (!decompose(work->method, work->traffic, (struct traffic_cost){1, 3}, 1, &made, err))
        return false;
    uint64_t carried[NODES][NODES] = {{0}};
    for (size_t k = 0; k < made.count; k++)
        for (uint32_t node = 0; node < NODES; node++)
            if (made.to[k * NODES + node] != DECOMPOSE_IDLE)
                carried[node][made.to[k * NODES + node]] += made.duration[k];
    for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t to = 0; to < NODES; to++)
            assert_true(carried[from][to] >= packets[from][to]);
    decomposition_free(&made);
    return true;
}

static void methods_run_out_of_memory(void **state)
{
    (void)state;
    struct traffic traffic = {.nodes = NODES};
    struct err err = {0};
    for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t to = 0; to < NODES; to++)
            if (from != to)
                support_true(traffic_add(&traffic, from, to, packets[from][to], &err), &err);
    support_true(traffic_finish(&traffic, &err), &err);
    for (size_t which = 0; decompose_methods[which] != NULL; which++) {
        struct work work = {decompose_methods[which], &traffic};
        if (work.method->solver != NULL)
            continue;
        running("%s", work.method->name);
        const unsigned refused = no_memory_each(find, &work);
        assert_true(refused >= (strcmp(work.method->name, "search") == 0 ? 200 : 3));
    }
    traffic_free(&traffic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_run_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
