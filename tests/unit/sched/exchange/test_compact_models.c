/* SPDX-License-Identifier: Apache-2.0 */
/* test_compact_models: compaction under every model: several ports, calls, the postal model with
 * rational λ, trees with lanes, direct topologies, and networks that copy and combine.
 *
 * The schedules of algorithms are stretched: further empty rounds, or ticks, precede each step, a
 * number that a seed determines. Compaction must give a schedule that verify accepts, no later than
 * before they were stretched, and the same bytes if it is compacted again. If no packet is
 * combined, each transfer must have the earliest time that verify accepts: a brute force builds the
 * schedule again, transfer by transfer in the stretched order, and tries all times and lanes from
 * the first until verify finds no breach of order or ports. Random transfers, of which some bring a
 * packet again, are treated in the same way; random transfers of combined packets must obey the
 * ports. Counter-cases: rules that a schedule cannot have.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/exchange/compact.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261127)

/* An algorithm, and the rules of its schedule. */
struct asked {
    const char *algorithm;
    uint32_t n, m, ports;
    enum model model;
    struct rational lambda;
    const char *tree, *capacity, *sides;
    bool half_duplex;
    const uint32_t *sources; /* [m] of simultaneous broadcasts */
};

static const uint32_t sources[] = {1, 3, 4, 4, 7};

#define POSTAL(a, b) .model = MODEL_POSTAL, .lambda = {a, b}
#define TREE(children, lanes, rule) .tree = children, .capacity = lanes, .model = MODEL_##rule

static const struct asked asked[] = {
    {"matching", 7, 4, 3, .model = MODEL_SEND_RECEIVE},
    {"total-exchange", 5, 1, 2, .model = MODEL_SEND_RECEIVE},
    {"all-gather", 6, 1, 2, .model = MODEL_TELEPHONE},
    {"matching", 9, 3, 1, .model = MODEL_TELEPHONE},
    {"telegraph", 7, 3, 1, .model = MODEL_TELEGRAPH},
    {"postal-bcast", 9, 1, 1, POSTAL(5, 2)},
    {"postal-dtree", 7, 3, 1, POSTAL(7, 3)},
    {"postal-swarm", 7, 3, 2, POSTAL(5, 2)},
    {"all-gather", 5, 1, 1, POSTAL(3, 1)},
    {"tree-broadcast", 0, 1, 1, TREE("2,3", "const", SINGLE_PORT)},
    {"tree-all-gather", 0, 1, 1, TREE("2,2", "exp", MULTIPORT)},
    {"tree-scatter", 0, 1, 1, TREE("3,2", "2,1", MULTIPORT)},
    {"tree-total-exchange", 0, 1, 1, TREE("2,2", "exp", MULTIPORT), .half_duplex = true},
    {"tree-gather", 0, 1, 1, TREE("2,3", "const", SINGLE_PORT), .half_duplex = true},
    {"torus-all-gather", 0, 2, 1, .sides = "3,2", .model = MODEL_TORUS_SINGLE_PORT},
    {"torus-total-exchange", 0, 1, 1, .sides = "3,2", .model = MODEL_TORUS_MULTIPORT},
    {"mesh-scatter", 0, 1, 1, .sides = "3,3", .model = MODEL_MESH_SINGLE_PORT},
    {"mesh-all-gather", 0, 1, 1, .sides = "2,3", .model = MODEL_MESH_MULTIPORT},
    {"cube-all-gather", 0, 1, 1, .sides = "3", .model = MODEL_ALL_PORT},
    {"cube-broadcast", 0, 5, 1, .sides = "3", .model = MODEL_ALL_PORT, .sources = sources},
    {"cube-unbalanced", 0, 5, 1, .sides = "3", .model = MODEL_ALL_PORT, .sources = sources},
    {"fabric-broadcast", 6, 3, 1, .model = MODEL_FABRIC_MULTICAST},
    {"all-gather", 5, 1, 1, .model = MODEL_FABRIC_MULTICAST},
    {"fabric-broadcast", 5, 3, 1, .model = MODEL_FABRIC_POSTAL, .lambda = {5, 2}},
    {"reduce", 7, 3, 2, .model = MODEL_SEND_RECEIVE},
    {"reduce-broadcast", 8, 3, 2, .model = MODEL_TELEPHONE},
    {"reduce", 8, 3, 1, POSTAL(5, 2)},
    {"reduce-broadcast", 7, 2, 1, POSTAL(7, 3)},
    {"tree-reduce", 0, 1, 1, TREE("2,2", "const", MULTIPORT)},
    {"torus-reduce", 0, 2, 1, .sides = "3,2", .model = MODEL_TORUS_SINGLE_PORT},
    {"mesh-all-reduce", 0, 2, 1, .sides = "2,3", .model = MODEL_MESH_MULTIPORT},
    {"cube-all-reduce", 0, 1, 1, .sides = "3", .model = MODEL_ALL_PORT},
    {"fabric-reduce", 6, 3, 1, .model = MODEL_FABRIC_REDUCTION},
    {"fabric-all-reduce", 6, 3, 1, .model = MODEL_FABRIC_ALL_REDUCE},
};

