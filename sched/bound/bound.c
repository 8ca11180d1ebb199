/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_any.h"
#include "sched/bound/bound_cube.h"
#include "sched/bound/bound_demands.h"
#include "sched/bound/bound_tree.h"
#include "sched/bound/bound_ways.h"
#include "sched/numbers/postal.h"

#define SINGLE_PORT (1u << MODEL_SINGLE_PORT)
#define MULTIPORT (1u << MODEL_MULTIPORT)
#define ALL_PORT (1u << MODEL_ALL_PORT)
#define LEAF "Dimakopoulos, Dimopoulos,"
#define CUBE "Stamoulis, Tsitsiklis,"
#define BROADCAST (1u << COLLECTIVE_BROADCAST)
#define SCATTER (1u << COLLECTIVE_SCATTER)
#define GATHER (1u << COLLECTIVE_GATHER)
#define ALL_GATHER (1u << COLLECTIVE_ALL_GATHER)
#define TOTAL_EXCHANGE (1u << COLLECTIVE_TOTAL_EXCHANGE)
#define TRAFFIC (1u << COLLECTIVE_TRAFFIC)
#define DEMANDS (1u << COLLECTIVE_DEMANDS)
#define REDUCE (1u << COLLECTIVE_REDUCE)
#define REDUCE_SCATTER (1u << COLLECTIVE_REDUCE_SCATTER)
#define ALL_REDUCE (1u << COLLECTIVE_ALL_REDUCE)
#define SCAN (1u << COLLECTIVE_SCAN)
#define TO_ALL (BROADCAST | ALL_GATHER | 1u << COLLECTIVE_SIMULTANEOUS)
/* Reversed, a reduction to one node is a broadcast, and its bounds are those of a broadcast in
 * every model that has the same rules backwards. An all-reduce and a scan contain a reduction to
 * one node. */
#define REDUCTIONS (REDUCE | ALL_REDUCE | SCAN)
#define ROUND_MODELS (1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE | 1u << MODEL_TELEGRAPH)

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

static uint64_t postal_powers(const struct collective *collective)
{
    return last_sent(collective) + bound_of_index(collective->lambda, collective->n);
}

