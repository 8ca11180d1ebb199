/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_ports.h"

#include "sched/base/bits.h"
#include "sched/numbers/postal.h"

/* Returns L, and (k+1)^(L-1) in *before. */
static unsigned rounds_of_packet(const struct collective *collective, uint64_t *before)
{
    unsigned rounds = 0;
    for (uint64_t reached = 1; reached < collective->n; rounds++) {
        *before = reached;
        reached *= (uint64_t)collective->ports + 1;
    }
    return rounds;
}

uint64_t bound_ports_one_packet(const struct collective *collective)
{
    uint64_t before;
    return rounds_of_packet(collective, &before);
}

uint64_t bound_ports_last_packet(const struct collective *collective)
{
    uint64_t before = 1, m = collective->m, k = collective->ports;
    unsigned rounds = rounds_of_packet(collective, &before);
    uint64_t each = bits_divide_up(collective->n, before) - 1, late = k / each;
    return rounds + (m > late ? bits_divide_up(m - late, k) : 0);
}

uint64_t bound_ports_transfers(const struct collective *collective)
{
    uint64_t k = collective->ports, most = k * (collective->n - 1), rounds = 0;
    uint64_t rest = (uint64_t)collective->m * (collective->n - 1);
    for (uint64_t sends = k; sends < most && sends < rest; sends *= k + 1) {
        rest -= sends;
        rounds++;
    }
    return rounds + bits_divide_up(rest, most);
}

uint64_t bound_ports_both_ways(const struct collective *collective)
{
    uint64_t n = collective->n;
    return bits_divide_up(2 * (uint64_t)collective->m * (n - 1), n * collective->ports);
}

uint64_t bound_ports_calls(const struct collective *collective)
{
    uint64_t n = collective->n, calls = n * collective->ports / 2;
    return bits_divide_up(collective->m * n * (n - 1), 2 * calls);
}

/* F(λ i) is at most (⌈λ⌉ k + 1)^i, as a node sends to ⌈λ⌉ k others in a time of λ. */
static uint64_t without_table(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    uint64_t base = bits_divide_up(lambda.numerator, lambda.denominator) * collective->ports + 1;
    uint64_t ticks = 0;
    for (uint64_t reached = 1; reached < collective->n; reached *= base)
        ticks += lambda.numerator;
    return ticks;
}

uint64_t bound_ports_postal_one(const struct collective *collective)
{
    struct postal postal;
    if (!postal_init_ports(&postal, collective->lambda.numerator, collective->lambda.denominator,
                           collective->ports, collective->n, NULL))
        return without_table(collective);
    uint64_t index = postal_index(&postal, collective->n);
    postal_free(&postal);
    return index;
}

uint64_t bound_ports_postal_last(const struct collective *collective)
{
    uint64_t before = collective_over_ports(collective, collective->m) - 1;
    return before * collective->lambda.denominator + bound_ports_postal_one(collective);
}
