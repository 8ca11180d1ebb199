/* SPDX-License-Identifier: Apache-2.0 */
/* test_route_no_memory: routes, routers and the searches before them, when memory runs out.
 *
 * State space: the functions below with one schedule or network of each kind, and each of their
 * allocations failing, alone. Each failure must be reported with E104 (too-big) and leave nothing
 * allocated; with one more allocation allowed each time, the function succeeds in the end.
 * Counter-case: without a failure every function succeeds at the first call.
 *
 * tags: no-memory
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine_network.h"
#include "sched/network/network_router.h"
#include "sched/route/compile.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/partial_results.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/route/rewrite.h"
#include "sched/route/route.h"
#include "sched/schedule/ranges.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory_each.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* The input of a function under test. */
struct given {
    struct schedule schedule;
    struct machine machine;
    struct payload payload;
    struct image image;
    struct multistage net;
};

static void read_text(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    support_true(support_read(text, "text", schedule, &err), &err);
}

/* --- searches in a schedule ------------------------------------------------------------------ */

static bool find_ranges(void *context, struct err *err)
{
    struct given *given = context;
    struct ranges ranges;
    bool found = ranges_find(&given->schedule, &ranges, err);
    if (found)
        ranges_free(&ranges);
    return found;
}

static bool stop(void *context, struct err *err)
{
    struct given *given = context;
    struct schedule stopped;
    bool made = schedule_stop(&given->schedule, 2, &stopped, err);
    if (made)
        schedule_free(&stopped);
    return made;
}

static bool share(void *context, struct err *err)
{
    struct given *given = context;
    struct schedule single = {0};
    bool made = ports_share(&given->schedule, &single, err);
    if (made)
        schedule_free(&single);
    return made;
}

static bool make_nodes(void *context, struct err *err)
{
    struct given *given = context;
    struct schedule single = {0};
    bool made = ports_to_nodes(&given->schedule, &single, err);
    if (made) {
        assert_int_equal(single.topology.shared, 0);
        schedule_free(&single);
    }
    return made;
}

static bool open_results(void *context, struct err *err)
{
    struct given *given = context;
    struct partial_results results;
    bool opened = partial_results_open(&results, &given->schedule, true, err);
    if (opened)
        partial_results_close(&results);
    return opened;
}

static bool divide(void *context, struct err *err)
{
    struct given *given = context;
    struct schedule parts = {0};
    bool divided = hypercube_to_rounds(&given->schedule, &parts, err);
    schedule_free(&parts);
    return divided;
}

static bool split(void *context, struct err *err)
{
    struct given *given = context;
    const struct multistage net = multistage_omega(4);
    struct split_report report;
    struct schedule parts = {0};
    bool divided = split_schedule(&given->schedule, &net, &parts, &report, err);
    schedule_free(&parts);
    return divided;
}

static bool check_arcs(void *context, struct err *err)
{
    struct given *given = context;
    return partial_results_check_arcs("r", &given->schedule, err);
}

#define HEAD(topology, model) \
    "roundcast-schedule 1\nalgorithm none\ntopology " topology "\nmodel " model "\n"

