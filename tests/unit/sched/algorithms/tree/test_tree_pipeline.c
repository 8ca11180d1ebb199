/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_pipeline: many packets that follow one another in a tree: broadcast, reduce and
 * all-reduce.
 *
 * State space. Exhaustive: trees of 1 … 3 levels of 2 or 3 children, with 1 lane, 2 lanes and lanes
 * that widen towards the root, both models, m = 1 … 9, the source at the first and at the last
 * leaf. Each schedule is verified; its end is compared with the path between the furthest leaves, h
 * links up and h down, and ⌈m/c⌉ - 1 further rounds; the bound is equal to that end in the
 * multiport model, and for a reduce also in the single-port model. A schedule that meets its bound
 * shows that both are right: the bound is not too large, the schedule not too long. In the
 * single-port model one packet of an all-reduce takes the levels up and the children down. Trees
 * given by parents: the all-reduce takes twice the radius, which is found by a search of all pairs
 * of nodes.
 *
 * Counter-cases: a transfer of a partial result is left out, in each round, and the verifier names
 * the result that lacks a contribution; several packets in the single-port model, with half-duplex
 * links and in a tree given by parents are rejected, as is a source of an all-reduce.
 */
#include "sched/bound/bound.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

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

/* Checks a schedule for each m that the model accepts. Returns their number. */
static unsigned check_tree(const struct topology *tree, unsigned kind, bool single)
{
    const struct algorithm *algorithm = support_algorithm(names[kind]);
    uint32_t lanes = UINT32_MAX, children = 0, count = 0;
    for (unsigned level = 1; level <= tree->height; level++) {
        lanes = tree->capacity[level] < lanes ? tree->capacity[level] : lanes;
        children += tree->children[level];
    }
    for (uint32_t m = 1; m <= MOST_PACKETS; m++)
        for (unsigned last = 0; last < (kind == ALL_REDUCE ? 1 : 2); last++) {
            struct collective asked = collective_of(kind, tree, m, single);
            struct schedule schedule = {0};
            struct err err = {0};
            asked.source = last ? tree->nodes - 1 : 0;
            if (single && m > 1 && kind != REDUCE) {
                assert_false(algorithm_check(algorithm, &asked, &err));
                support_error(&err, ERR_ALGORITHM, "leave a router one by one");
                continue;
            }
            const uint64_t path = 2 * (uint64_t)tree->height;
            const uint64_t later = single ? m - 1 : (m + lanes - 1) / lanes - 1;
            uint64_t expected = path + later;
            if (single && kind == BROADCAST)
                expected = tree->height - UINT64_C(1) + children;
            if (single && kind == ALL_REDUCE)
                expected = tree->height + (uint64_t)children;
            support_schedule(algorithm, &asked, &schedule);
            support_true(verify(&schedule, &err), &err);
            assert_int_equal(schedule.end, expected);
            assert_int_equal(algorithm_end(algorithm, &asked), expected);
            assert_int_equal(bound_end(&asked), single && kind == ALL_REDUCE ? path : expected);
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
    unsigned count = 0;
    for (unsigned which = 0; which < sizeof shapes / sizeof *shapes; which++)
        for (unsigned lanes = 1; lanes <= 2; lanes++)
            for (unsigned kind = 0; kind < KINDS; kind++)
                for (unsigned single = 0; single <= 1; single++) {
                    struct topology tree;
                    struct err err = {0};
                    support_true(
                        topology_parse_tree(shapes[which][0], shapes[which][lanes], &tree, &err),
                        &err);
                    count += check_tree(&tree, kind, single);
                }
    print_message("%u schedules\n", count);
    assert_int_equal(count, 16 * (45 + 21));
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
        for (unsigned single = 0; single <= 1; single++) {
            struct topology tree;
            struct schedule schedule = {0};
            struct err err = {0};
            support_true(topology_parse_parents(cases[which].text, "const", &tree, &err), &err);
            struct collective asked = collective_of(ALL_REDUCE, &tree, 1, single);
            support_schedule(support_algorithm(names[ALL_REDUCE]), &asked, &schedule);
            support_true(verify(&schedule, &err), &err);
            const uint32_t radius =
                radius_of(cases[which].parent, cases[which].all, cases[which].leaves);
            assert_true(single ? schedule.end > 2 * radius : schedule.end == 2 * radius);
            schedule_free(&schedule);
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

static void what_is_rejected(void **state)
{
    (void)state;
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "1,1", &tree, &err), &err);
    tree.half_duplex = true;
    struct collective asked = collective_of(ALL_REDUCE, &tree, 2, false);
    assert_false(algorithm_check(support_algorithm(names[ALL_REDUCE]), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "2 with", "results return after all partial results");
    asked.m = 1;
    err = (struct err){0};
    support_true(algorithm_check(support_algorithm(names[ALL_REDUCE]), &asked, &err), &err);
    asked.source = 1;
    assert_false(algorithm_check(support_algorithm(names[ALL_REDUCE]), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "has no source, 1 is given");
    err = (struct err){0};
    support_true(topology_parse_parents("3,3,4,4", "const", &tree, &err), &err);
    asked = collective_of(BROADCAST, &tree, 2, false);
    assert_false(algorithm_check(support_algorithm(names[BROADCAST]), &asked, &err));
    support_error(&err, ERR_ALGORITHM, "expected 1 packet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tree),
        cmocka_unit_test(trees_of_parents),
        cmocka_unit_test(each_transfer_is_needed),
        cmocka_unit_test(what_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
