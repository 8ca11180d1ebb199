/* SPDX-License-Identifier: Apache-2.0 */
/* test_general: schedules of any demands, and their lower bounds.
 *
 * The expected values come from an exhaustive search: for up to four nodes and two packets it tries
 * every possible round and finds the minimum number of rounds.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include "sched/algorithms/general/best.h"
#include "sched/algorithms/general/needs.h"
#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"

#include <stdlib.h>
#include <string.h>

static const enum model models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_TELEGRAPH,
                                    MODEL_POSTAL};
#define MODELS (sizeof models / sizeof *models)

/* Initialises demands of n nodes, without packets. */
static void begin(uint32_t n, struct schedule *demands)
{
    struct err err = {0};
    const struct topology complete = topology_complete(n);
    *demands = (struct schedule){0};
    support_true(schedule_init_empty(demands, "demands", &complete, MODEL_SEND_RECEIVE, &err),
                 &err);
}

/* Adds `count` packets of a source, which the nodes in a bit set want. */
static void add(struct schedule *demands, uint32_t count, uint32_t source, uint32_t set)
{
    struct err err = {0};
    uint32_t wanted[32], wanting = 0;
    for (uint32_t node = 0; node < demands->nodes; node++)
        if (set >> node & 1)
            wanted[wanting++] = node;
    support_true(schedule_add_demand(demands, count, source, wanted, wanting, &err), &err);
}

static struct collective asked_of(const struct schedule *demands, enum model model)
{
    return (struct collective){
        .n = demands->nodes,
        .m = 1,
        .model = model,
        .lambda = model_has_times(model) ? (struct rational){5, 2} : (struct rational){1, 1},
        .kind = COLLECTIVE_DEMANDS,
        .seed = 1,
        .demands = demands,
        .topology = demands->topology.kind != TOPOLOGY_COMPLETE ? &demands->topology : NULL,
        .load.packets = demands->packets};
}

/* Builds and verifies a schedule. Checks that it does not end before the bound; returns its end. */
static uint64_t end_of(const struct schedule *demands, enum model model, uint64_t *bound)
{
    struct schedule schedule;
    struct collective asked = asked_of(demands, model);
    support_schedule(support_algorithm("general"), &asked, &schedule);
    *bound = bound_end(&asked);
    uint64_t end = schedule.end;
    assert_true(end >= *bound);
    schedule_free(&schedule);
    return end;
}

/* -- The fewest rounds, by trying everything --------------------------------------------------- */

/* State of the search: bit node * packets + packet - 1 is set if the node has the packet. */
struct tried {
    const struct schedule *demands;
    enum model model;
    uint32_t packets;
    uint32_t busy[4]; /* role in this round: 1 sends, 2 receives; and partner << 2 */
    bool *now, *next;
};

static bool may(const struct tried *tried, uint32_t from, uint32_t to)
{
    uint32_t there = tried->busy[from], back = tried->busy[to];
    if ((there & 1) != 0 || (back & 2) != 0)
        return false;
    if (tried->model == MODEL_TELEGRAPH)
        return there == 0 && back == 0;
    if (tried->model == MODEL_TELEPHONE)
        return (there == 0 || there >> 2 == to) && (back == 0 || back >> 2 == from);
    return true;
}

/* Tries all sends of node `from` and of the nodes after it, from the state `had`. */
static void advance(struct tried *tried, uint32_t from, uint32_t had, uint32_t has)
{
    uint32_t n = tried->demands->nodes;
    if (from == n) {
        tried->next[has] = true;
        return;
    }
    advance(tried, from + 1, had, has);
    for (uint32_t to = 0; to < n; to++)
        for (uint32_t p = 0; p < tried->packets; p++) {
            if (to == from || (had >> (from * tried->packets + p) & 1) == 0 ||
                !may(tried, from, to))
                continue;
            uint32_t kept[4];
            memcpy(kept, tried->busy, sizeof kept);
            tried->busy[from] = (tried->busy[from] & 2) | 1 | to << 2;
            tried->busy[to] = (tried->busy[to] & 1) | 2 | from << 2;
            advance(tried, from + 1, had, has | 1u << (to * tried->packets + p));
            memcpy(tried->busy, kept, sizeof kept);
        }
}

