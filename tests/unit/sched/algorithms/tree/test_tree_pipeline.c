/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_pipeline: many packets that follow one another in a tree: broadcast, reduce and
 * all-reduce.
 *
 * State space. Exhaustive: trees of 1 … 3 levels of 2 or 3 children, with 1 lane, 2 lanes and lanes
 * that widen towards the root, both models, both kinds of links, m = 1 … 9, each leaf and router as
 * the source. Each schedule is verified; its end is compared with the path between the furthest
 * leaves, h links up and h down, and with the further packets: ⌈m/c⌉ - 1 rounds in the multiport
 * model, and in the single-port model m - 1 times the most copies that a node sends, counted in the
 * schedule of one packet. A schedule that meets its bound shows that both are right: the bound is
 * not too large, the schedule not too long. It is met by all but a broadcast from a router between
 * the leaves and the root, and an all-reduce of several packets in the single-port model.
 *
 * There, and in trees given by parents, a search of all states of small trees finds the fewest
 * rounds: the bound is never larger, and the schedule never shorter. A node sends all contributions
 * that it holds, which may be counted twice, so that the search finds no more than the optimum.
 *
 * Counter-cases: a transfer of a partial result is left out, in each round, and the verifier names
 * the result that lacks a contribution; a packet that follows a round too early is rejected; a
 * source of an all-reduce is rejected.
 */
#include "sched/algorithms/tree/tree_pipeline.h"
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PACKETS 9

static const char *const names[] = {"tree-broadcast", "tree-reduce", "tree-all-reduce"};
enum { BROADCAST, REDUCE, ALL_REDUCE, KINDS };

static struct collective collective_of(unsigned kind, const struct topology *tree, uint32_t m,
                                       bool single)
{
    struct collective collective = {.n = tree->nodes,
                                    .m = m,
                                    .model = single ? MODEL_SINGLE_PORT : MODEL_MULTIPORT,
                                    .kind = support_algorithm(names[kind])->kind,
                                    .lambda = {1, 1},
                                    .topology = tree};
    if (kind == REDUCE)
        collective.by = support_algorithm(names[BROADCAST]);
    return collective;
}

static bool verify(const struct schedule *schedule, struct err *err)
{
    struct verify_report report;
    return verify_schedule("it", schedule, &report, err);
}

/* Returns the most transfers of one node. */
static uint64_t most_sends(const struct schedule *schedule)
{
    uint64_t sends[32] = {0}, most = 0;
    assert_true(schedule->topology.all <= 32);
    for (size_t i = 0; i < schedule->transfer_count; i++) {
        const uint64_t count = ++sends[schedule->transfer[i].source];
        most = count > most ? count : most;
    }
    return most;
}

/* Returns the end that the schedule of m packets must have, from the broadcast of one packet. */
static uint64_t expected_end(const struct collective *asked, unsigned kind, uint64_t lanes)
{
    const uint64_t h = asked->topology->height, m = asked->m;
    const bool single = asked->model == MODEL_SINGLE_PORT;
    const uint64_t groups = single ? m : (m + lanes - 1) / lanes;
    struct collective one = *asked;
    struct schedule first = {0};
    if (kind == REDUCE)
        return 2 * h + groups - 1;
    one.m = 1;
    one.kind = COLLECTIVE_BROADCAST;
    if (kind == ALL_REDUCE)
        one.source = asked->topology->all - 1;
    support_schedule(support_algorithm(names[BROADCAST]), &one, &first);
    const uint64_t down = first.end + (groups - 1) * (single ? most_sends(&first) : 1);
    schedule_free(&first);
    if (kind == BROADCAST)
        return down;
    if (asked->topology->half_duplex)
        return h + (groups - 1) + down;
    return h + (single && h > 1 && m > 2 ? m - 2 : 0) + down;
}

/* Returns whether the schedule of a collective has as many rounds as its bound. */
static bool is_optimal(const struct collective *asked, unsigned kind)
{
    const struct topology *tree = asked->topology;
    const bool single = asked->model == MODEL_SINGLE_PORT;
    const bool inside = asked->source >= tree->nodes && asked->source + 1 < tree->all;
    if (kind == BROADCAST)
        return !single || !inside || asked->m == 1;
    if (kind == ALL_REDUCE && single)
        return asked->m == 1 || (tree->height == 1 && !tree->half_duplex);
    /* a half-duplex branch with several lanes is used in one direction at a time */
    return kind == REDUCE || !tree->half_duplex || asked->m == 1 ||
           tree->capacity[tree->height] == 1;
}

