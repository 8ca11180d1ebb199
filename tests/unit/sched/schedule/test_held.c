/* SPDX-License-Identifier: Apache-2.0 */
/* test_held: the set of packets that each node holds, compared with a plain table of pairs.
 *
 * State space: a set of pairs × nodes × packets, as bits or as a hash table. Covered: all pairs of
 * small products, around multiples of 64 bits, in random order; and as many pairs as a table is
 * sized for, drawn from numbers of nodes and packets whose product exceeds any memory: some that
 * collide in the table, some twice, and as many that are not in it. The seed is printed. Large
 * pages: the requests to the kernel are recorded.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/schedule/held.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SEED UINT64_C(20261122)
#define MANY (UINT32_C(1) << 20)
#define DRAWN 1000

/* Frees a set twice: a freed set is empty, so that it may be freed again. */
static void release(struct held *held)
{
    for (unsigned twice = 0; twice < 2; twice++) {
        held_free(held);
        assert_null(held->word);
        assert_int_equal(held->packets + held->hash_bits, 0);
    }
}

/* Adds random pairs, some twice; after each addition all pairs must be as expected. */
static void small_products(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {7, 9}, {8, 8}, {5, 13}, {2, 64}, {43, 3}};
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t nodes = sizes[k][0], packets = sizes[k][1];
        bool has[64][65] = {{false}};
        struct held held;
        struct err err = {0};
        support_true(held_init(&held, nodes, packets, 0, &err), &err);
        assert_int_equal(held.hash_bits, 0);
        for (uint32_t trial = 0; trial < nodes * packets; trial++) {
            const uint32_t node = rng_below(&rng, nodes), packet = 1 + rng_below(&rng, packets);
            assert_int_equal(held_add(&held, node, packet), !has[node][packet]);
            has[node][packet] = true;
            for (uint32_t at = 0; at < nodes * packets; at++)
                assert_int_equal(held_test(&held, at / packets, at % packets + 1),
                                 has[at / packets][at % packets + 1]);
        }
        release(&held);
    }
}

/* The table is at most half full, and not larger than this requires. */
static void large_products(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (size_t most = 1; most <= DRAWN; most += most / 7 + 1) {
        uint64_t pair[DRAWN], known = 0;
        struct held held;
        struct err err = {0};
        support_true(held_init(&held, MANY, MANY, most, &err), &err);
        const uint64_t keys = UINT64_C(1) << held.hash_bits;
        assert_in_range(keys, 2 * most, 4 * most);
        for (size_t k = 0; k < most; k++) {
            const uint32_t node = rng_below(&rng, MANY), packet = 1 + rng_below(&rng, MANY);
            pair[known++] = (uint64_t)node * MANY + packet;
            assert_false(held_test(&held, node, packet));
            assert_true(held_add(&held, node, packet));
            assert_false(held_add(&held, node, packet));
        }
        qsort(pair, known, sizeof *pair, compare_u64);
        for (size_t k = 0; k < known; k++) {
            const uint64_t next = pair[k] + 1;
            const bool there = bsearch(&next, pair, known, sizeof *pair, compare_u64) != NULL;
            assert_true(held_test(&held, (uint32_t)((pair[k] - 1) / MANY),
                                  (uint32_t)((pair[k] - 1) % MANY + 1)));
            assert_int_equal(
                held_test(&held, (uint32_t)((next - 1) / MANY), (uint32_t)((next - 1) % MANY + 1)),
                there);
        }
        release(&held);
    }
}

/* A pair that collides with one in the last place of a table is in the first place. */
static void the_last_place_is_followed_by_the_first(void **state)
{
    (void)state;
    struct held held;
    struct err err = {0};
    support_true(held_init(&held, MANY, MANY, 3, &err), &err);
    const size_t last = ((size_t)1 << held.hash_bits) - 1;
    uint64_t pair = 0, second;
    while (held_place(&held, pair) != last)
        pair++;
    for (second = pair + 1; held_place(&held, second) != last;)
        second++;
    assert_true(held_add(&held, (uint32_t)(pair / MANY), (uint32_t)(pair % MANY) + 1));
    assert_int_equal(held_place(&held, pair), last);
    assert_int_equal(held_place(&held, second), 0);
    release(&held);
}

/* Bits are used as long as they take no more memory than a table that is half full: 2 words of 64
 * bits for each pair to be added. No page of either is touched. */
static void bits_are_kept_where_they_are_few(void **state)
{
    (void)state;
    const uint32_t nodes = 3 << 13, packets = 1 << 17;
    const size_t enough = (size_t)nodes * packets / 128;
    struct held held;
    struct err err = {0};
    for (size_t less = 0; less < 2; less++) {
        support_true(held_init(&held, nodes, packets, enough - less, &err), &err);
        assert_int_equal(held.hash_bits > 0, less);
        release(&held);
    }
}

/* The last request for large pages; this replaces the function of the C library. */
static struct {
    uintptr_t from, to;
    int advice;
} asked;

int madvise(void *address, size_t bytes, int advice)
{
    asked.from = (uintptr_t)address;
    asked.to = asked.from + bytes;
    asked.advice = advice;
    return 0;
}

/* Large pages are requested only if all words may be touched; with fewer pairs than words most
 * pages stay untouched. */
static void large_pages_where_all_is_touched(void **state)
{
    (void)state;
    const uint32_t nodes = 1 << 14, packets = 1 << 15;
    const size_t words = (size_t)nodes * packets / 64 + 1;
    struct held held;
    struct err err = {0};
    for (size_t less = 0; less < 2; less++) {
        asked.advice = -1;
        support_true(held_init(&held, nodes, packets, words - less, &err), &err);
        assert_int_equal(asked.advice, less == 0 ? MADV_HUGEPAGE : -1);
        if (less == 0)
            assert_true(asked.from <= (uintptr_t)held.word &&
                        asked.to == (uintptr_t)(held.word + words));
        release(&held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_products),
                                       cmocka_unit_test(large_products),
                                       cmocka_unit_test(the_last_place_is_followed_by_the_first),
                                       cmocka_unit_test(bits_are_kept_where_they_are_few),
                                       cmocka_unit_test(large_pages_where_all_is_touched)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
