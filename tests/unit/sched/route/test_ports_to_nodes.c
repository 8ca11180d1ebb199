/* SPDX-License-Identifier: Apache-2.0 */
/* test_ports_to_nodes: schedules of nodes of several ports as schedules of endpoints.
 *
 * State space: schedules. verify accepts each result, and dividing the endpoints by the number of
 * ports gives the original schedule. Exhaustive: all rounds of 3 nodes of 2 ports in which packets
 * are sent once (the greedy choice of ports fails for some of them); sampled: random traffic of
 * more nodes and ports, and all algorithms, in both models. The endpoints of a node share a memory
 * exactly if a packet leaves its port.
 *
 * Counter-cases: verify rejects a packet that changes its port if no memory is shared; control
 * packets, too many endpoints.
 */
#include "sched/base/rng.h"
#include "sched/route/ports_to_nodes.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>

/* Rewrites a legal schedule and compares the result with the original. */
static void rewrite(const struct schedule *several)
{
    struct schedule single = {0};
    struct verify_report report;
    struct err err = {0};
    support_true(ports_to_nodes(several, &single, &err), &err);
    support_true(verify_schedule("endpoints", &single, &report, &err), &err);
    assert_int_equal(single.ports, 1);
    assert_int_equal(single.nodes, several->nodes * several->ports);
    assert_int_equal(single.step_count, several->step_count);
    assert_int_equal(single.transfer_count, several->transfer_count);
    assert_int_equal(single.end, several->end);
    for (size_t i = 0; i < single.transfer_count; i++) {
        assert_int_equal(single.transfer[i].packet, several->transfer[i].packet);
        assert_int_equal(single.transfer[i].source / several->ports, several->transfer[i].source);
        assert_int_equal(single.transfer[i].destination / several->ports,
                         several->transfer[i].destination);
    }
    for (uint32_t packet = 1; packet <= several->packets; packet++) {
        const struct demand *demand = schedule_demand_of(several, packet);
        const struct demand *now = schedule_demand_of(&single, packet);
        uint32_t wanted = demand->wanted_count > 0 ? demand->wanted_count : several->nodes;
        assert_int_equal(now->source / several->ports, demand->source);
        assert_int_equal(now->wanted_count, wanted);
    }
    schedule_free(&single);
}

/* Returns whether verify accepts the endpoints' schedule as that of endpoints with memories of
 * their own. */
static bool keeps_to_ports(const struct schedule *several)
{
    struct schedule single = {0};
    struct verify_report report;
    struct err err = {0};
    support_true(ports_to_nodes(several, &single, &err), &err);
    bool shared = single.topology.shared > 0;
    if (shared)
        assert_int_equal(single.topology.shared, several->ports);
    single.topology.shared = 0;
    bool keeps = verify_schedule("endpoints", &single, &report, &err);
    assert_true(keeps || err.code == ERR_NOT_HELD);
    assert_int_equal(keeps, !shared);
    schedule_free(&single);
    return keeps;
}

/* Broadcasts and all-gathers whose packets leave over several ports. */
static void test_shared(void **state)
{
    (void)state;
    static const char *const names[] = {"matching", "binomial", "all-gather"};
    static const enum model models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_POSTAL};
    unsigned shared = 0;
    for (unsigned name = 0; name < 3; name++)
        for (unsigned model = 0; model < 3; model++)
            for (uint32_t n = 2; n <= 14; n++)
                for (uint32_t m = 1; m <= 5; m++)
                    for (uint32_t ports = 2; ports <= 4; ports++) {
                        const struct algorithm *algorithm = support_algorithm(names[name]);
                        const struct collective asked = {
                            .kind = algorithm->kind,
                            .n = n,
                            .m = m,
                            .ports = ports,
                            .lambda = {models[model] == MODEL_POSTAL ? 5 : 0, 2},
                            .model = models[model]};
                        struct schedule schedule = {0};
                        struct err err = {0};
                        if (!algorithm_check(algorithm, &asked, NULL))
                            continue;
                        support_true(algorithm_build(algorithm, &asked, &schedule, &err), &err);
                        rewrite(&schedule);
                        shared += !keeps_to_ports(&schedule);
                        schedule_free(&schedule);
                    }
    print_message("%u schedules share memories\n", shared);
    assert_true(shared > 200);
}

static void test_algorithms(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n, m;
        struct rational lambda;
    } cases[] = {
        {"circulant", 9, 7, {0, 0}},      {"path", 5, 4, {0, 0}},
        {"binary-tree", 8, 9, {0, 0}},    {"dary-trees", 13, 11, {0, 0}},
        {"fibonacci", 13, 6, {0, 0}},     {"scatter", 6, 3, {0, 0}},
        {"gather", 6, 5, {0, 0}},         {"total-exchange", 6, 2, {0, 0}},
        {"all-gather", 6, 12, {0, 0}},    {"postal-pipeline", 9, 7, {5, 2}},
        {"postal-dtree", 14, 5, {7, 3}},  {"postal-pack", 9, 8, {4, 1}},
        {"postal-repeat", 9, 4, {3, 2}},  {"scatter", 6, 4, {5, 2}},
        {"total-exchange", 7, 1, {9, 4}},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++)
        for (uint32_t ports = 2; ports <= 4; ports++) {
            const struct collective asked = {
                .n = cases[which].n,
                .m = cases[which].m,
                .ports = ports,
                .lambda = cases[which].lambda,
                .model = cases[which].lambda.denominator > 0 ? MODEL_POSTAL : MODEL_SEND_RECEIVE};
            struct schedule schedule = {0};
            struct err err = {0};
            support_true(
                algorithm_build(support_algorithm(cases[which].name), &asked, &schedule, &err),
                &err);
            rewrite(&schedule);
            schedule_free(&schedule);
        }
}