static void make_topology(const struct asked *it, struct topology *topology)
{
    struct err err = {0};
    if (it->tree != NULL)
        support_true(topology_parse_tree(it->tree, it->capacity, topology, &err), &err);
    else if (it->model == MODEL_ALL_PORT)
        support_true(topology_hypercube(strtoull(it->sides, NULL, 10), topology, &err), &err);
    else
        support_true(topology_parse_direct(model_topology(it->model), it->sides, topology, &err),
                     &err);
    topology->half_duplex = it->half_duplex;
}

static void build(const struct asked *it, struct schedule *schedule)
{
    struct err err = {0};
    struct topology topology;
    const struct algorithm *algorithm = support_algorithm(it->algorithm);
    struct collective collective = {.n = it->n,
                                    .m = it->m,
                                    .model = it->model,
                                    .lambda = it->lambda,
                                    .ports = it->ports,
                                    .sources = it->sources,
                                    .kind = algorithm->kind};
    if (it->n == 0) {
        make_topology(it, &topology);
        collective.n = topology.nodes;
        collective.topology = &topology;
    }
    *schedule = (struct schedule){0};
    support_true(algorithm_build(algorithm, &collective, schedule, &err), &err);
}

static void stretch(struct schedule *schedule, struct rng *rng)
{
    uint64_t more = 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        more += rng_below(rng, 3);
        schedule->step[k].time += more;
    }
    schedule->end += more;
}

/* --- brute force ------------------------------------------------------------------------------ */

/* Counts the breaches of order and of ports; a schedule without all its transfers breaks the
 * demands. */
static bool count_breach(void *with, const struct err *breach)
{
    unsigned *breaches = with;
    *breaches += breach->code != ERR_UNMET;
    return true;
}

struct tried {
    uint64_t time;
    struct transfer transfer;
    uint32_t lane;
};

/* Returns whether verify accepts transfers, apart from demands that are not met yet. */
static bool is_accepted(const struct schedule *like, const struct tried tried[], size_t count)
{
    struct schedule schedule = {0};
    struct err err = {0};
    struct verify_report report;
    unsigned breaches = 0;
    support_true(schedule_init_empty(&schedule, "s", &like->topology, like->model, &err), &err);
    schedule.lambda = like->lambda;
    schedule.ports = like->ports;
    support_true(schedule_copy_demands(like, &schedule, &err), &err);
    for (uint64_t time = 0, left = count; left > 0; time++) {
        const size_t before = schedule.transfer_count;
        for (size_t k = 0; k < count; k++) {
            if (tried[k].time != time)
                continue;
            if (schedule.transfer_count == before)
                assert_non_null(schedule_open_step(&schedule, time, 1, &err));
            if (topology_has_routers(&like->topology))
                support_true(
                    schedule_append_lane(&schedule, tried[k].transfer, tried[k].lane, &err), &err);
            else
                support_true(schedule_append(&schedule, tried[k].transfer, &err), &err);
        }
        if (schedule.transfer_count > before)
            schedule_close_step(&schedule, 0);
        left -= schedule.transfer_count - before;
    }
    verify_each("s", &schedule, count_breach, &breaches, &report, &err);
    schedule_free(&schedule);
    return breaches == 0;
}

