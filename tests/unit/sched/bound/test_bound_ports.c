/* SPDX-License-Identifier: Apache-2.0 */
/* test_bound_ports: the lower bounds for nodes of several ports, compared with the optimum.
 *
 * State space: ports × n × m. Exhaustive: for small n and m the true optimum is found by
 * breadth-first search over what the nodes hold, which tries every set of receipts in every round.
 * The bound may not exceed the optimum, and must equal it for one packet and for n a power of k +
 * 1. The optimum may not exceed the rounds of the algorithm. Sampled: the time of one packet in the
 * postal model, by a simulation in which every node sends as soon as it can.
 */
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NODES 8
#define STATE_BITS 10 /* (n - 1)·m at most */

/* Receipts of a round; by[which] sends receipt `which` of the set. */
struct receipts {
    unsigned n, ports, count;
    unsigned to[STATE_BITS], packet[STATE_BITS];
    int by[STATE_BITS];
    unsigned held[MAX_NODES]; /* packets, a bit each, at the start of the round */
};

/* Finds a sender for a receipt, moving other receipts to other senders if needed. */
static bool find_sender(struct receipts *set, unsigned which, bool tried[MAX_NODES])
{
    for (unsigned node = 0; node < set->n; node++) {
        if (tried[node] || node == set->to[which] || !(set->held[node] >> set->packet[which] & 1))
            continue;
        tried[node] = true;
        unsigned load = 0;
        for (unsigned other = 0; other < set->count; other++)
            load += set->by[other] == (int)node;
        for (unsigned other = 0; load >= set->ports && other < set->count; other++)
            if (set->by[other] == (int)node && find_sender(set, other, tried))
                load--;
        if (load < set->ports) {
            set->by[which] = (int)node;
            return true;
        }
    }
    return false;
}

/* Returns whether one round from `state` can make all receipts of `gained`. */
static bool is_round(unsigned n, unsigned m, unsigned ports, unsigned state, unsigned gained)
{
    struct receipts set = {.n = n, .ports = ports};
    set.held[0] = (1u << m) - 1;
    for (unsigned node = 1; node < n; node++) {
        set.held[node] = state >> (node - 1) * m & ((1u << m) - 1);
        unsigned mine = gained >> (node - 1) * m & ((1u << m) - 1);
        if ((unsigned)__builtin_popcount(mine) > ports)
            return false;
    }
    for (unsigned bit = 0; bit < (n - 1) * m; bit++)
        if (gained >> bit & 1) {
            set.to[set.count] = bit / m + 1;
            set.packet[set.count] = bit % m;
            set.by[set.count++] = -1;
        }
    for (unsigned which = 0; which < set.count; which++) {
        bool tried[MAX_NODES] = {false};
        if (!find_sender(&set, which, tried))
            return false;
    }
    return true;
}

/* Returns the minimum number of rounds in which all nodes get all packets. */
static unsigned optimum(unsigned n, unsigned m, unsigned ports)
{
    unsigned all = (1u << (n - 1) * m) - 1, rounds = 0;
    bool *now = calloc(2 * ((size_t)all + 1), sizeof *now), *next = now + all + 1;
    assert_non_null(now);
    for (now[0] = true; !now[all]; rounds++) {
        memset(next, 0, all + 1);
        for (unsigned state = 0; state <= all; state++) {
            unsigned missing = all & ~state;
            for (unsigned gained = missing; now[state] && gained > 0;
                 gained = (gained - 1) & missing)
                if (!next[state | gained] && is_round(n, m, ports, state, gained))
                    next[state | gained] = true;
        }
        memcpy(now, next, all + 1);
    }
    free(now);
    return rounds;
}

static bool is_power(unsigned n, unsigned of)
{
    while (n % of == 0)
        n /= of;
    return n == 1;
}

static void test_optimum(void **state)
{
    (void)state;
    const struct algorithm *matching = support_algorithm("matching");
    for (unsigned ports = 2; ports <= 4; ports++)
        for (unsigned n = 2; n <= MAX_NODES; n++)
            for (unsigned m = 1; (n - 1) * m <= STATE_BITS; m++) {
                const struct collective asked = {
                    .n = n, .m = m, .ports = ports, .model = MODEL_SEND_RECEIVE};
                unsigned least = optimum(n, m, ports);
                uint64_t end = algorithm_end(matching, &asked), low = bound_end(&asked);
                assert_in_range(low, 1, least);
                assert_in_range(end, least, least + 2);
                if (m == 1 || is_power(n, ports + 1))
                    assert_int_equal(low, least);
            }
}

/* Two packets reach 4 nodes of 2 ports in 2 rounds: ⌈(m-1)/k⌉ + ⌈log n / log (k+1)⌉ is not a lower
 * bound. */
static void test_counter_case(void **state)
{
    (void)state;
    assert_int_equal(optimum(4, 2, 2), 2);
    assert_int_equal(
        bound_end(&(struct collective){.n = 4, .m = 2, .ports = 2, .model = MODEL_SEND_RECEIVE}),
        2);
}

#define MAX_TICKS 200

/* Simulates nodes that hold the packet and send to k new nodes in each unit, as early as possible.
 * Returns the tick at which n nodes hold it. */
static uint64_t simulated(uint32_t n, uint32_t ports, struct rational lambda)
{
    uint64_t arrives[MAX_TICKS + 100] = {1}, sends[MAX_TICKS + 100] = {0}, reached = 0;
    for (uint64_t tick = 0; tick < MAX_TICKS; tick++) {
        reached += arrives[tick];
        if (reached >= n)
            return tick;
        sends[tick] += arrives[tick];
        sends[tick + lambda.denominator] += sends[tick];
        arrives[tick + lambda.numerator] += sends[tick] * ports;
    }
    fail();
    return 0;
}

static void test_postal(void **state)
{
    (void)state;
    static const struct rational lambdas[] = {{1, 1}, {3, 2}, {2, 1}, {7, 3}, {5, 1}, {19, 4}};
    const struct algorithm *bcast = support_algorithm("postal-bcast");
    for (uint32_t ports = 2; ports <= 9; ports++)
        for (size_t which = 0; which < sizeof lambdas / sizeof *lambdas; which++)
            for (uint32_t n = 2; n <= 60; n += n < 20 ? 1 : 7)
                for (uint32_t m = 1; m <= 2 * ports; m++) {
                    const struct collective asked = {.n = n,
                                                     .m = m,
                                                     .ports = ports,
                                                     .model = MODEL_POSTAL,
                                                     .lambda = lambdas[which]};
                    uint64_t one = simulated(n, ports, lambdas[which]);
                    uint64_t before = (m > ports) * (uint64_t)lambdas[which].denominator;
                    assert_int_equal(bound_end(&asked), one + before);
                    if (m <= ports)
                        assert_int_equal(algorithm_end(bcast, &asked),
                                         simulated(n, ports / m, lambdas[which]));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_optimum),
                                       cmocka_unit_test(test_counter_case),
                                       cmocka_unit_test(test_postal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