/* A node receives at most one packet in a round or unit, even if the network copies packets. */
static uint64_t one_a_round(const struct collective *collective)
{
    return collective_end(collective, collective->m);
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

/* Returns whether the packets are so few that all ticks fit into 64 bits. */
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

static bool has_ports(const struct collective *collective)
{
    return collective->ports > 1;
}

static bool is_priced(const struct collective *collective)
{
    return collective->priced;
}

/* With reconfiguration ends are cycles, and that bound is at least the bound of rounds. */
static bool has_one_port(const struct collective *collective)
{
    return !has_ports(collective) && !is_priced(collective);
}

static uint64_t changes(const struct collective *collective)
{
    return traffic_makespan(&collective->load, collective->cost);
}

/* For all nodes to know of all others, each packet is sent 2(n-1) times, however they are combined.
 */
static uint64_t both_ways(const struct collective *collective)
{
    const struct model_row *model = model_row(collective->model);
    uint64_t n = collective->n, most = model->half_duplex ? n / 2 : model->pairs ? n / 2 * 2 : n;
    return bits_divide_up(2 * (uint64_t)collective->m * (n - 1), most);
}

const struct bound bound_table[] = {
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
    {"one-packet", "f_λ(n)", "Bar-Noy, Kipnis, Lemma 5", 1u << MODEL_POSTAL, BROADCAST | REDUCTIONS,
     NULL, postal_one_packet},
    {"powers", "m-1+λ⌈log n/log(⌈λ⌉+1)⌉",
     "Bar-Noy, Kipnis, Corollary 9 (1), rounded up by Theorem 7 (1)", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, postal_powers},
    {"latency", "m-1+λ", "Bar-Noy, Kipnis, Corollary 9 (2)", 1u << MODEL_POSTAL,
     BROADCAST | REDUCTIONS, NULL, one_a_round},
    {"parent-first", "h-l-1+Σk_i, Σk_i from the root", LEAF " Theorem 1, equation (2)", SINGLE_PORT,
     BROADCAST, bound_any_is_levels, bound_tree_broadcast},
    {"way", "2h-l", LEAF " section 3.1", MULTIPORT, BROADCAST | REDUCTIONS, bound_any_is_levels,
     bound_tree_path},
    {"way", "2h", "the way between the farthest leaves", SINGLE_PORT, REDUCTIONS,
     bound_any_is_levels, bound_tree_path},
    {"one-link", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)", LEAF " Theorem 2, general c_i",
     SINGLE_PORT | MULTIPORT, SCATTER | GATHER, bound_any_is_levels, bound_tree_scatter},
    {"router-load", "max_i i+k_i n+Σ_{j<i} k_j, k_h-1 for k_h", LEAF " Theorem 3, general k_i",
     SINGLE_PORT, ALL_GATHER, bound_any_is_levels, bound_tree_all_gather},
    {"receptions", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)", LEAF " Theorem 7, general c_i",
     MULTIPORT, ALL_GATHER | REDUCE_SCATTER, bound_any_is_levels, bound_tree_link},
    {"messages", "max(n(n-N_{h-1})+2h-1, N_i(2n-N_i-N_{i-1})+2i-1)",
     LEAF " Theorem 5, with the root's own load", SINGLE_PORT, TOTAL_EXCHANGE, bound_any_is_levels,
     bound_tree_total_exchange},
    {"cut", "max_i ⌈N_{i-1}(n-N_{i-1})/e_i⌉+2i-1, e_i=min(c_i,k_{i-1}e_{i-1})",
     LEAF " equation (3) for each level", MULTIPORT, TOTAL_EXCHANGE, bound_any_is_levels,
     bound_tree_cut},
    {"exchange-receptions", "max_i ⌈(n-N_{i-1})/w_i⌉+2i-1, w_i=min(c_1…c_i)",
     LEAF " equation (3), each leaf", MULTIPORT, TOTAL_EXCHANGE, bound_any_is_levels,
     bound_tree_link},
    {"delay", "n(1-k^-i) ≤ ⌈(T-2(h-i)-1)/2(h-i)⌉(T-n), i < h", LEAF " Theorem 8, corrected",
     MULTIPORT, TOTAL_EXCHANGE, bound_tree_is_even, bound_tree_delay},
    {"hanging", "b(T)=max_i b(T_i)+i, b(T_1)≥b(T_2)≥…; multiport: distance",
     LEAF " equation (1), for a list of parents", SINGLE_PORT | MULTIPORT, BROADCAST,
     bound_any_applies, bound_any_broadcast},
    {"distance", "distance of the furthest leaf", "the path from it, for a list of parents",
     SINGLE_PORT | MULTIPORT, REDUCTIONS, bound_any_applies, bound_any_distance},
    {"furthest-first", "max_i ⌈i/c⌉-1+d_i, d_1≥d_2≥… on a branch of the source",
     "packets cross it one by one, for a list of parents", SINGLE_PORT | MULTIPORT,
     SCATTER | GATHER, bound_any_applies, bound_any_scatter},
    {"ways", "max over branches of links before + packets/c + links after",
     "packets cross a branch one by one, for a list of parents", SINGLE_PORT | MULTIPORT,
     ALL_GATHER | TOTAL_EXCHANGE | REDUCE_SCATTER, bound_any_applies, bound_any_ways},
    {"both-ways", "max_i ⌈n/c_i⌉+2i-2", LEAF " section 1.1: half-duplex links",
     SINGLE_PORT | MULTIPORT, ALL_GATHER | REDUCE_SCATTER, bound_tree_is_half_duplex,
     bound_tree_both_ways_all_gather},
    {"both-ways", "max_i ⌈2N_{i-1}(n-N_{i-1})/c_i⌉+2i-2", LEAF " section 1.1: half-duplex links",
     SINGLE_PORT | MULTIPORT, TOTAL_EXCHANGE, bound_tree_is_half_duplex,
     bound_tree_both_ways_exchange},
    {"diameter", "d", CUBE " section 3.1", ALL_PORT, TO_ALL | REDUCTIONS | REDUCE_SCATTER,
     bound_cube_has_packets, bound_cube_diameter},
    {"receipts", "⌈(2^d-1)K/(d 2^d)⌉", CUBE " section 3.1", ALL_PORT,
     TO_ALL | REDUCTIONS | REDUCE_SCATTER, bound_cube_has_packets, bound_cube_receipts},
    {"copied-receipts", "m (the network copies: no one-port bound)",
     "a node receives one packet in a round", 1u << MODEL_FABRIC_MULTICAST, BROADCAST, NULL,
     one_a_round},
    {"copied-receipts", "m-1+λ (the network copies: no one-port bound)",
     "a node receives one packet in a unit, the first at λ", 1u << MODEL_FABRIC_POSTAL, BROADCAST,
     NULL, one_a_round},
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
     ALL_REDUCE, NULL, both_ways},
    {"busiest", "max over nodes of packets sent, packets received", "a node sends and receives one",
     ROUND_MODELS | 1u << MODEL_FABRIC_MULTICAST, TRAFFIC, has_one_port, busiest},
    {"busiest-of-ports", "⌈max over nodes of packets sent, packets received / ports⌉",
     "a node sends and receives one over each port", 1u << MODEL_SEND_RECEIVE, TRAFFIC, has_ports,
     busiest},
    {"changes", "min over K ≥ partners of a node of D·K + C·max(busiest, Σ_k max_nodes e_{k+K-E})",
     "a setting serves one of a node's E partners; e_i is the i-th largest number of packets",
     1u << MODEL_SEND_RECEIVE, TRAFFIC, is_priced, changes},
    {"busiest", "the same - 1 + λ", "one in a unit, the first comes at λ",
     1u << MODEL_POSTAL | 1u << MODEL_FABRIC_POSTAL, TRAFFIC, NULL, busiest},
    {"busiest-half-duplex", "max over nodes of packets sent and received, ⌈packets/⌊n/2⌋⌉",
     "a node sends or receives one; ⌊n/2⌋ pairs", 1u << MODEL_TELEGRAPH, TRAFFIC, NULL,
     busiest_half_duplex},
    {"wanted", "max over nodes of packets wanted", "a node receives one", ROUND_MODELS, DEMANDS,
     NULL, bound_demands_wanted},
    {"wanted", "the same - 1 + λ", "one in a unit, the first comes at λ", 1u << MODEL_POSTAL,
     DEMANDS, NULL, bound_demands_wanted},
    {"spread", "max over sources and k of k-1+⌈log2(1+w_k)⌉",
     "of k packets one leaves in round k or later, and at least w_k nodes want it", ROUND_MODELS,
     DEMANDS, NULL, bound_demands_spread},
    {"spread", "max over sources and k of k-1+f_λ(1+w_k)", "the same; Bar-Noy, Kipnis, Lemma 5",
     1u << MODEL_POSTAL, DEMANDS, NULL, bound_demands_spread},
    {"all-receipts", "min r: Σ_{i<r} min(s 2^i,c) ≥ receipts, s sources, c receivers in a round",
     "counted as in the proof of Bar-Noy, Kipnis, Schieber, Theorem 2", ROUND_MODELS, DEMANDS, NULL,
     bound_demands_receipts},
    {"pairs", "⌈Σ max(wanted, only its own) / n⌉, n-1 for odd n",
     "a node in a pair sends and receives one", 1u << MODEL_TELEPHONE, DEMANDS, NULL,
     bound_demands_pairs},
    {"half-duplex-wanted", "max over nodes of packets wanted and packets that only it can send",
     "a node sends or receives one", 1u << MODEL_TELEGRAPH, DEMANDS, NULL,
     bound_demands_half_duplex},
    {"collective", "that of the collective that the demands are", "there",
     ROUND_MODELS | 1u << MODEL_POSTAL, DEMANDS, NULL, bound_demands_collective},
    {"ways", "max over ports of a+⌈w/c⌉+b-1",
     "w packets pass a port of c lanes, the first in round a, and have b rounds to go after it",
     SINGLE_PORT | MULTIPORT, DEMANDS, NULL, bound_ways_tree},
    {"distance", "max over packets of the arcs to the furthest", "an arc takes a round", ALL_PORT,
     DEMANDS, NULL, bound_ways_distance},
    {"arcs", "max over nodes of a+⌈w/d⌉",
     "w packets into or out of a node, by d arcs; the nearest "
     "has a more to go",
     ALL_PORT, DEMANDS, NULL, bound_ways_arcs},
    {"all-arcs", "⌈Σ max(wanted, distance) / (d 2^d)⌉", "arcs that packets cross at least",
     ALL_PORT, DEMANDS, NULL, bound_ways_all},
    {0},
};