static void searches(void **state)
{
    (void)state;
    static const struct {
        no_memory_work *what;
        const char *text;
        uint64_t least; /* number of allocations */
    } cases[] = {
        {find_ranges, HEAD("complete 2", "postal 2") "demand 1 0 *\ntime 0\n0 1 1\nend 2\n", 3},
        {stop,
         HEAD("complete 2", "send-receive") "demand 1-3 0 *\nround 1\n0 1 1\nround 2\n"
                                            "0 1 2\nround 3\n0 1 3\nend 3\n",
         3},
        {share, HEAD("complete 3", "send-receive 2") "demand 1 0 1\nround 1\n0 1 1\nend 1\n", 4},
        {make_nodes,
         HEAD("complete 3", "send-receive 2") "demand 1-2 0 1\nround 1\n0 1 1\n0 1 2\nend 1\n", 4},
        {open_results,
         HEAD("complete 4",
              "fabric-reduction") "reduce 1 0 *\nround 1\n1 0 1\n2 0 1\n3 0 1\nend 1\n",
         3},
        {divide, HEAD("hypercube 1", "all-port") "reduce 1 0 *\nround 1\n1 0 1\nend 1\n", 2},
        /* the transfers have options, for which there is memory of their own */
        {divide,
         HEAD("hypercube 1",
              "all-port") "reduce 1 * *\nround 1\n1 0 1\nround 2\n0 1 1 replace\nend 2\n",
         3},
        {split,
         HEAD("complete 4",
              "send-receive") "reduce 1 * *\nround 1\n1 0 1\nround 2\n0 1 1 replace\nend 2\n",
         6},
        {check_arcs, HEAD("hypercube 1", "all-port") "reduce 1 0 *\nround 1\n1 0 1\nend 1\n", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct given given = {0};
        read_text(cases[k].text, &given.schedule);
        assert_true(no_memory_each(cases[k].what, &given) >= cases[k].least);
        schedule_free(&given.schedule);
    }
}

/* --- routers --------------------------------------------------------------------------------- */

static bool make_router(void *context, struct err *err)
{
    struct given *given = context;
    struct network_router *router = network_router_new(&given->net, err);
    network_router_free(router);
    return router != NULL;
}

static void routers(void **state)
{
    (void)state;
    static const char *const networks[] = {"benes:8",    "benes:6",      "waksman:6",
                                           "omega:8",    "multicast:8",  "combine:8",
                                           "clos:3,3,3", "all-reduce:8", "benes:16,radix=4"};
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        struct given given = {0};
        struct err err = {0};
        support_true(machine_parse_network(networks[k], &given.machine, &err), &err);
        given.net = given.machine.network;
        assert_true(no_memory_each(make_router, &given) >= 1);
    }
}

/* --- images ---------------------------------------------------------------------------------- */

static bool fit(void *context, struct err *err)
{
    struct given *given = context;
    static const struct machine least = {.log2_packets = 1, .log2_flits = 1, .log2_rows = 1};
    struct machine machine = given->machine;
    return machine_sizing_fit(&given->schedule, 4, &least, &machine, err);
}

static bool route(void *context, struct err *err)
{
    struct given *given = context;
    struct image image;
    bool routed = route_schedule(&given->schedule, &given->machine, &given->payload, &image, err);
    if (routed)
        image_free(&image);
    return routed;
}

static bool unpack(void *context, struct err *err)
{
    struct given *given = context;
    struct unpacked unpacked;
    struct unpack_held held;
    struct schedule schedule = {0};
    if (!unpack_image(&given->image, &unpacked, err))
        return false;
    bool made = unpack_held_new(&unpacked, &held, err);
    if (made)
        unpack_held_free(&held);
    made = made && unpack_demands(&unpacked, &schedule, err);
    schedule_free(&schedule); /* also after an error */
    unpack_free(&unpacked);
    return made;
}

static void images(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm, *network;
        struct collective asked;
        struct machine machine;
    } cases[] = {
        {"postal-bcast",
         "benes:8",
         {.n = 8, .m = 1, .model = MODEL_POSTAL, .lambda = {9, 4}},
         {.ranges = true}},
        {"matching",
         "benes:8",
         {.n = 8, .m = 6, .stream = true},
         {.computed = true, .settings = MACHINE_INDEXED}},
        {"circulant", "benes:8", {.n = 8, .m = 3}, {.settings = MACHINE_INDEXED}},
        {"circulant", "benes:8", {.n = 8, .m = 3}, {.settings = MACHINE_TAGS}},
        {"circulant", "benes:8", {.n = 8, .m = 3}, {.reconfigures = true}},
        {"circulant", "benes:8", {.n = 8, .m = 3}, {.computed = true}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const struct machine least = {.log2_packets = 1, .log2_flits = 1, .log2_rows = 1};
        struct given given = {.machine = cases[k].machine};
        struct err err = {0};
        given.machine.width = 16;
        support_schedule(support_algorithm(cases[k].algorithm), &cases[k].asked, &given.schedule);
        support_true(machine_parse_network(cases[k].network, &given.machine, &err), &err);
        no_memory_each(fit, &given);
        support_true(machine_sizing_fit(&given.schedule, 4, &least, &given.machine, &err), &err);
        support_payload(&given.schedule, &given.machine, 4, 1, &given.payload);
        assert_true(no_memory_each(route, &given) >= 3);
        support_true(
            route_schedule(&given.schedule, &given.machine, &given.payload, &given.image, &err),
            &err);
        assert_true(no_memory_each(unpack, &given) >= 3);
        image_free(&given.image);
        payload_free(&given.payload);
        schedule_free(&given.schedule);
    }
}

/* The words of an image that are appended after those for which memory is reserved: the array grows
 * at any of them, depending on the flits of a packet. */