static uint32_t fewest(const struct schedule *demands, enum model model)
{
    struct tried tried = {.demands = demands, .model = model, .packets = demands->packets};
    uint32_t states = 1u << (demands->nodes * demands->packets), start = 0, goal = 0, rounds = 0;
    for (size_t d = 0; d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++) {
            start |= 1u << (demand->source * tried.packets + p);
            for (uint32_t k = 0; k < demand->wanted_count; k++)
                goal |= 1u << (demand->wanted[k] * tried.packets + p);
        }
    }
    tried.now = calloc(states, sizeof *tried.now);
    tried.next = calloc(states, sizeof *tried.next);
    assert_true(tried.now != NULL && tried.next != NULL);
    tried.now[start] = true;
    bool met = (start & goal) == goal;
    while (!met) {
        memset(tried.next, 0, states * sizeof *tried.next);
        for (uint32_t state = 0; state < states; state++)
            if (tried.now[state])
                advance(&tried, 0, state, state);
        bool *swapped = tried.now;
        tried.now = tried.next;
        tried.next = swapped;
        rounds++;
        for (uint32_t state = 0; state < states; state++)
            met = met || (tried.now[state] && (state & goal) == goal);
    }
    free(tried.now);
    free(tried.next);
    return rounds;
}

struct tally {
    unsigned cases, fewest, tight, solved;
};

/* Checks that the solver, which may use one round more than the minimum, finds a legal schedule
 * with the minimum number of rounds. */
static void find_fewest(struct schedule demands, enum model model, uint32_t least)
{
    struct list_send *send;
    struct schedule schedule;
    struct verify_report verified;
    struct err err = {0};
    size_t count;
    uint64_t rounds = least + 1;
    demands.model = model;
    support_true(exact_find(&demands, 1, &rounds, &send, &count, &err), &err);
    assert_non_null(send);
    assert_int_equal(rounds, least);
    support_true(schedule_init_empty(&schedule, "exact", &demands.topology, model, &err), &err);
    support_true(schedule_copy_demands(&demands, &schedule, &err), &err);
    for (uint64_t round = 1; round <= rounds; round++) {
        assert_non_null(schedule_open_step(&schedule, round, count, &err));
        for (size_t k = 0; k < count; k++)
            if (send[k].time == round)
                support_true(schedule_append(&schedule, send[k].transfer, &err), &err);
        schedule_close_step(&schedule, 0);
    }
    support_true(verify_schedule("exact", &schedule, &verified, &err), &err);
    assert_int_equal(verified.redundant, 0);
    schedule_free(&schedule);
    free(send);
}

/* Checks that `general` with the exact solver takes the minimum number of rounds, also for demands
 * whose minimum requires nodes to forward packets that they do not want. */
static void solve(const struct schedule *demands, enum model model, uint32_t least)
{
    struct schedule schedule;
    struct collective asked = asked_of(demands, model);
    asked.exact = true;
    support_schedule(support_algorithm("general"), &asked, &schedule);
    assert_int_equal(schedule.end, least);
    schedule_free(&schedule);
    find_fewest(*demands, model, least);
}

static void compare(const struct schedule *demands, struct tally *tally)
{
    for (unsigned k = 0; k + 1 < MODELS; k++) {
        uint64_t bound, end = end_of(demands, models[k], &bound);
        uint32_t least = fewest(demands, models[k]);
        assert_true(bound <= least && least <= end && end <= least + 1);
        if (end > bound)
            solve(demands, models[k], least);
        tally->solved += end > bound;
        tally->cases++;
        tally->fewest += end == least;
        tally->tight += bound == least;
    }
}

/* One or two packets from any sources, for any sets of up to four nodes. */
static void every_small_demand(void **state)
{
    (void)state;
    struct tally tally = {0};
    struct rng rng = {1};
    for (uint32_t n = 2; n <= 4; n++)
        for (uint32_t one = 0; one < n << n; one++)
            for (uint32_t two = one; two < n << n; two++) {
                struct schedule demands;
                if (n == 4 && rng_below(&rng, running_exhaustive() ? 4 : 64) != 0)
                    continue;
                begin(n, &demands);
                if (one % (1u << n) != 0)
                    add(&demands, 1, one >> n, one % (1u << n));
                if (two % (1u << n) != 0)
                    add(&demands, 1, two >> n, two % (1u << n));
                running("n=%u one=%x two=%x", n, one, two);
                if (demands.packets > 0)
                    compare(&demands, &tally);
                schedule_free(&demands);
            }
    print_message("%u demands: %u in the fewest rounds, %u bounds are those, %u solved\n",
                  tally.cases, tally.fewest, tally.tight, tally.solved);
    assert_true(tally.cases > 500 && tally.solved > 10 && tally.fewest > tally.cases * 99 / 100 &&
                tally.tight > tally.cases * 95 / 100);
}

/* -- Larger ones ------------------------------------------------------------------------------- */