/* Checks a schedule for each m and source. Returns their number. */
static unsigned check_tree(const struct topology *tree, unsigned kind, bool single)
{
    const struct algorithm *algorithm = support_algorithm(names[kind]);
    const uint32_t sources[] = {tree->all, tree->nodes, 1};
    uint32_t lanes = UINT32_MAX, count = 0;
    for (unsigned level = 1; level <= tree->height; level++)
        lanes = tree->capacity[level] < lanes ? tree->capacity[level] : lanes;
    for (uint32_t m = 1; m <= MOST_PACKETS; m++)
        for (uint32_t source = 0; source < sources[kind]; source++) {
            struct collective asked = collective_of(kind, tree, m, single);
            struct schedule schedule = {0};
            struct err err = {0};
            asked.source = source;
            const uint64_t expected = expected_end(&asked, kind, lanes), bound = bound_end(&asked);
            support_schedule(algorithm, &asked, &schedule);
            support_true(verify(&schedule, &err), &err);
            assert_int_equal(schedule.end, expected);
            assert_int_equal(algorithm_end(algorithm, &asked), expected);
            assert_true(is_optimal(&asked, kind) ? bound == expected : bound <= expected);
            schedule_free(&schedule);
            count++;
        }
    return count;
}

static void each_tree(void **state)
{
    (void)state;
    static const char *const shapes[][3] = {{"2", "1", "2"},
                                            {"3", "1", "2"},
                                            {"2,2", "1,1", "1,3"},
                                            {"3,2", "2,2", "2,3"},
                                            {"2,3", "1,2", "3,2"},
                                            {"2,2,2", "1,1,1", "2,2,2"},
                                            {"3,2,2", "1,2,4", "3,2,4"},
                                            {"2,3,3", "1,1,1", "2,4,8"}};
    unsigned count = 0, expected = 0;
    for (unsigned which = 0; which < sizeof shapes / sizeof *shapes; which++)
        for (unsigned lanes = 1; lanes <= 2; lanes++)
            for (unsigned kind = 0; kind < KINDS; kind++)
                for (unsigned form = 0; form < 4; form++) {
                    struct topology tree;
                    struct err err = {0};
                    support_true(
                        topology_parse_tree(shapes[which][0], shapes[which][lanes], &tree, &err),
                        &err);
                    tree.half_duplex = form >= 2;
                    count += check_tree(&tree, kind, form % 2);
                    expected += MOST_PACKETS * (kind == BROADCAST ? tree.all
                                                : kind == REDUCE  ? tree.nodes
                                                                  : 1);
                }
    print_message("%u schedules\n", count);
    assert_int_equal(count, expected);
}

/* -- A search of all states -------------------------------------------------------------------- */

#define STATES (1u << 22)

/* What each node holds of each packet: the contributions of the leaves, or one bit of a broadcast.
 * A set of states, and those of a round. */
struct search {
    uint32_t all, leaves, m, width;
    const uint32_t *parent;
    uint64_t *seen, *now, *next;
    size_t now_count, next_count;
};

static uint64_t held(const struct search *search, uint64_t state, uint32_t p, uint32_t node)
{
    return state >> ((p * search->all + node) * search->width) &
           ((UINT64_C(1) << search->width) - 1);
}

static void reach(struct search *search, uint64_t state)
{
    size_t place = (size_t)((state * UINT64_C(0x9E3779B97F4A7C15)) >> 42);
    while (search->seen[place] != 0 && search->seen[place] != state)
        place = (place + 1) % STATES;
    if (search->seen[place] == state)
        return;
    search->seen[place] = state;
    assert_true(search->next_count < STATES / 2);
    search->next[search->next_count++] = state;
}

/* Lets each node from `node` on send one packet on one link, in every useful way. */
static void choose(struct search *search, uint64_t before, uint32_t node, uint64_t after)
{
    bool useful = false;
    if (node == search->all) {
        reach(search, after);
        return;
    }
    for (uint32_t p = 0; p < search->m; p++)
        for (uint32_t to = 0; to < search->all; to++) {
            const bool joined = search->parent[node] == to || search->parent[to] == node;
            const uint64_t more = held(search, before, p, node);
            if (!joined || (more & ~held(search, before, p, to)) == 0)
                continue;
            useful = true;
            choose(search, before, node + 1,
                   after | more << ((p * search->all + to) * search->width));
        }
    if (!useful)
        choose(search, before, node + 1, after);
}