static void growing_images(void **state)
{
    (void)state;
    for (uint32_t flits = 3; flits <= 20; flits++)
        for (int ranges = 0; ranges < 2; ranges++) {
            const struct collective asked = {.n = ranges ? 4 : 64,
                                             .m = ranges ? 1 : 3,
                                             .model = ranges ? MODEL_POSTAL : MODEL_SEND_RECEIVE,
                                             .lambda = {2, 1}};
            struct given given = {.machine = MULTISTAGE(ranges ? 2 : 6, 1, 0, 16, 2, 5, 5)};
            given.machine.ranges = ranges;
            given.machine.log2_splits = ranges ? 5 : 0;
            given.machine.pad = ranges ? flits - 3 : 0; /* λ = 2 takes a register for each flit */
            given.machine.settings = ranges ? MACHINE_FULL : MACHINE_INDEXED;
            given.machine.log2_period = given.machine.log2_settings = ranges ? 0 : 3;
            support_schedule(support_algorithm(ranges ? "postal-bcast" : "circulant"), &asked,
                             &given.schedule);
            support_payload(&given.schedule, &given.machine, flits, 1, &given.payload);
            assert_true(no_memory_each(route, &given) >= 4);
            payload_free(&given.payload);
            schedule_free(&given.schedule);
        }
}

/* The files of two nodes, of 2 bytes each, become packets of 4 bytes. */
static bool spread(void *context, struct err *err)
{
    struct given *given = context;
    const struct compile_request request = {.payload = "files"};
    const struct payload_cut cut = {&request, &given->machine, 2, 2, 4};
    if (!payload_cut_pack(&cut, 2, &given->payload, err))
        return false;
    static const uint8_t expected[] = {1, 2, 0, 0, 3, 4, 0, 0};
    assert_int_equal(given->payload.size, sizeof expected);
    assert_memory_equal(given->payload.bytes, expected, sizeof expected);
    return true;
}

static void files_of_nodes(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {1, 2, 3, 4};
    struct given given = {.machine = {.width = 16}, .payload = {.size = 4, .files = 2}};
    given.payload.bytes = malloc(sizeof bytes);
    assert_non_null(given.payload.bytes);
    memcpy(given.payload.bytes, bytes, sizeof bytes);
    assert_int_equal(no_memory_each(spread, &given), 1);
    payload_free(&given.payload);
}

/* --- demands of ports that share a memory ---------------------------------------------------- */

/* Nodes 0 … 2 have the endpoints 0-1, 2-3 and 4-5. The source, which is in its list, wants the
 * packet at its first endpoint, and node 2 where it arrives; node 1 only forwards it. */
static void wanted_endpoints(void **state)
{
    (void)state;
    struct schedule several = {0}, single = {0};
    struct err err = {0};
    read_text(HEAD("complete 3", "send-receive 2") "demand 1 0 0,2\nround 1\n0 1 1\nround 2\n"
                                                   "1 2 1\nend 2\n",
              &several);
    support_true(ports_share(&several, &single, &err), &err);
    assert_int_equal(single.topology.shared, 2);
    assert_int_equal(single.demand[0].source, 0);
    assert_int_equal(single.demand[0].wanted_count, 2);
    assert_int_equal(single.demand[0].wanted[0], 0);
    assert_int_equal(single.demand[0].wanted[1] / 2, 2);
    assert_int_equal(single.demand[0].wanted[1], single.transfer[1].destination);
    schedule_free(&single);
    schedule_free(&several);
}

/* Each node of two endpoints has a packet at one of them, for which there is memory of its own. */
static void shared_memories(void **state)
{
    (void)state;
    struct given given = {.machine = MULTISTAGE(2, 1, 0, 16, 1, 2, 2)};
    read_text(HEAD("complete 4", "send-receive") "demand 1 0 2\nround 1\n0 2 1\nend 1\n",
              &given.schedule);
    support_payload(&given.schedule, &given.machine, 2, 1, &given.payload);
    const unsigned apart = no_memory_each(route, &given);
    given.schedule.topology.shared = given.machine.shared = 2;
    assert_int_equal(no_memory_each(route, &given), apart + 1);
    payload_free(&given.payload);
    schedule_free(&given.schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches),         cmocka_unit_test(routers),
        cmocka_unit_test(images),           cmocka_unit_test(growing_images),
        cmocka_unit_test(files_of_nodes),   cmocka_unit_test(shared_memories),
        cmocka_unit_test(wanted_endpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