/* For the demands of every collective, stated as plain demands, the schedule is no later than the
 * best algorithm of that collective. */
static void no_later_than_known(void **state)
{
    (void)state;
    unsigned compared = 0;
    for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++)
        for (uint32_t n = 2; n <= 9; n++)
            for (uint32_t m = 1; m <= 5; m += 2)
                for (unsigned k = 0; k < MODELS; k++) {
                    struct collective collective = {
                        .n = n, .m = m, .model = models[k], .lambda = {5, 2}, .source = n / 2};
                    struct schedule known;
                    uint64_t bound;
                    if ((*entry)->topology != TOPOLOGY_COMPLETE ||
                        collective_rows[(*entry)->kind].weighed ||
                        !algorithm_check(*entry, &collective, NULL))
                        continue;
                    support_schedule(*entry, &collective, &known);
                    assert_true(end_of(&known, models[k], &bound) <= known.end);
                    compared++;
                    schedule_free(&known);
                }
    assert_true(compared > 500);
}

/* -- Trees and hypercubes ---------------------------------------------------------------------- */

static const char *const trees[][2] = {{"3", "const"},   {"2,2", "const"},  {"2,2", "exp"},
                                       {"2,3", "1,2"},   {"3,2", "1,2"},    {"4,2", "1,3"},
                                       {"2,2,2", "exp"}, {"3,2,2", "const"}};
#define TREES (sizeof trees / sizeof *trees)

/* Returns network `which`: the trees, then the hypercubes of 1, 2, … dimensions. */
static struct topology network(unsigned which)
{
    struct topology topology;
    struct err err = {0};
    if (which < TREES)
        support_true(topology_parse_tree(trees[which][0], trees[which][1], &topology, &err), &err);
    else
        support_true(topology_hypercube(which - TREES + 1, &topology, &err), &err);
    return topology;
}

/* Schedules are no later than the algorithms of trees and hypercubes for the same collective. */
static void no_later_in_networks(void **state)
{
    (void)state;
    unsigned compared = 0, earlier = 0;
    for (unsigned which = 0; which < TREES + 4; which++)
        for (const struct algorithm *const *entry = support_routable(); *entry != NULL; entry++)
            for (unsigned model = 0; model < MODEL_COUNT; model++)
                for (uint32_t k = 0; k < 6; k++) {
                    const struct topology topology = network(which);
                    struct collective collective = {.n = topology.nodes,
                                                    .m = k / 2 + 1,
                                                    .model = (enum model)model,
                                                    .source = k % 2 * (topology.nodes - 1),
                                                    .topology = &topology};
                    struct schedule known = {0};
                    struct err err = {0};
                    uint64_t bound;
                    if (collective_rows[(*entry)->kind].listed ||
                        !algorithm_check(*entry, &collective, NULL))
                        continue;
                    support_true(algorithm_build(*entry, &collective, &known, &err), &err);
                    bool data = schedule_data_packets(&known) == known.packets;
                    uint64_t end = data ? end_of(&known, (enum model)model, &bound) : 0;
                    assert_true(end <= known.end);
                    compared += data;
                    earlier += data && end < known.end;
                    schedule_free(&known);
                }
    print_message("%u compared, %u end earlier\n", compared, earlier);
    assert_true(compared > 80 && earlier > 0);
}

/* Any packets of any nodes, in each model: schedules are legal and end close to the bound. */
static void any_demands_in_networks(void **state)
{
    (void)state;
    struct rng rng = {7};
    uint64_t ends = 0, bounds = 0;
    for (unsigned which = 0; which < TREES + 5; which++)
        for (unsigned model = 0; model < MODEL_COUNT; model++) {
            const struct topology topology = network(which);
            struct schedule demands;
            struct err err = {0};
            uint64_t bound;
            if (model_topology((enum model)model) != topology.kind)
                continue;
            support_true(
                schedule_init_empty(&demands, "demands", &topology, (enum model)model, &err), &err);
            for (uint32_t k = 0; k < 3 * topology.nodes; k++) {
                uint32_t set = k == 0 ? UINT32_MAX : (uint32_t)rng_next(&rng);
                add(&demands, 1 + k % 3, rng_below(&rng, topology.nodes), set | 1u);
            }
            ends += end_of(&demands, (enum model)model, &bound);
            bounds += bound;
            schedule_free(&demands);
        }
    print_message("ends %u, bounds %u\n", (unsigned)ends, (unsigned)bounds);
    assert_true(ends * 10 < bounds * 14);
}

/* -- Larger ones, on complete graphs ----------------------------------------------------------- */

/* An all-gather in which nodes have different numbers of packets ends as early as a node can
 * receive. */
