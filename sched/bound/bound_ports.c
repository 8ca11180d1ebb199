/* SPDX-License-Identifier: Apache-2.0 */
/* bound_ports: lower bounds on broadcasts and reductions among nodes of k ports.
 *
 * After T rounds a packet that its source first sends in round t, to x nodes, is at (1 + x)
 * (k+1)^(T - t) nodes at most. With L = ⌈log n / log (k+1)⌉ and x = ⌈n / (k+1)^(L-1)⌉ - 1 the
 * source can introduce
 *
 *     rounds 1 … T - L     k new packets each, over one port of the source each
 *     round T - L + 1      ⌊k/x⌋ packets, over x ports each
 *     later                none: (k+1)^(L-1) < n
 *
 * so m ≤ k (T - L) + ⌊k/x⌋. For example n = 40, k = 2, L = 4, x = 1, m = 12: T = 9.
 *
 * For n = (k+1)^L this is ⌈(m-1)/k⌉ + L. That formula does not hold for all n: two packets reach 4
 * nodes of 2 ports in 2 rounds, not 3.
 *
 * A. Bar-Noy, C.-T. Ho, Broadcasting multiple messages in the multiport model, IEEE TPDS 10, 1999;
 * A. Bar-Noy, J. Bruck, C.-T. Ho, S. Kipnis, B. Schieber, IEEE TPDS 6, 1995. */
#include "sched/base/bits.h"
#include "sched/bound/bound_rows.h"
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

static uint64_t one_packet(const struct collective *collective)
{
    uint64_t before;
    return rounds_of_packet(collective, &before);
}

static uint64_t last_packet(const struct collective *collective)
{
    uint64_t before = 1, m = collective->m, k = collective->ports;
    unsigned rounds = rounds_of_packet(collective, &before);
    uint64_t each = bits_divide_up(collective->n, before) - 1, late = k / each;
    return rounds + (m > late ? bits_divide_up(m - late, k) : 0);
}

static uint64_t transfers(const struct collective *collective)
{
    uint64_t k = collective->ports, most = k * (collective->n - 1), rounds = 0;
    uint64_t rest = (uint64_t)collective->m * (collective->n - 1);
    for (uint64_t sends = k; sends < most && sends < rest; sends *= k + 1) {
        rest -= sends;
        rounds++;
    }
    return rounds + bits_divide_up(rest, most);
}

static uint64_t both_directions(const struct collective *collective)
{
    uint64_t n = collective->n;
    return bits_divide_up(2 * (uint64_t)collective->m * (n - 1), n * collective->ports);
}

static uint64_t calls(const struct collective *collective)
{
    uint64_t n = collective->n, calls = n * collective->ports / 2;
    return bits_divide_up(collective->m * n * (n - 1), 2 * calls);
}

/* F(λ i) is at most (⌈λ⌉ k + 1)^i, because a node sends to ⌈λ⌉ k other nodes in a time of λ. */
static uint64_t without_table(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    uint64_t base = bits_divide_up(lambda.numerator, lambda.denominator) * collective->ports + 1;
    uint64_t ticks = 0;
    for (uint64_t reached = 1; reached < collective->n; reached *= base)
        ticks += lambda.numerator;
    return ticks;
}

static uint64_t postal_one(const struct collective *collective)
{
    struct postal postal;
    if (!postal_init_ports(&postal, collective->lambda.numerator, collective->lambda.denominator,
                           collective->ports, collective->n, NULL))
        return without_table(collective);
    uint64_t index = postal_index(&postal, collective->n);
    postal_free(&postal);
    return index;
}

static uint64_t postal_last(const struct collective *collective)
{
    uint64_t before = collective_over_ports(collective, collective->m) - 1;
    return before * collective->lambda.denominator + postal_one(collective);
}

/* m packets from or to each of the other nodes use the ports of one node. */
static uint64_t each_port(const struct collective *collective)
{
    uint64_t packets = (uint64_t)collective->m * (collective->n - 1);
    return collective_end(collective, collective_over_ports(collective, packets));
}

static bool is_countable(const struct collective *collective)
{
    return collective_packets(collective) <= SCHEDULE_MAX_PACKETS;
}

static uint64_t busiest(const struct collective *collective)
{
    return collective_end(collective, collective_busiest(collective));
}

#define PORT_ROUNDS (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE)

const struct bound bound_ports[] = {
    {"busiest-of-ports", "⌈max over nodes of packets sent, packets received / ports⌉",
     "a node sends and receives one over each port", 1u << MODEL_SEND_RECEIVE, TRAFFIC, NULL,
     busiest, .several_ports = true},
    {"last-packet-of-ports", "min T: m ≤ k(T-L)+⌊k/x⌋, x=⌈n/(k+1)^(L-1)⌉-1, L=⌈log n/log(k+1)⌉",
     "Bar-Noy, Ho 1999, with the ports that a late packet needs", PORT_ROUNDS,
     BROADCAST | REDUCTIONS, NULL, last_packet, .several_ports = true},
    {"useful-transfers-of-ports", "min r: Σ_{i<r} min(k(k+1)^i, k(n-1)) ≥ m(n-1)",
     "counted: at most (k+1)^i nodes have a packet to send", PORT_ROUNDS, BROADCAST | REDUCTIONS,
     NULL, transfers, .several_ports = true},
    {"one-packet-of-ports", "⌈log n/log(k+1)⌉", "Bar-Noy, Bruck, Ho, Kipnis, Schieber 1995",
     PORT_ROUNDS, BROADCAST | REDUCTIONS, NULL, one_packet, .several_ports = true},
    {"last-packet-of-ports", "⌈m/k⌉-1+f(n), f of F(t)=F(t-1)+kF(t-λ)",
     "Bar-Noy, Kipnis, Lemma 8, for k ports", 1u << MODEL_POSTAL, BROADCAST | REDUCTIONS, NULL,
     postal_last, .several_ports = true},
    {"one-packet-of-ports", "f(n), f of F(t)=F(t-1)+kF(t-λ)",
     "Bar-Noy, Kipnis, Lemma 5, for k ports", 1u << MODEL_POSTAL, BROADCAST | REDUCTIONS, NULL,
     postal_one, .several_ports = true},
    {"all-ports", "⌈m(n-1)/k⌉", "a node sends or receives a packet over each port in a round",
     PORT_ROUNDS, SCATTER | GATHER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, each_port,
     .several_ports = true},
    {"all-ports", "⌈m(n-1)/k⌉-1+λ", "a node sends or receives a packet over each port in a unit",
     1u << MODEL_POSTAL, SCATTER | GATHER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER,
     is_countable, each_port, .several_ports = true},
    {"calls-of-ports", "⌈mn(n-1)/2⌊kn/2⌋⌉",
     "mn(n-1) receipts, two in each of ⌊kn/2⌋ calls of a round", 1u << MODEL_TELEPHONE,
     ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, calls, .several_ports = true},
    {"both-ways-of-ports", "⌈2m(n-1)/kn⌉", "a packet takes 2(n-1) transfers, and a round has kn",
     PORT_ROUNDS, ALL_REDUCE, NULL, both_directions, .several_ports = true},
    {0},
};