bool bound_applies(const struct bound *bound, const struct collective *collective)
{
    enum topology_kind topology = collective_topology_kind(collective);
    return collective->n > 1 && model_topology(collective->model) == topology &&
           (bound->models & 1u << collective->model) != 0 &&
           (bound->kinds & 1u << collective->kind) != 0 &&
           (!collective_rows[collective->kind].written || collective->demands != NULL) &&
           (bound->applies == NULL || bound->applies(collective));
}

const struct bound *bound_tightest(const struct collective *collective, uint64_t *value)
{
    const struct bound *tightest = NULL;
    *value = 0;
    for (const struct bound *bound = bound_table; bound->name != NULL; bound++) {
        uint64_t candidate = bound_applies(bound, collective) ? bound->value(collective) : 0;
        if (candidate > *value) {
            *value = candidate;
            tightest = bound;
        }
    }
    return tightest;
}

uint64_t bound_end(const struct collective *collective)
{
    uint64_t value;
    bound_tightest(collective, &value);
    return value;
}

/* Returns the bound of any demands for the demands of a schedule. */
static uint64_t bound_of_demands(const struct schedule *schedule)
{
    return bound_end(&(struct collective){.n = schedule->nodes,
                                          .m = 1,
                                          .model = schedule->model,
                                          .kind = COLLECTIVE_DEMANDS,
                                          .lambda = schedule->lambda,
                                          .topology = &schedule->topology,
                                          .load = {.packets = schedule->packets},
                                          .demands = schedule});
}

bool bound_of_schedule(const struct schedule *schedule, uint64_t *end)
{
    struct collective collective;
    bool known = schedule_collective(schedule, &collective);
    *end = known ? bound_end(&collective) : 0;
    if (known && collective_rows[collective.kind].weighed && schedule->ports <= 1 &&
        schedule->end > *end) {
        uint64_t as_demands = bound_of_demands(schedule);
        *end = MAX(*end, as_demands);
    }
    return known;
}