static void uneven_all_gather(void **state)
{
    (void)state;
    struct rng rng = {5};
    for (uint32_t n = 3; n <= 24; n += 3) {
        struct schedule demands;
        uint64_t bound;
        begin(n, &demands);
        for (uint32_t node = 0; node < n; node++)
            add(&demands, 1 + rng_below(&rng, 6), node, (1u << n) - 1);
        uint64_t rounds = end_of(&demands, MODEL_SEND_RECEIVE, &bound);
        assert_int_equal(rounds, bound);
        uint64_t ticks = end_of(&demands, MODEL_POSTAL, &bound);
        assert_int_equal(ticks, bound);
        schedule_free(&demands);
    }
}

/* Groups of nodes without common nodes are scheduled concurrently. */
static void groups_side_by_side(void **state)
{
    (void)state;
    struct schedule both, one;
    uint64_t bound;
    for (unsigned k = 0; k < MODELS; k++) {
        begin(12, &both);
        add(&both, 3, 1, 0x554);
        add(&both, 2, 0, 0xaa8);
        begin(6, &one);
        add(&one, 3, 0, 0x3e);
        uint64_t together = end_of(&both, models[k], &bound);
        assert_int_equal(together, end_of(&one, models[k], &bound));
        schedule_free(&both);
        schedule_free(&one);
    }
}

/* For more nodes than matchings are computed for, each packet is sent once, and the end is close to
 * the bound. */
static void many_nodes(void **state)
{
    (void)state;
    struct rng rng = {3};
    struct schedule demands;
    struct err err = {0};
    uint64_t bound;
    begin(150, &demands);
    for (uint32_t k = 0; k < 60; k++) {
        uint32_t wanted[150], count = 0, source = rng_below(&rng, 150);
        for (uint32_t node = 0; node < 150; node++)
            if (node != source && rng_below(&rng, 4) == 0)
                wanted[count++] = node;
        support_true(schedule_add_demand(&demands, 1, source, wanted, count, &err), &err);
    }
    for (unsigned k = 0; k < MODELS; k++) {
        uint64_t end = end_of(&demands, models[k], &bound);
        print_message("%s: %u, bound %u\n", model_name(models[k]), (unsigned)end, (unsigned)bound);
        assert_true(end <= 2 * bound);
    }
    schedule_free(&demands);
}

/* Two flows of many packets meet at a node: rounds do not examine all packets. In the telegraph
 * model each of these packets takes a separate round of that node. */
static void many_packets(void **state)
{
    (void)state;
    uint64_t bound;
    static const uint32_t wanted[] = {1u << 2, 1u << 1 | 1u << 2};
    for (unsigned which = 0; which < 2; which++) {
        struct schedule demands;
        begin(4, &demands);
        add(&demands, 30000, 0, wanted[which]);
        add(&demands, 30000, 2, 1u << 3);
        assert_int_equal(end_of(&demands, MODEL_TELEGRAPH, &bound), 60000);
        assert_int_equal(bound, 60000);
        schedule_free(&demands);
    }
}

/* A bundle is examined after one of its packets was sent, and only a limited number of bundles is
 * open; without bundles all packets are examined. */
static void bundles(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule demands;
    struct needs needs;
    begin(4, &demands);
    add(&demands, 100, 0, 1u << 1 | 1u << 2);
    add(&demands, 50, 0, 1u << 1 | 1u << 2); /* the same bundle */
    add(&demands, 10, 1, 1u << 2);
    support_true(needs_new(&demands, false, false, &needs, &err), &err);
    needs_look(&needs);
    assert_int_equal(needs.look_count, 160);
    needs_free(&needs);
    support_true(needs_new(&demands, false, true, &needs, &err), &err);
    needs_look(&needs);
    assert_true(needs.look_count == 2 && needs.look[0] == 0 && needs.look[1] == 150);
    for (uint32_t p = 0; p < 100; p++) {
        if (p < NEEDS_OPEN)
            needs_send(&needs, p, 1);
        needs_look(&needs);
        uint32_t open = p + 2 < NEEDS_OPEN ? p + 2 : NEEDS_OPEN;
        assert_int_equal(needs.look_count, open + 1);
        assert_int_equal(needs.look[open - 1], open - 1);
    }
    needs_send(&needs, 7, 2); /* all nodes have been sent it */
    needs_look(&needs);
    assert_true(needs.look[7] == 8 && needs.look[NEEDS_OPEN - 1] == NEEDS_OPEN);
    needs_free(&needs);
    schedule_free(&demands);
}