static bool is_complete(const struct search *search, uint64_t state)
{
    for (uint32_t p = 0; p < search->m; p++)
        for (uint32_t leaf = 0; leaf < search->leaves; leaf++)
            if (held(search, state, p, leaf) != (UINT64_C(1) << search->width) - 1)
                return false;
    return true;
}

/* Returns the fewest rounds of a broadcast from `source`, or of an all-reduce, in the single-port
 * model. */
static uint64_t fewest_rounds(struct search *search, unsigned kind, uint32_t source)
{
    uint64_t start = 0, rounds = 0;
    search->width = kind == BROADCAST ? 1 : search->leaves;
    assert_true(search->m * search->all * search->width <= 64);
    for (uint32_t p = 0; p < search->m; p++)
        for (uint32_t leaf = 0; leaf < search->leaves; leaf++)
            if (kind != BROADCAST)
                start |= UINT64_C(1) << ((p * search->all + leaf) * search->width + leaf);
    for (uint32_t p = 0; p < search->m; p++)
        if (kind == BROADCAST)
            start |= UINT64_C(1) << (p * search->all + source);
    memset(search->seen, 0, STATES * sizeof *search->seen);
    search->now_count = search->next_count = 0;
    reach(search, start);
    for (;; rounds++) {
        uint64_t *swap = search->now;
        search->now = search->next;
        search->next = swap;
        search->now_count = search->next_count;
        search->next_count = 0;
        assert_true(search->now_count > 0);
        for (size_t which = 0; which < search->now_count; which++)
            if (is_complete(search, search->now[which]))
                return rounds;
        for (size_t which = 0; which < search->now_count; which++)
            choose(search, search->now[which], 0, search->now[which]);
    }
}

static void fewest_rounds_of_small_trees(void **state)
{
    (void)state;
    static const struct {
        const char *levels, *parents; /* levels: NULL if it has none */
        uint32_t all, leaves, most[2], parent[10];
    } cases[] = {
        {"2", "2,2", 3, 2, {5, 5}, {2, 2, 10}},
        {"3", "3,3,3", 4, 3, {4, 3}, {3, 3, 3, 10}},
        {"4", "4,4,4,4", 5, 4, {3, 2}, {4, 4, 4, 4, 10}},
        {"2,2", "4,4,5,5,6,6", 7, 4, {3, 1}, {4, 4, 5, 5, 6, 6, 10}},
        {"2,3", "6,6,7,7,8,8,9,9,9", 10, 6, {2, 1}, {6, 6, 7, 7, 8, 8, 9, 9, 9, 10}},
        {"3,2", "6,6,6,7,7,7,8,8", 9, 6, {2, 1}, {6, 6, 6, 7, 7, 7, 8, 8, 10}},
        {NULL, "3,3,4,4", 5, 3, {4, 2}, {3, 3, 4, 4, 10}},
        {NULL, "3,4,4,5,5", 6, 3, {3, 2}, {3, 4, 4, 5, 5, 10}},
        {NULL, "4,4,5,6,5,6", 7, 4, {3, 1}, {4, 4, 5, 6, 5, 6, 10}},
        {NULL, "3,5,4,4,5", 6, 3, {3, 2}, {3, 5, 4, 4, 5, 10}},
    };
    struct search search = {.seen = calloc(STATES, sizeof *search.seen),
                            .now = calloc(STATES, sizeof *search.now),
                            .next = calloc(STATES, sizeof *search.next)};
    unsigned optimal = 0, searches = 0;
    assert_true(search.seen != NULL && search.now != NULL && search.next != NULL);
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++)
        for (unsigned broadcast = 0; broadcast < 2; broadcast++)
            for (uint32_t m = 1; m <= cases[which].most[!broadcast]; m++)
                for (uint32_t source = 0; source < (broadcast ? cases[which].all : 1); source++) {
                    const unsigned kind = broadcast ? BROADCAST : ALL_REDUCE;
                    struct topology tree;
                    struct err err = {0};
                    support_true(
                        cases[which].levels != NULL
                            ? topology_parse_tree(cases[which].levels, "const", &tree, &err)
                            : topology_parse_parents(cases[which].parents, "const", &tree, &err),
                        &err);
                    struct collective asked = collective_of(kind, &tree, m, true);
                    asked.source = source;
                    search.all = cases[which].all;
                    search.leaves = cases[which].leaves;
                    search.parent = cases[which].parent;
                    search.m = m;
                    const uint64_t fewest = fewest_rounds(&search, kind, source),
                                   end = algorithm_end(support_algorithm(names[kind]), &asked);
                    if (bound_end(&asked) > fewest || end < fewest)
                        fail_msg("%s %s, m = %u, source %u: bound %llu, fewest %llu, end %llu",
                                 names[kind], cases[which].parents, m, source,
                                 (unsigned long long)bound_end(&asked), (unsigned long long)fewest,
                                 (unsigned long long)end);
                    optimal += end == fewest;
                    searches++;
                }
    print_message("%u of %u are optimal\n", optimal, searches);
    free(search.seen);
    free(search.now);
    free(search.next);
}

