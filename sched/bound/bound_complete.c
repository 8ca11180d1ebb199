/* SPDX-License-Identifier: Apache-2.0 */
/* bound_complete: lower bounds for collectives on complete graphs. */
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_rows.h"
#include "sched/numbers/postal.h"

static bool is_odd(const struct collective *collective)
{
    return collective->n % 2 != 0;
}

static bool is_even(const struct collective *collective)
{
    return collective->n % 2 == 0;
}

/* In a round at most as many nodes receive a packet as already have it. */
static uint64_t one_packet(const struct collective *collective)
{
    return bits_log2_up(collective->n);
}

/* The last packet leaves the source in round m or later and needs ⌈log2 n⌉ rounds, that round
 * included. */
static uint64_t last_packet(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + bits_log2_up(collective->n);
}

/* n - 1 nodes must receive m packets each. In round i at most 2^(i-1) nodes have any packet to
 * send, and at most n - 1 nodes, in the telegraph model n/2, can receive a new packet. This equals
 * last_packet for send-receive, and the two formulas for telegraph. */
static uint64_t useful_transfers(const struct collective *collective)
{
    uint64_t rest = (uint64_t)collective->m * (collective->n - 1), rounds = 0;
    uint64_t most =
        model_row(collective->model)->half_duplex ? collective->n / 2 : collective->n - 1;
    for (uint64_t holders = 1; holders < most && holders < rest; holders *= 2) {
        rest -= holders;
        rounds++;
    }
    return rounds + bits_divide_up(rest, most);
}

/* Theorem 2 counts useful sends for odd n:
 *
 *     rounds 1 … L = ⌈log2 n⌉    at most 2^(i-1) in round i
 *     the other rounds in which the source introduces a packet, at least m - L
 *                                at most n - 2: the partner of the source has no new packet for it,
 *                                and one node has no partner
 *     all further rounds         at most n - 1
 */
static uint64_t telephone_printed(const struct collective *collective)
{
    uint64_t n = collective->n, m = collective->m, l = bits_log2_up(collective->n);
    return m + bits_divide_up(m + (n - 2) * l - ((UINT64_C(1) << l) - 1), n - 1);
}

/* Theorem 2 with n - 2 as the limit of round L, which holds because n is odd, and with at least 0
 * for m - L. Sharper by at most one, for n = 2^k + 1. Neither count exceeds last_packet for small
 * m. */
static uint64_t telephone_sharpened(const struct collective *collective)
{
    uint64_t n = collective->n, m = collective->m, l = bits_log2_up(collective->n);
    uint64_t introduced = m > l ? m - l : 0, useful = introduced * (n - 2);
    for (unsigned round = 0; round < l; round++)
        useful += UINT64_C(1) << round < n - 2 ? UINT64_C(1) << round : n - 2;
    uint64_t needed = m * (n - 1), rest = needed > useful ? needed - useful : 0;
    return l + introduced + bits_divide_up(rest, n - 1);
}

static uint64_t telegraph_odd(const struct collective *collective)
{
    return 2 * (uint64_t)collective->m - 1 + bits_log2_down(collective->n);
}

/* The paper prints 2^⌈log2 n⌉, which is less than one packet needs at n = 6. With the floor the
 * value is the count of useful transfers and equals exhaustive search for n ≤ 8 and small m. */
static uint64_t telegraph_even(const struct collective *collective)
{
    uint64_t n = collective->n, m = collective->m;
    unsigned log = bits_log2_down(collective->n);
    return 2 * m + log - (m - 1 + (UINT64_C(1) << log)) / (n / 2);
}

/* Theorem 7 (1): F_λ(t) ≤ (⌈λ⌉+1)^⌊t/λ⌋, which is below n until t/λ reaches the logarithm, rounded
 * up. */
uint64_t bound_of_index(struct rational lambda, uint32_t n)
{
    uint64_t base = bits_divide_up(lambda.numerator, lambda.denominator) + 1, reached = 1,
             ticks = 0;
    for (; reached < n; reached *= base)
        ticks += lambda.numerator;
    return ticks;
}

/* Returns m - 1 units in ticks: the earliest time at which the last packet leaves the source. */
static uint64_t last_sent(const struct collective *collective)
{
    return ((uint64_t)collective->m - 1) * collective->lambda.denominator;
}

/* Returns f_λ(n), or a lower bound of it if there is no memory for its table. */
static uint64_t postal_one_packet(const struct collective *collective)
{
    struct rational lambda = collective->lambda;
    struct postal postal;
    if (!postal_init(&postal, lambda.numerator, lambda.denominator, collective->n, NULL))
        return bound_of_index(lambda, collective->n);
    uint64_t index = postal_index(&postal, collective->n);
    postal_free(&postal);
    return index;
}

static uint64_t postal_last_packet(const struct collective *collective)
{
    return last_sent(collective) + postal_one_packet(collective);
}

/* Returns the maximum number of packets that can be sent to nodes without them by `tick`, including
 * that tick. */
