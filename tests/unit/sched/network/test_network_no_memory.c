/* SPDX-License-Identifier: Apache-2.0 */
/* test_network_no_memory: routers of networks without memory.
 *
 * Exhaustive: for each kind of network, in a small and a larger size, each allocation of a router
 * fails, alone or with all after it. There is then no router, the error says so, and nothing stays
 * allocated. Counter-case: without a failure there is a router, which routes the identity.
 *
 * tags: no-memory
 */
#include "sched/network/network_kind.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#define MOST_WORDS 4096

static void routes_identity(struct network_router *router, const struct multistage *net)
{
    static uint32_t circuit[2048], row[MOST_WORDS];
    struct err err = {0};
    assert_true(multistage_circuits(net) <= 2048);
    assert_true(multistage_stages(net) * multistage_row_words(net) <= MOST_WORDS);
    for (uint32_t end = 0; end < multistage_circuits(net); end++)
        circuit[end] = end % net->ports;
    support_true(network_route(router, circuit, row, &err), &err);
    for (uint32_t port = 0; port < net->ports; port++)
        assert_true(multistage_reaches(net, row, port, port));
}

static void every_allocation_fails(void **state)
{
    (void)state;
    const struct multistage nets[] = {
        multistage_benes(2),         multistage_benes(64),         multistage_benes(512),
        multistage_benes(7),         multistage_benes(100),        multistage_benes(300),
        multistage_waksman(9),       multistage_clos(3, 3, 4),     multistage_clos(5, 3, 4),
        multistage_clos(16, 16, 16), multistage_radix_benes(3, 3), multistage_radix_benes(4, 4),
        multistage_omega(8),         multistage_omega(256),        multistage_multicast(2),
        multistage_multicast(256),   multistage_combine(2),        multistage_combine(256),
        multistage_all_reduce(2),    multistage_all_reduce(256)};
    for (size_t which = 0; which < 2 * (sizeof nets / sizeof *nets); which++) {
        const struct multistage *net = &nets[which / 2];
        uint64_t calls = 0;
        running("network %zu of %u ports", which / 2, net->ports);
        for (uint64_t number = 0; number <= calls; number++) {
            int64_t left;
            struct err err = {0};
            no_memory_begin(number, which % 2 == 1);
            struct network_router *router = network_router_new(net, &err);
            if (number == 0) {
                assert_non_null(router);
                routes_identity(router, net);
                network_router_free(router);
            }
            const uint64_t made = no_memory_end(&left);
            assert_int_equal(left, 0);
            if (number == 0) {
                calls = made;
                continue;
            }
            assert_null(router);
            assert_true(err.no_memory);
            support_error(&err, ERR_TOO_BIG, "no memory for ",
                          "; expected less of it, or a machine");
        }
        assert_true(calls > 0);
    }
}

/* A router that was not made can be freed: nothing is freed, and nothing is allocated. */
static void no_router_is_freed(void **state)
{
    (void)state;
    int64_t left;
    no_memory_begin(0, false);
    network_kind_combine.free(NULL);
    network_kind_all_reduce.free(NULL);
    network_router_free(NULL);
    assert_int_equal(no_memory_end(&left), 0);
    assert_int_equal(left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_fails),
                                       cmocka_unit_test(no_router_is_freed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