/* Bounds of an all-reduce in a tree whose root, 7, has a leaf, 0, and three routers with a leaf
 * each. It sends m packets to 4 neighbours, the first in step 2, when it has the contribution
 * of leaf 0, and the last may be for that leaf: 1 + 4m steps. Half-duplex branches between routers
 * carry 2m packets in steps 2 … 2m + 1, and the last one has a step to go: 2m + 2 steps. */
static void bounds_by_hand(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_parents("7,4,5,6,7,7,7", "const", &tree, &err), &err);
    for (uint32_t m = 1; m <= 3; m++) {
        struct collective asked = collective_of(ALL_REDUCE, &tree, m, true);
        tree.half_duplex = false;
        assert_int_equal(bound_end(&asked), 1 + 4 * m);
        tree.half_duplex = true;
        asked.model = MODEL_MULTIPORT;
        assert_int_equal(bound_end(&asked), 2 * m + 2);
    }
}

/* Returns the smallest distance from a node to all leaves, from the list of parents. */
static uint32_t radius_of(const uint32_t parent[], uint32_t all, uint32_t leaves)
{
    uint32_t distance[16][16], least = all;
    for (uint32_t a = 0; a < all; a++)
        for (uint32_t b = 0; b < all; b++)
            distance[a][b] = a == b ? 0 : parent[a] == b || parent[b] == a ? 1 : all;
    for (uint32_t by = 0; by < all; by++)
        for (uint32_t a = 0; a < all; a++)
            for (uint32_t b = 0; b < all; b++)
                if (distance[a][by] + distance[by][b] < distance[a][b])
                    distance[a][b] = distance[a][by] + distance[by][b];
    for (uint32_t a = leaves; a < all; a++) {
        uint32_t most = 0;
        for (uint32_t leaf = 0; leaf < leaves; leaf++)
            most = distance[a][leaf] > most ? distance[a][leaf] : most;
        least = most < least ? most : least;
    }
    return least;
}

/* Checks the schedules of each m in a tree that is given by parents. In the multiport model each
 * packet follows a round after the one before it, and broadcasts and reductions are optimal. */
static void check_packets(const struct topology *tree, unsigned kind, bool single)
{
    const struct algorithm *algorithm = support_algorithm(names[kind]);
    uint64_t one = 0;
    for (uint32_t m = 1; m <= 4; m++) {
        struct collective asked = collective_of(kind, tree, m, single);
        struct schedule schedule = {0};
        struct err err = {0};
        support_schedule(algorithm, &asked, &schedule);
        support_true(verify(&schedule, &err), &err);
        assert_int_equal(algorithm_end(algorithm, &asked), schedule.end);
        assert_true(bound_end(&asked) <= schedule.end);
        one = m == 1 ? schedule.end : one;
        if (!single && (kind != ALL_REDUCE || !tree->half_duplex))
            assert_int_equal(schedule.end, one + m - 1);
        if (!single && kind != ALL_REDUCE)
            assert_int_equal(schedule.end, bound_end(&asked));
        schedule_free(&schedule);
    }
}