static uint64_t postal_sends(const struct postal *postal, uint64_t receivers, uint64_t tick)
{
    uint64_t sends = 0, before = 0;
    for (size_t k = 0; k < postal->count && postal->step[k].tick <= tick; k++) {
        uint64_t senders = MIN(postal->step[k].reached, receivers);
        sends += (senders - before) * ((tick - postal->step[k].tick) / postal->b + 1);
        before = senders;
    }
    return sends;
}

/* n - 1 nodes must receive m packets each. In a unit that ends at t at most as many packets are
 * sent as nodes have a packet, F_λ(t), and at most as many as nodes receive, n - 1. Returns 0 if
 * there is no memory. */
static uint64_t postal_useful_transfers(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    uint64_t receivers = collective->n - UINT64_C(1), needed = receivers * collective->m;
    struct postal postal;
    if (!postal_init(&postal, lambda.numerator, lambda.denominator, receivers, NULL))
        return 0;
    uint64_t low = 0, high = postal.index + last_sent(collective);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (postal_sends(&postal, receivers, middle) >= needed)
            high = middle;
        else
            low = middle + 1;
    }
    postal_free(&postal);
    return low + lambda.numerator;
}

static uint64_t postal_powers(const struct collective *collective)
{
    return last_sent(collective) + bound_of_index(collective->lambda, collective->n);
}

/* A node receives at most one packet in a round or unit, even if the network copies packets. */
static uint64_t one_a_round(const struct collective *collective)
{
    return collective_end(collective, collective->m);
}

/* In m rounds each node would receive in each round, and each packet once, combined of all others.
 * In the first round nodes send their own contributions, each to one node or alone, so that only
 * one node can receive those of all others. Two nodes can exchange them. */
static uint64_t one_more_round(const struct collective *collective)
{
    return collective_end(collective, (uint64_t)collective->m + (collective->n > 2));
}

/* m packets from or to each of the other nodes use one port. */
static uint64_t over_one_port(const struct collective *collective)
{
    return (uint64_t)collective->m * (collective->n - 1);
}

static uint64_t one_port(const struct collective *collective)
{
    return collective_end(collective, over_one_port(collective));
}

/* Returns whether all ticks fit into 64 bits. */
static bool is_countable(const struct collective *collective)
{
    return collective_packets(collective) <= SCHEDULE_MAX_PACKETS;
}

/* Each of n nodes receives m(n-1) packets. If n is odd, one node is idle in each round, so that a
 * round has at most n-1 receipts. */
static uint64_t pauses(const struct collective *collective)
{
    return (uint64_t)collective->m * collective->n;
}

/* As above, but ⌊n/2⌋ pairs send in one direction only. */
static uint64_t half_duplex(const struct collective *collective)
{
    return 2 * (is_odd(collective) ? pauses(collective) : over_one_port(collective));
}

static uint64_t busiest(const struct collective *collective)
{
    return collective_end(collective, collective_busiest(collective));
}

static uint64_t busiest_half_duplex(const struct collective *collective)
{
    uint64_t pairs = collective->n / 2, each = bits_divide_up(collective->load.packets, pairs);
    return MAX(collective->load.both, each);
}

static bool is_priced(const struct collective *collective)
{
    return collective->priced;
}

/* With reconfiguration ends are in cycles, and the bound `changes` is at least the bound in
 * rounds. */
static bool is_unpriced(const struct collective *collective)
{
    return !is_priced(collective);
}

static uint64_t changes(const struct collective *collective)
{
    return traffic_makespan(&collective->load, collective->cost);
}

/* For all nodes to know about all others, each packet is sent 2(n-1) times, however packets are
 * combined. */
static uint64_t both_directions(const struct collective *collective)
{
    const struct model_row *model = model_row(collective->model);
    uint64_t n = collective->n, most = model->half_duplex ? n / 2 : model->pairs ? n / 2 * 2 : n;
    return bits_divide_up(2 * (uint64_t)collective->m * (n - 1), most);
}