/* Returns whether a transfer keeps its order after an earlier one: a node receives a packet again
 * no earlier than it first did, and a control packet leaves its source no earlier than it first
 * did. */
static bool keeps_order(const struct schedule *like, const struct transfer *transfer,
                        const struct transfer *before)
{
    const struct demand *demand = schedule_demand_of(like, transfer->packet);
    bool again = transfer->destination == before->destination;
    bool leaves = demand->control != NULL && transfer->source == demand->source &&
                  before->source == demand->source;
    return transfer->packet == before->packet &&
           ((again && demand->source != transfer->destination) || leaves);
}

/* Finds the earliest time and lane of the last of the transfers. */
static void try_all(const struct schedule *like, struct tried tried[], size_t count)
{
    struct tried *last = &tried[count - 1];
    const struct transfer *transfer = &last->transfer;
    const struct topology *tree = &like->topology;
    uint32_t capacity = 1;
    uint64_t first = !model_has_times(like->model);
    if (topology_has_routers(tree))
        capacity = tree->capacity[topology_branch(tree, transfer->source, transfer->destination)];
    for (size_t k = count - 1; k-- > 0;)
        if (keeps_order(like, transfer, &tried[k].transfer))
            first = tried[k].time;
    for (last->time = first;; last->time++)
        for (last->lane = 0; last->lane < capacity; last->lane++)
            if (is_accepted(like, tried, count))
                return;
}

static int by_transfer(const void *left, const void *right)
{
    const struct tried *a = left, *b = right;
    return compare_then(
        COMPARE(a->time, b->time),
        compare_then(COMPARE(a->transfer.source, b->transfer.source),
                     compare_then(COMPARE(a->transfer.destination, b->transfer.destination),
                                  COMPARE(a->transfer.packet, b->transfer.packet))));
}

/* Checks that a compacted schedule has the transfers of the stretched one at their earliest
 * times. */