static void trees_of_parents(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t all, leaves, parent[16];
    } cases[] = {{"3,3,4,4", 5, 3, {3, 3, 4, 4, UINT32_MAX}},
                 {"4,4,5,6,5,6", 7, 4, {4, 4, 5, 6, 5, 6, UINT32_MAX}},
                 {"4,4,7,7,5,6,7", 8, 4, {4, 4, 7, 7, 5, 6, 7, UINT32_MAX}}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++)
        for (unsigned form = 0; form < 4; form++) {
            const bool single = form % 2;
            struct topology tree;
            struct err err = {0};
            support_true(topology_parse_parents(cases[which].text, "const", &tree, &err), &err);
            tree.half_duplex = form >= 2;
            for (unsigned kind = 0; kind < KINDS; kind++)
                check_packets(&tree, kind, single);
            struct collective asked = collective_of(ALL_REDUCE, &tree, 1, single);
            const uint64_t end = algorithm_end(support_algorithm(names[ALL_REDUCE]), &asked);
            const uint32_t radius =
                radius_of(cases[which].parent, cases[which].all, cases[which].leaves);
            assert_true(single ? end > 2 * radius : end == 2 * radius);
        }
}

/* Removes transfer `index` from a schedule. */
static void leave_out(struct schedule *schedule, size_t index)
{
    const size_t after = schedule->transfer_count - index - 1;
    memmove(&schedule->transfer[index], &schedule->transfer[index + 1],
            after * sizeof *schedule->transfer);
    memmove(&schedule->lane[index], &schedule->lane[index + 1], after * sizeof *schedule->lane);
    if (index < schedule->combining_count)
        memmove(&schedule->combining[index], &schedule->combining[index + 1],
                (schedule->combining_count - index - 1) * sizeof *schedule->combining);
    schedule->combining_count -= index < schedule->combining_count;
    schedule->transfer_count--;
    for (size_t k = 0; k < schedule->step_count; k++)
        schedule->step[k].first -= schedule->step[k].first > index;
}

static void each_transfer_is_needed(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    size_t count = 1;
    support_true(topology_parse_tree("2,3", "1,1", &tree, &err), &err);
    const struct collective asked = collective_of(ALL_REDUCE, &tree, 3, false);
    for (size_t index = 0; index < count; index++) {
        struct schedule schedule = {0};
        support_schedule(support_algorithm(names[ALL_REDUCE]), &asked, &schedule);
        count = schedule.transfer_count;
        leave_out(&schedule, index);
        assert_false(verify(&schedule, &err));
        schedule_free(&schedule);
    }
    /* each packet crosses each of 6 + 3 branches up and down */
    assert_int_equal(count, 3 * 2 * 9);
}

/* A packet that follows the one before it a round too early finds a node that still sends. */
static void what_follows_too_early(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    struct schedule schedule = {0};
    support_true(topology_parse_tree("3,2", "1,1", &tree, &err), &err);
    const struct collective asked = collective_of(BROADCAST, &tree, 2, true);
    support_schedule(support_algorithm(names[BROADCAST]), &asked, &schedule);
    support_true(verify(&schedule, &err), &err);
    /* the second packet starts in round 4, because a router sends three copies of the first */
    const struct transfer *starts = NULL;
    for (size_t k = 0; k < schedule.step_count; k++)
        for (size_t t = schedule.step[k].first; t < schedule_step_end(&schedule, k); t++)
            if (schedule.transfer[t].packet == 2 && starts == NULL) {
                starts = &schedule.transfer[t];
                assert_int_equal(schedule.step[k].time, 4);
            }
    assert_non_null(starts);
    struct collective one = asked;
    struct schedule first = {0}, wrong = {0};
    one.m = 1;
    support_schedule(support_algorithm(names[BROADCAST]), &one, &first);
    support_true(schedule_init(&wrong, "tree-broadcast", &asked, &err), &err);
    const struct tree_wave wave = {.broadcast = &first, .interval = 2};
    support_true(tree_pipeline_append(&asked, &wave, 1, &wrong, &err), &err);
    assert_false(verify(&wrong, &err));
    schedule_free(&schedule);
    schedule_free(&first);
    schedule_free(&wrong);
}

static void a_source_of_an_all_reduce(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "1,1", &tree, &err), &err);
    struct collective asked = collective_of(ALL_REDUCE, &tree, 2, false);
    support_true(algorithm_check(support_algorithm(names[ALL_REDUCE]), &asked, &err), &err);
    asked.source = 1;
    assert_false(algorithm_check(support_algorithm(names[ALL_REDUCE]), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "has no source, 1 is given");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tree),
        cmocka_unit_test(fewest_rounds_of_small_trees),
        cmocka_unit_test(bounds_by_hand),
        cmocka_unit_test(trees_of_parents),
        cmocka_unit_test(each_transfer_is_needed),
        cmocka_unit_test(what_follows_too_early),
        cmocka_unit_test(a_source_of_an_all_reduce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