/* A bundle contains packets with the same source and receivers. */
static void different_bundles(void **state)
{
    (void)state;
    struct err err = {0};
    struct schedule demands;
    struct needs needs;
    static const uint32_t set[] = {1u << 1 | 1u << 2, 1u << 1 | 1u << 3, 1u << 1, 0, 0};
    begin(4, &demands);
    for (unsigned which = 0; which < 5; which++)
        add(&demands, 10, 0, set[which]);
    add(&demands, 10, 2, 1u << 1);
    add(&demands, 10, 3, 1u << 1);
    support_true(needs_new(&demands, false, true, &needs, &err), &err);
    needs_look(&needs);
    static const uint32_t first[] = {0, 10, 20, 30, 50, 60};
    assert_int_equal(needs.look_count, 6);
    for (unsigned which = 0; which < 6; which++)
        assert_int_equal(needs.look[which], first[which]);
    needs_free(&needs);
    schedule_free(&demands);
}

/* Packets that only their source wants take no round, although bundles cause them to be
 * examined. */
static void nobody_else(void **state)
{
    (void)state;
    uint64_t bound;
    struct schedule demands;
    begin(4, &demands);
    add(&demands, 30000, 0, 1u << 0);
    add(&demands, 7, 0, 1u << 1 | 1u << 3);
    add(&demands, 5, 2, 1u << 3);
    for (unsigned k = 0; k < MODELS; k++)
        assert_true(end_of(&demands, models[k], &bound) <= 2 * bound);
    schedule_free(&demands);
}

/* The seed determines all random choices. */
static void same_again(void **state)
{
    (void)state;
    struct schedule demands, first, second;
    begin(9, &demands);
    add(&demands, 4, 2, 0x1ff);
    add(&demands, 1, 3, 0x044);
    struct collective asked = asked_of(&demands, MODEL_TELEPHONE);
    support_schedule(support_algorithm("general"), &asked, &first);
    support_schedule(support_algorithm("general"), &asked, &second);
    char *one = support_text(&first), *other = support_text(&second);
    assert_string_equal(one, other);
    free(one);
    free(other);
    schedule_free(&first);
    schedule_free(&second);
    schedule_free(&demands);
}

static void what_is_refused(void **state)
{
    (void)state;
    struct schedule schedule = {0}, demands, tree;
    struct topology topology;
    struct err err = {0};
    const struct algorithm *general = support_algorithm("general");
    struct collective none = {.n = 4, .m = 1};
    assert_false(algorithm_build(general, &none, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "demands: general requires a file");

    begin(4, &demands);
    add(&demands, 1, 0, 0xe);
    struct collective copies = asked_of(&demands, MODEL_FABRIC_MULTICAST);
    assert_false(algorithm_build(general, &copies, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "does not keep the model fabric-multicast");
    const struct control control = {.value = 1, .node_count = 1};
    support_true(schedule_add_control(&demands, &control, 0, (uint32_t[]){1}, 1, &err), &err);
    struct collective controlled = asked_of(&demands, MODEL_SEND_RECEIVE);
    assert_false(algorithm_build(general, &controlled, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "control");
    schedule_free(&demands);

    support_true(topology_parse_tree("2,2", "const", &topology, &err), &err);
    support_true(schedule_init(&tree, "t",
                               &(struct collective){.topology = &topology,
                                                    .kind = COLLECTIVE_BROADCAST,
                                                    .m = 1,
                                                    .model = MODEL_SINGLE_PORT},
                               &err),
                 &err);
    struct collective leaves = asked_of(&tree, MODEL_SEND_RECEIVE);
    assert_false(algorithm_build(general, &leaves, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "the model send-receive is of a complete graph",
                  "expected one of a tree");
    leaves.topology = NULL;
    assert_false(algorithm_build(general, &leaves, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "demands of another topology");
    leaves.topology = &tree.topology;
    leaves.model = MODEL_MULTIPORT;
    leaves.exact = true;
    assert_false(algorithm_build(general, &leaves, &schedule, &err));
    support_error(&err, ERR_ALGORITHM, "exact: cannot solve for a tree, hypercube, torus or mesh");
    schedule_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_demand),
        cmocka_unit_test(no_later_than_known),
        cmocka_unit_test(no_later_in_networks),
        cmocka_unit_test(any_demands_in_networks),
        cmocka_unit_test(uneven_all_gather),
        cmocka_unit_test(groups_side_by_side),
        cmocka_unit_test(many_nodes),
        cmocka_unit_test(same_again),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(many_packets),
        cmocka_unit_test(bundles),
        cmocka_unit_test(different_bundles),
        cmocka_unit_test(nobody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