/* Rewrites one round of packets that are sent once: count[from · n + to] packets from a node to
 * another. */
static void round_of(uint32_t n, uint32_t ports, const uint32_t count[])
{
    char text[4000];
    struct schedule schedule;
    struct err err = {0};
    int length = snprintf(text, sizeof text,
                          "roundcast-schedule 1\nalgorithm none\ntopology complete %u\n"
                          "model send-receive %u\n",
                          n, ports);
    for (unsigned pass = 0, packet = 0; pass < 2; pass++, packet = 0) {
        if (pass == 1)
            length += snprintf(text + length, sizeof text - (size_t)length, "round 1\n");
        for (uint32_t pair = 0; pair < n * n; pair++)
            for (uint32_t which = 0; which < count[pair]; which++) {
                packet++;
                length += pass == 0 ? snprintf(text + length, sizeof text - (size_t)length,
                                               "demand %u %u %u\n", packet, pair / n, pair % n)
                                    : snprintf(text + length, sizeof text - (size_t)length,
                                               "%u %u %u\n", pair / n, pair % n, packet);
            }
    }
    snprintf(text + length, sizeof text - (size_t)length, "end 1\n");
    support_true(support_read(text, "round.sched", &schedule, &err), &err);
    rewrite(&schedule);
    assert_true(keeps_to_ports(&schedule));
    schedule_free(&schedule);
}

/* Returns whether no node sends or receives more packets than it has ports. */
static bool is_legal(uint32_t n, uint32_t ports, const uint32_t count[])
{
    bool legal = true;
    for (uint32_t node = 0; node < n; node++) {
        uint32_t sent = 0, received = 0;
        for (uint32_t other = 0; other < n; other++) {
            sent += count[node * n + other];
            received += count[other * n + node];
        }
        legal = legal && sent <= ports && received <= ports;
    }
    return legal;
}

static void test_all_rounds(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (unsigned number = 1; number < 729; number++) {
        static const unsigned pairs[] = {1, 2, 3, 5, 6, 7};
        uint32_t count[9] = {0};
        unsigned digits = number;
        for (unsigned which = 0; which < 6; which++, digits /= 3)
            count[pairs[which]] = digits % 3;
        if (!is_legal(3, 2, count))
            continue;
        round_of(3, 2, count);
        tried++;
    }
    assert_in_range(tried, 50, 728);
}

static void test_random_rounds(void **state)
{
    (void)state;
    struct rng rng = {20261126};
    for (unsigned which = 0; which < 300; which++) {
        uint32_t n = 2 + (uint32_t)(rng_next(&rng) % 7), ports = 2 + (uint32_t)(rng_next(&rng) % 5);
        uint32_t count[64] = {0};
        for (unsigned add = 0; add < 3 * n * ports; add++) {
            uint32_t from = (uint32_t)(rng_next(&rng) % n), to = (uint32_t)(rng_next(&rng) % n);
            count[from * n + to] += from != to;
            if (!is_legal(n, ports, count))
                count[from * n + to]--;
        }
        round_of(n, ports, count);
    }
}

static void refuse(const char *lines, enum err_code code, const char *part)
{
    char text[600];
    struct schedule schedule, single = {0};
    struct err err = {0};
    snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm none\n%s", lines);
    support_true(support_read(text, "c.sched", &schedule, &err), &err);
    assert_false(ports_to_nodes(&schedule, &single, &err));
    support_error(&err, code, part);
    schedule_free(&schedule);
}

static void shares(const char *lines)
{
    char text[600];
    struct schedule schedule;
    struct err err = {0};
    snprintf(text, sizeof text, "roundcast-schedule 1\nalgorithm none\n%s", lines);
    support_true(support_read(text, "s.sched", &schedule, &err), &err);
    rewrite(&schedule);
    assert_false(keeps_to_ports(&schedule));
    schedule_free(&schedule);
}

static void test_shared_by_hand(void **state)
{
    (void)state;
    shares(
        "topology complete 3\nmodel send-receive 2\ndemand 1 0 *\nround 1\n0 1 1\n0 2 1\nend 1\n");
    /* Packets 1 and 3, of port 0, leave node 0 in one round. */
    shares("topology complete 3\nmodel send-receive 2\ndemand 1-3 0 *\nround 1\n0 1 1\n0 1 3\n"
           "round 2\n0 2 2\n0 2 1\nround 3\n0 1 2\n0 2 3\nend 3\n");
    /* Of these packets, the first that is sent is the only one that is sent twice. */
    shares("topology complete 3\nmodel send-receive 2\ndemand 1 0 *\ndemand 2 0 1\ndemand 3 0 2\n"
           "round 1\n0 1 1\n0 2 3\nround 2\n1 2 1\n0 1 2\nend 2\n");
    /* A node receives its packet again, another receives it twice: each is wanted once. */
    shares("topology complete 3\nmodel send-receive 2\ndemand 1 0 *\nround 1\n0 1 1\n0 2 1\n"
           "round 2\n1 0 1\n1 2 1\nend 2\n");
}

static void test_refused(void **state)
{
    (void)state;
    refuse("topology complete 3\nmodel send-receive 2\ndemand 1 1 0\ncontrol 2 1 0 1 nodes 1\n"
           "round 1\n1 0 1\n1 0 2\nend 1\n",
           ERR_UNSUPPORTED, "control packets");
    refuse(
        "topology complete 1000\nmodel send-receive 65535\ndemand 1 1 0\nround 1\n1 0 1\nend 1\n",
        ERR_RANGE, "1000 nodes of 65535 ports");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms),     cmocka_unit_test(test_all_rounds),
        cmocka_unit_test(test_random_rounds),  cmocka_unit_test(test_shared),
        cmocka_unit_test(test_shared_by_hand), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
