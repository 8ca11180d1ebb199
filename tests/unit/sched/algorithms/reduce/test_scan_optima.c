/* SPDX-License-Identifier: Apache-2.0 */
/* test_scan_optima: the fewest rounds of a scan among few nodes, by exhaustive search.
 *
 * State space: all schedules in send-receive, up to the order of transfers in a round. The search
 * allows more than the format of schedules: a node keeps every interval of contributions that it
 * receives or composes, and sends any one of them. It omits only receipts of what a node has, and
 * states from which a node needs more receipts than there are rounds. The table of
 * docs/algorithms/reduce.md is what the search finds; no bound may be above it, and no algorithm
 * below it. Counter-case: the search finds no schedule if node 0 may not send.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 5, PACKETS = 4 };

/* Interval a … b has the bit a * NODES + b; has[node][packet] is a set of intervals, which has the
 * composition of each two adjacent ones. */
struct state {
    uint32_t has[NODES][PACKETS];
};

struct search {
    int n, m;
    bool exclusive; /* of node x's own contribution */
    bool mute;      /* node 0 may not send */
};

static uint32_t interval(int a, int b)
{
    return UINT32_C(1) << (a * NODES + b);
}

/* Adds an interval and what can be composed of it. */
static uint32_t with(uint32_t has, uint32_t more)
{
    for (uint32_t before = 0; before != has;) {
        before = has;
        has |= more;
        for (int a = 0; a < NODES; a++)
            for (int b = a; b + 1 < NODES; b++)
                for (int c = b + 1; c < NODES; c++)
                    if ((has & interval(a, b)) != 0 && (has & interval(b + 1, c)) != 0)
                        more |= interval(a, c);
        has |= more;
    }
    return has;
}

/* Returns whether a node has the result of a packet. */
static bool has_result(const struct search *search, const struct state *state, int node, int packet)
{
    const int last = node - search->exclusive;
    return last < 0 || (state->has[node][packet] & interval(0, last)) != 0;
}

static int missing(const struct search *search, const struct state *state, int node)
{
    int count = 0;
    for (int packet = 0; packet < search->m; packet++)
        count += !has_result(search, state, node, packet);
    return count;
}

/* Returns whether each node needs at most one receipt for each round that is left. */
static bool is_possible(const struct search *search, const struct state *state, int left)
{
    bool possible = true;
    for (int node = 0; possible && node < search->n; node++)
        possible = missing(search, state, node) <= left;
    return possible;
}

static bool finds(const struct search *search, const struct state *state, int left);

/* Chooses the receipts of nodes `node` … n - 1 in a round; `sent` is the set of nodes that send in
 * it, `old` the state before it, `now` the state after the receipts that are chosen. */
static bool choose(const struct search *search, const struct state *old, struct state *now,
                   int node, unsigned sent, int left)
{
    if (node < 0)
        return finds(search, now, left - 1);
    const int lacks = missing(search, old, node);
    for (int from = 0; from < search->n; from++)
        for (int packet = 0; packet < search->m; packet++) {
            uint32_t *has = &now->has[node][packet];
            const uint32_t before = *has;
            uint32_t news = old->has[from][packet] & ~before;
            if (from == node || (sent >> from & 1) != 0 || (search->mute && from == 0))
                continue;
            for (; news != 0; news &= news - 1) {
                *has = with(before, news & -news);
                if ((lacks < left || missing(search, now, node) < lacks) &&
                    choose(search, old, now, node - 1, sent | 1u << from, left))
                    return true;
            }
            *has = before;
        }
    return lacks < left && choose(search, old, now, node - 1, sent, left);
}

/* Returns whether all nodes can have their results after `left` more rounds. */
static bool finds(const struct search *search, const struct state *state, int left)
{
    if (!is_possible(search, state, left))
        return false;
    if (left == 0 || is_possible(search, state, 0))
        return true;
    struct state now = *state;
    return choose(search, state, &now, search->n - 1, 0, left);
}

static bool finds_in(const struct search *search, int rounds)
{
    struct state state = {{{0}}};
    for (int node = 0; node < search->n; node++)
        for (int packet = 0; packet < search->m; packet++)
            state.has[node][packet] = interval(node, node);
    return finds(search, &state, rounds);
}

/* Returns the fewest rounds among all algorithms. */
static uint64_t best_end(enum collective_kind kind, uint32_t n, uint32_t m, uint64_t *bound)
{
    uint64_t best = UINT64_MAX;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++) {
        struct collective asked = {
            .n = n, .m = m, .model = MODEL_SEND_RECEIVE, .kind = kind, .lambda = {1, 1}};
        if ((*entry)->kind != kind || (*entry)->topology != TOPOLOGY_COMPLETE)
            continue;
        *bound = bound_end(&asked);
        asked = algorithm_choose(*entry, &asked);
        if (algorithm_check(*entry, &asked, NULL) && algorithm_end(*entry, &asked) < best)
            best = algorithm_end(*entry, &asked);
    }
    return best;
}

/* The rounds are those of inclusive and of exclusive scans. */
static const struct optimum {
    uint32_t n, m, rounds;
} optima[] = {
    {2, 1, 1}, {2, 2, 2}, {2, 3, 3}, {2, 4, 4}, {3, 1, 2}, {3, 2, 3}, {3, 3, 4},
    {3, 4, 5}, {4, 1, 2}, {4, 2, 3}, {4, 3, 4}, {5, 1, 3}, {5, 2, 4},
};

static void check(const struct optimum *optimum, bool exclusive)
{
    const uint32_t rounds = optimum->rounds;
    const struct search search = {(int)optimum->n, (int)optimum->m, exclusive, false};
    const struct search mute = {(int)optimum->n, (int)optimum->m, exclusive, true};
    uint64_t bound = 0;
    running("%u nodes, %u packets%s", optimum->n, optimum->m, exclusive ? ", exclusive" : "");
    assert_false(finds_in(&search, (int)rounds - 1));
    assert_true(finds_in(&search, (int)rounds));
    if (optimum->m == 1)
        assert_false(finds_in(&mute, (int)rounds));
    uint64_t best = best_end(exclusive ? COLLECTIVE_EXCLUSIVE_SCAN : COLLECTIVE_SCAN, optimum->n,
                             optimum->m, &bound);
    assert_in_range(rounds, bound, best);
}

static void test_optima(void **state)
{
    (void)state;
    for (unsigned which = 0; which < sizeof optima / sizeof *optima; which++) {
        check(&optima[which], false);
        check(&optima[which], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
