#include "bound.h"

#include "postal.h"

static unsigned floor_log2(uint32_t n)
{
    return 31 - (unsigned)__builtin_clz(n);
}

static unsigned ceil_log2(uint32_t n)
{
    return n == 1 ? 0 : floor_log2(n - 1) + 1;
}

/* The last packet leaves the source in round m at the earliest, and then needs ⌈log2 n⌉ rounds, its
 * first among them. Theorems 1 and 5. */
static uint64_t last_packet(uint32_t n, uint32_t m)
{
    return (uint64_t)m - 1 + ceil_log2(n);
}

/* Theorem 2 counts useful sends: n - 1 nodes must receive m packets each. For odd n
 *
 *     rounds 1 … L = ⌈log2 n⌉    at most 2^(i-1) in round i, and no more than n - 2
 *     the a others in which the source introduces a packet, at least max(0, m - L)
 *                                at most n - 2: the source's partner has nothing to give to it, and one
 *                                node has no partner
 *     all further rounds         at most n - 1
 *
 * The paper has 2^(i-1) alone for round L and m - L for a; with n - 2 and 0 as limits the count is
 * sharper by at most one, for n = 2^k + 1. The bound is never below that of the last packet. */
static uint64_t telephone_odd(uint32_t n, uint32_t m)
{
    unsigned l = ceil_log2(n);
    uint64_t a = m > l ? m - l : 0, useful = a * (n - 2);
    for (unsigned round = 0; round < l; round++)
        useful += UINT64_C(1) << round < n - 2 ? UINT64_C(1) << round : n - 2;
    uint64_t needed = (uint64_t)m * (n - 1), rest = needed > useful ? needed - useful : 0;
    uint64_t counted = l + a + (rest + n - 2) / (n - 1);
    uint64_t floor = last_packet(n, m);
    return counted > floor ? counted : floor;
}

/* The paper prints 2^⌈log2 n⌉ for even n, which is less than one packet takes at n = 6; with the floor
 * the formula equals exhaustive search for n ≤ 8 and small m. */
static uint64_t telegraph(uint32_t n, uint32_t m)
{
    unsigned log = floor_log2(n);
    if (n % 2 != 0)
        return 2 * (uint64_t)m - 1 + log;
    return 2 * (uint64_t)m + log - ((uint64_t)m - 1 + (UINT64_C(1) << log)) / (n / 2);
}

/* The last packet leaves the source at m - 1 at the earliest. Without memory for f_λ: one transfer must follow. */
static uint64_t postal(struct rational lambda, uint32_t n, uint32_t m)
{
    struct postal table;
    uint64_t last = ((uint64_t)m - 1) * lambda.denominator;
    if (!postal_init(&table, lambda.numerator, lambda.denominator, n, NULL))
        return last + lambda.numerator;
    uint64_t end = last + table.index;
    postal_free(&table);
    return end;
}

uint64_t bound_end(const struct collective *collective)
{
    uint32_t n = collective->n, m = collective->m;
    if (n == 1)
        return 0;
    switch (collective->model) {
    case MODEL_TELEPHONE:
        return n % 2 == 0 ? last_packet(n, m) : telephone_odd(n, m);
    case MODEL_TELEGRAPH:
        return telegraph(n, m);
    case MODEL_POSTAL:
        return postal(collective->lambda, n, m);
    case MODEL_SEND_RECEIVE:
    case MODEL_COUNT:
        break;
    }
    return last_packet(n, m);
}

uint64_t bound_of_schedule(const struct schedule *schedule)
{
    const struct collective collective = {
        .n = schedule->nodes, .m = schedule->packets, .model = schedule->model, .lambda = schedule->lambda};
    return bound_end(&collective);
}