const struct bound bound_complete[] = {
    {"last-packet", "m-1+⌈log2 n⌉",
     "Bar-Noy, Kipnis, Schieber, Theorems 1 and 5; Bruck, Cypher, Ho, Lemma 2.1", ROUND_MODELS,
     BROADCAST | REDUCTIONS, NULL, last_packet},
    {"theorem-2", "m+⌈(m+(n-2)L-(2^L-1))/(n-1)⌉, L=⌈log2 n⌉",
     "Bar-Noy, Kipnis, Schieber, Theorem 2", 1u << MODEL_TELEPHONE, BROADCAST | REDUCTIONS, is_odd,
     telephone_printed},
    {"theorem-2-sharpened", "L+a+⌈(m(n-1)-S-a(n-2))/(n-1)⌉, a=max(0,m-L), S=Σ_{i<L} min(2^i,n-2)",
     "Theorem 2 with round L counted as the others of odd n", 1u << MODEL_TELEPHONE,
     BROADCAST | REDUCTIONS, is_odd, telephone_sharpened},
    {"telegraph-odd", "2m-1+⌊log2 n⌋", "Cockayne, Thomason; Farley", 1u << MODEL_TELEGRAPH,
     BROADCAST | REDUCTIONS, is_odd, telegraph_odd},
    {"telegraph-even", "2m+⌊log2 n⌋-⌊(m-1+2^⌊log2 n⌋)/(n/2)⌋", "Cockayne, Thomason; Farley",
     1u << MODEL_TELEGRAPH, BROADCAST | REDUCTIONS, is_even, telegraph_even},
    {"useful-transfers", "min r: Σ_{i<r} min(2^i,c) ≥ m(n-1), c=n-1 (telegraph: ⌊n/2⌋)",
     "counted as in the proof of Bar-Noy, Kipnis, Schieber, Theorem 2", ROUND_MODELS,
     BROADCAST | REDUCTIONS, NULL, useful_transfers},
    {"one-packet", "⌈log2 n⌉", "Bar-Noy, Kipnis, Schieber, section 1", ROUND_MODELS,
     BROADCAST | REDUCTIONS, NULL, one_packet},
    {"last-packet", "m-1+f_λ(n)", "Bar-Noy, Kipnis, Lemma 8", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, postal_last_packet},
    {"useful-transfers", "min t: Σ_{i≥0} min(F_λ(t-λ-i),n-1) ≥ m(n-1)",
     "counted as in the proof of Bar-Noy, Kipnis, Schieber, Theorem 2", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, postal_useful_transfers},
    {"one-packet", "f_λ(n)", "Bar-Noy, Kipnis, Lemma 5", 1u << MODEL_POSTAL, BROADCAST | REDUCTIONS,
     NULL, postal_one_packet},
    {"powers", "m-1+λ⌈log n/log(⌈λ⌉+1)⌉",
     "Bar-Noy, Kipnis, Corollary 9 (1), rounded up by Theorem 7 (1)", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, postal_powers},
    {"latency", "m-1+λ", "Bar-Noy, Kipnis, Corollary 9 (2)", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, one_a_round},
    {"copied-receipts", "m (the network copies: no one-port bound)",
     "a node receives one packet in a round", 1u << MODEL_FABRIC_MULTICAST, BROADCAST, NULL,
     one_a_round},
    {"copied-receipts", "m-1+λ (the network copies: no one-port bound)",
     "a node receives one packet in a unit, the first at λ", 1u << MODEL_FABRIC_POSTAL, BROADCAST,
     NULL, one_a_round},
    {"combined-receipts", "m (the network combines: no one-port bound)",
     "a node receives one packet in a round", 1u << MODEL_FABRIC_REDUCTION, REDUCE, NULL,
     one_a_round},
    {"combined-first", "m+1, m for n = 2 (the network combines and copies: no one-port bound)",
     "in the first round one node at most can receive what all others send",
     1u << MODEL_FABRIC_ALL_REDUCE, ALL_REDUCE, NULL, one_more_round},
    {"one-port", "m(n-1)", "a node sends or receives one packet in a round",
     ROUND_MODELS | 1u << MODEL_FABRIC_MULTICAST,
     SCATTER | GATHER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, one_port},
    {"one-port", "m(n-1)-1+λ", "a node sends or receives one packet in a unit, the first at λ",
     1u << MODEL_POSTAL | 1u << MODEL_FABRIC_POSTAL,
     SCATTER | GATHER | ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, is_countable, one_port},
    {"pauses", "mn", "mn(n-1) receipts, n-1 in a round of odd n", 1u << MODEL_TELEPHONE,
     ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, is_odd, pauses},
    {"half-duplex", "2m(n-1), 2mn for odd n", "mn(n-1) receipts, ⌊n/2⌋ in a round",
     1u << MODEL_TELEGRAPH, ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, NULL, half_duplex},
    {"both-ways",
     "⌈2m(n-1)/n⌉; a round has n-1 receipts for odd n by telephone, ⌊n/2⌋ by telegraph",
     "a packet takes 2(n-1) transfers: Harary, Schwenk, the communication problem", ROUND_MODELS,
     ALL_REDUCE, NULL, both_directions},
    {"busiest", "max over nodes of packets sent, packets received", "a node sends and receives one",
     ROUND_MODELS | 1u << MODEL_FABRIC_MULTICAST, TRAFFIC, is_unpriced, busiest},
    {"changes", "min over K ≥ partners of a node of D·K + C·max(busiest, Σ_k max_nodes e_{k+K-E})",
     "a setting serves one of a node's E partners; e_i is the i-th largest number of packets",
     1u << MODEL_SEND_RECEIVE, TRAFFIC, is_priced, changes},
    {"busiest", "the same - 1 + λ", "one in a unit, the first comes at λ",
     1u << MODEL_POSTAL | 1u << MODEL_FABRIC_POSTAL, TRAFFIC, NULL, busiest},
    {"busiest-half-duplex", "max over nodes of packets sent and received, ⌈packets/⌊n/2⌋⌉",
     "a node sends or receives one; ⌊n/2⌋ pairs", 1u << MODEL_TELEGRAPH, TRAFFIC, NULL,
     busiest_half_duplex},
    {0},
};