static void check_earliest(const struct schedule *stretched, const struct schedule *compacted)
{
    const size_t count = stretched->transfer_count;
    struct tried *tried = calloc(count, sizeof *tried), *made = calloc(count, sizeof *made);
    assert_true(tried != NULL && made != NULL);
    for (size_t k = 0; k < count; k++) {
        tried[k].transfer = stretched->transfer[k];
        try_all(stretched, tried, k + 1);
    }
    for (size_t k = 0; k < count; k++)
        made[k] = (struct tried){compacted->step[schedule_step_of(compacted, k)].time,
                                 compacted->transfer[k], schedule_lane(compacted, k)};
    qsort(tried, count, sizeof *tried, by_transfer);
    qsort(made, count, sizeof *made, by_transfer);
    for (size_t k = 0; k < count; k++)
        if (by_transfer(&tried[k], &made[k]) != 0)
            fail_msg("transfer %zu: %u to %u, packet %u: at %zu; expected %zu", k,
                     made[k].transfer.source, made[k].transfer.destination, made[k].transfer.packet,
                     (size_t)made[k].time, (size_t)tried[k].time);
    free(tried);
    free(made);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void compact(struct schedule *schedule)
{
    struct err err = {0};
    const struct rounds_rules rules = compact_rules_of(schedule);
    support_true(compact_schedule("s", &rules, schedule, &err), &err);
}

/* Compacts a schedule, and checks that the rules hold, that the transfers are the earliest ones if
 * none is combined, and that compaction of the result changes nothing. */
static void check_compaction(struct schedule *schedule)
{
    struct schedule before = {0};
    struct err err = {0};
    support_true(schedule_copy(schedule, &before, &err), &err);
    compact(schedule);
    assert_int_equal(schedule->transfer_count, before.transfer_count);
    assert_int_equal(schedule->ports, before.ports);
    assert_true(topology_equal(&schedule->topology, &before.topology));
    if (!schedule->has_reductions)
        check_earliest(&before, schedule);
    char *once = support_text(schedule);
    compact(schedule);
    char *twice = support_text(schedule);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
    schedule_free(&before);
}

static void check_rules(const struct asked *it, struct rng *rng)
{
    struct schedule schedule;
    struct err err = {0};
    struct verify_report report;
    build(it, &schedule);
    const uint64_t end = schedule.end;
    stretch(&schedule, rng);
    check_compaction(&schedule);
    support_true(verify_schedule("s", &schedule, &report, &err), &err);
    assert_true(schedule.end <= end);
    schedule_free(&schedule);
}

#define NODES 5
#define PACKETS 3
#define TRANSFERS 20

/* Makes a schedule of random transfers, one at a time, of packets that their senders have. */
static void make_random(const struct asked *it, bool combined, struct schedule *schedule,
                        struct rng *rng)
{
    struct err err = {0};
    const struct topology complete = topology_complete(NODES);
    const struct reduction all = {.ordered = false};
    bool has[NODES][PACKETS] = {{false}};
    *schedule = (struct schedule){0};
    support_true(schedule_init_empty(schedule, "random", &complete, it->model, &err), &err);
    schedule->ports = it->ports;
    if (model_has_times(it->model))
        schedule->lambda = it->lambda;
    for (uint32_t packet = 0; packet < PACKETS; packet++) {
        has[packet][packet] = true;
        support_true(combined ? schedule_add_reduction(schedule, 1, &all, NULL, &err)
                              : schedule_add_demand(schedule, 1, packet, NULL, 0, &err),
                     &err);
    }
    for (uint64_t time = 1; schedule->transfer_count < TRANSFERS;) {
        const uint32_t from = (uint32_t)rng_below(rng, NODES), to = (uint32_t)rng_below(rng, NODES);
        const uint32_t packet = (uint32_t)rng_below(rng, PACKETS);
        if (from == to || !(combined || has[from][packet]))
            continue;
        has[to][packet] = true;
        assert_non_null(schedule_open_step(schedule, time, 1, &err));
        support_true(schedule_append(schedule, (struct transfer){from, to, packet + 1}, &err),
                     &err);
        schedule_close_step(schedule, 0);
        time += schedule->lambda.numerator + rng_below(rng, 3);
    }
}

static bool count_ports(void *with, const struct err *breach)
{
    unsigned *breaches = with;
    *breaches += breach->code == ERR_ONE_PORT || breach->code == ERR_PAIRING ||
                 breach->code == ERR_HALF_DUPLEX;
    return true;
}

static void test_random(void **state)
{
    (void)state;
    static const struct asked rules[] = {
        {.model = MODEL_SEND_RECEIVE, .ports = 1},
        {.model = MODEL_SEND_RECEIVE, .ports = 2},
        {.model = MODEL_TELEPHONE, .ports = 1},
        {.model = MODEL_TELEPHONE, .ports = 2},
        {.model = MODEL_TELEGRAPH, .ports = 1},
        {POSTAL(5, 2), .ports = 1},
        {POSTAL(7, 3), .ports = 2},
        {.model = MODEL_FABRIC_MULTICAST, .ports = 1},
        {.model = MODEL_FABRIC_POSTAL, .lambda = {5, 2}, .ports = 1},
        {.model = MODEL_FABRIC_REDUCTION, .ports = 1},
        {.model = MODEL_FABRIC_ALL_REDUCE, .ports = 1},
    };
    struct rng rng = {SEED};
    for (unsigned which = 0; which < sizeof rules / sizeof *rules; which++)
        for (unsigned sample = 0; sample < 20; sample++) {
            struct schedule schedule;
            struct verify_report report;
            struct err err = {0};
            unsigned breaches = 0;
            running("random transfers of row %u, sample %u", which, sample);
            make_random(&rules[which], model_combines(rules[which].model) || sample % 4 == 0,
                        &schedule, &rng);
            check_compaction(&schedule);
            verify_each("s", &schedule, count_ports, &breaches, &report, &err);
            assert_int_equal(breaches, 0);
            schedule_free(&schedule);
        }
}

static void test_models(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    for (unsigned which = 0; which < sizeof asked / sizeof *asked; which++)
        for (unsigned sample = 0; sample < 3; sample++) {
            running("%s of row %u, sample %u", asked[which].algorithm, which, sample);
            check_rules(&asked[which], &rng);
        }
}

#define HEAD "roundcast-schedule 1\nalgorithm a\ntopology complete 3\n"

/* Reads a schedule, compacts it, and checks its steps. */
static void check_text(const char *text, const char *steps)
{
    struct schedule schedule;
    exchange_lab_schedule(text, &schedule);
    compact(&schedule);
    char *written = support_text(&schedule);
    assert_non_null(strstr(written, steps));
    free(written);
    compact(&schedule);
    written = support_text(&schedule);
    assert_non_null(strstr(written, steps));
    free(written);
    schedule_free(&schedule);
}

/* Node 2 receives packet 1 from node 1, and again from node 0. The second receipt could be in round
 * 1, but then a second compaction would send packet 1 on from there. */
static void test_again(void **state)
{
    (void)state;
    check_text(HEAD "model send-receive\ndemand 1 0 *\nround 2\n0 1 1\nround 4\n1 2 1\nround 6\n"
                    "0 2 1\nend 6\n",
               "round 1\n0 1 1\nround 2\n1 2 1\nround 3\n0 2 1\nend 3\n");
}

/* Node 1 sends its contribution while that of node 2 arrives, so that the two stay 1/2 apart. */
static void test_in_flight(void **state)
{
    (void)state;
    check_text(HEAD "model postal 5/2\nreduce 1 * 0\n"
                    "time 4\n2 1 1\ntime 9/2\n1 0 1\nend 7\n",
               "time 0\n2 1 1\ntime 1/2\n1 0 1\nend 3\n");
}

/* Checks that rules are rejected, and that the schedule is unchanged. */
static void check_rejected(const char *text, const struct rounds_rules *rules, enum err_code code,
                           const char *part)
{
    struct schedule schedule;
    struct err err = {0};
    exchange_lab_schedule(text, &schedule);
    char *before = support_text(&schedule);
    struct rounds_rules all = *rules;
    all.topology = rules->topology != NULL ? rules->topology : &schedule.topology;
    assert_false(compact_schedule("s", &all, &schedule, &err));
    support_error(&err, code, part);
    char *after = support_text(&schedule);
    assert_string_equal(before, after);
    free(before);
    free(after);
    schedule_free(&schedule);
}

static void test_rejected(void **state)
{
    (void)state;
    static const char text[] = HEAD "model send-receive\ndemand 1 0 *\nround 1\n0 1 1\nround 2\n"
                                    "1 2 1\nround 3\n2 0 1\nend 3\n";
    static const char early[] = HEAD "model postal 5/2\ndemand 1 0 *\ntime 0\n0 1 1\ntime 1\n"
                                     "1 2 1\nend 7/2\n";
    static const char shared[] = "roundcast-schedule 1\nalgorithm a\ntopology complete 4 shared 2\n"
                                 "model send-receive\ndemand 1 0 *\nround 1\n1 2 1\nend 1\n";
    struct err err = {0};
    struct topology mesh, wide;
    support_true(topology_parse_direct(TOPOLOGY_MESH, "3", &mesh, &err), &err);
    support_true(topology_parse_direct(TOPOLOGY_MESH, "4", &wide, &err), &err);
    const struct rational one = {1, 1}, lambda = {5, 2};
    check_rejected(text, &(struct rounds_rules){NULL, MODEL_MULTIPORT, one, 1}, ERR_ALGORITHM,
                   "model: multiport is not for a complete graph");
    check_rejected(text, &(struct rounds_rules){NULL, MODEL_TELEGRAPH, one, 2}, ERR_ALGORITHM,
                   "ports: nodes have one port under telegraph");
    check_rejected(text, &(struct rounds_rules){&mesh, MODEL_MESH_MULTIPORT, one, 1}, ERR_NO_LINK,
                   "s:11: no link joins 2 and 0");
    check_rejected(text, &(struct rounds_rules){&wide, MODEL_MESH_MULTIPORT, one, 1}, ERR_ALGORITHM,
                   "s: 3 nodes; expected 4, those of the mesh");
    check_rejected(early, &(struct rounds_rules){NULL, MODEL_POSTAL, lambda, 1}, ERR_NOT_HELD,
                   "s:9: node 1 sends packet 1, which it does not hold");
    check_rejected(shared, &(struct rounds_rules){NULL, MODEL_SEND_RECEIVE, one, 1},
                   ERR_UNSUPPORTED, "here nodes share a memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_again),    cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
