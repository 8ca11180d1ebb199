/* SPDX-License-Identifier: Apache-2.0 */
/* pairwise: collectives in which each node has packets of its own for each other one: scatter and
 * gather, one by one; all-gather and total exchange, in rounds in which every node meets every
 * other node. m(n-1) rounds, or m(n-1)-1+λ; all-gather and total exchange by telephone with odd n
 * mn rounds, by telegraph 2m(n-1), and 2mn with odd n. All of it is optimal: bound.h has the
 * reasons.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/base/text.h"

#include <inttypes.h>

/* -- Scatter and gather --------------------------------------------------------------------- */

/* Packet p is sent in round p.
 *
 *     n = 4, m = 1    scatter           gather
 *     round 1, 2, 3   0→1, 0→2, 0→3     1→0, 2→0, 3→0
 *
 * A round has one transfer, which every model of a complete graph permits. The source sends m(n -
 * 1) packets, or receives them, one a round: no schedule is shorter.
 */

/* Checks that a schedule can hold all packets. E102. */
static bool packets_fit(const struct collective *collective, struct err *err)
{
    uint64_t packets = collective_packets(collective);
    return packets <= SCHEDULE_MAX_PACKETS ||
           err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, packets,
                   text_s(packets), SCHEDULE_MAX_PACKETS);
}

static uint64_t one_by_one_end(const struct collective *collective)
{
    return collective_end(collective, (uint64_t)collective->m * (collective->n - 1));
}

/* Appends the rounds of a scatter, or, if `gather`, of a gather. E104. O(transfers). */
static bool one_by_one_build(const struct collective *collective, bool gather,
                             struct schedule *schedule, struct err *err)
{
    uint32_t m = collective->m, packets = m * (collective->n - 1);
    if (!schedule_reserve(schedule, packets, packets, err))
        return false;
    for (uint32_t packet = 1; packet <= packets; packet++) {
        struct transfer *transfer =
            schedule_open_step(schedule, collective_time(collective, packet - 1), 1, err);
        if (transfer == NULL)
            return false;
        uint32_t other = (packet - 1) / m + 1;
        *transfer = (struct transfer){gather ? other : 0, gather ? 0 : other, packet};
        schedule_close_step(schedule, 1);
    }
    return true;
}

static bool scatter_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    return one_by_one_build(collective, false, schedule, err);
}

const struct algorithm algorithm_scatter = {
    .name = "scatter",
    .summary = "m packets from the source to each other node, one per round",
    .source = "counted: what the source sends",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .kind = COLLECTIVE_SCATTER,
    .accepts = packets_fit,
    .end = one_by_one_end,
    .build = scatter_build,
};

static bool gather_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    return one_by_one_build(collective, true, schedule, err);
}

const struct algorithm algorithm_gather = {
    .name = "gather",
    .summary = "m packets from each other node to the source, one per round",
    .source = "counted: what the source receives",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .kind = COLLECTIVE_GATHER,
    .accepts = packets_fit,
    .end = one_by_one_end,
    .build = gather_build,
};

/* -- All-gather and total exchange ---------------------------------------------------------- */

/* If a node sends to one node and receives from another in a round, round r is the cyclic shift by
 * r: v sends to (v + r) mod n, n - 1 rounds, each a full permutation (n = 4 on the left). In the
 * telephone and telegraph models a round is a matching, and the rounds a tournament: a
 * 1-factorisation of the complete graph. Let p be the odd number among n - 1 and n. Nodes v and w <
 * p meet in round r if v + w ≡ r (mod p); a node that would meet itself meets node p, or pauses if
 * n = p (n = 5 in the middle). If n = 2^k v and v xor r meet, so that a round is a complement,
 * which the stages of a Beneš network compute by themselves (on the right). In the telegraph model
 * a meeting takes two rounds, up and down.
 *
 *     round 1   0→1 1→2 2→3 3→0         0-1 2-4, 3 pauses         0-1 2-3
 *     round 2   0→2 1→3 2→0 3→1         0-2 3-4, 1 pauses         0-2 1-3
 *     round 3   0→3 1→0 2→1 3→2         0-3 1-2, 4 pauses         0-3 1-2
 *     round 4                           0-4 1-3, 2 pauses
 *     round 5                           1-4 2-3, 0 pauses
 *
 * Each meeting sends one of m packets, and all meetings are done m times. In every round each node
 * but the one that pauses receives something new: no schedule is shorter (bound.h).
 *
 * The tournament is the circle method: T. Kirkman, On a problem in combinations, 1847; D. König,
 * Theorie der endlichen und unendlichen Graphen, 1936, chapter 11.
 */

/* Checks the collective. Every node has packets, so there is no source: E103 if a source is given;
 * E102. */
static bool meetings_accepts(const char *name, const struct collective *collective, struct err *err)
{
    if (!packets_fit(collective, err))
        return false;
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "%s has no one source, %" PRIu32 " is given; expected source 0", name,
                   collective->source);
}

/* Number of meetings of a tournament, or of shifts. */
static uint32_t meetings_of(const struct collective *collective)
{
    bool odd = collective->n % 2 != 0;
    return model_row(collective->model)->pairs && odd ? collective->n : collective->n - 1;
}

static uint64_t rounds_of(const struct collective *collective)
{
    uint64_t meetings = (uint64_t)meetings_of(collective) * collective->m;
    return model_row(collective->model)->half_duplex ? 2 * meetings : meetings;
}

static uint64_t meetings_end(const struct collective *collective)
{
    return collective_end(collective, rounds_of(collective));
}

/* Returns the node that node v meets in a meeting of the tournament; v itself if it pauses. */
static uint32_t partner_of(uint32_t n, uint32_t meeting, uint32_t v)
{
    uint32_t p = n % 2 != 0 ? n : n - 1;
    if (bits_is_power(n))
        return v ^ meeting;
    if (v == p)
        return (meeting % 2 == 0 ? meeting : meeting + p) / 2 % p;
    uint32_t partner = (meeting + p - v) % p;
    return partner == v && n > p ? p : partner;
}

/* Returns the node to which node v sends in a round, counted from 0; v itself if it does not
 * send. */
static uint32_t receiver_of(const struct collective *collective, uint64_t round, uint32_t v)
{
    uint32_t n = collective->n, meetings = meetings_of(collective);
    bool half = model_row(collective->model)->half_duplex;
    uint32_t meeting = (uint32_t)((half ? round / 2 : round) % meetings) + 1;
    if (!model_row(collective->model)->pairs)
        return (v + meeting) % n;
    uint32_t partner = partner_of(n, meeting, v);
    bool up = round % 2 == 0;
    return half && (partner > v) != up ? v : partner;
}

/* Returns the packet of a demand, from 0, that is sent in a round. */
static uint32_t turn_of(const struct collective *collective, uint64_t round)
{
    return (uint32_t)(round / (rounds_of(collective) / collective->m));
}

/* Appends the rounds, in which a node sends the packet that its partner wants (collective_packet).
 * E104. O(transfers). */
static bool meetings_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    uint64_t rounds = rounds_of(collective);
    if (!schedule_reserve(schedule, rounds, (size_t)m * n * (n - 1), err))
        return false;
    for (uint64_t round = 0; round < rounds; round++) {
        struct transfer *transfer =
            schedule_open_step(schedule, collective_time(collective, round), n, err);
        if (transfer == NULL)
            return false;
        size_t count = 0;
        for (uint32_t v = 0; v < n; v++) {
            uint32_t to = receiver_of(collective, round, v);
            if (to == v)
                continue;
            uint32_t before = (collective_packet(collective->kind, n, v, to) - 1) * m;
            uint32_t packet = before + 1 + turn_of(collective, round);
            transfer[count++] = (struct transfer){v, to, packet};
        }
        schedule_close_step(schedule, count);
    }
    return true;
}

static bool all_gather_accepts(const struct collective *collective, struct err *err)
{
    return meetings_accepts("all-gather", collective, err);
}

const struct algorithm algorithm_all_gather = {
    .name = "all-gather",
    .summary = "m packets of each node to all nodes, by shifts or a tournament",
    .source = "Kirkman; König: 1-factorisation",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .kind = COLLECTIVE_ALL_GATHER,
    .accepts = all_gather_accepts,
    .end = meetings_end,
    .build = meetings_build,
};

static bool total_exchange_accepts(const struct collective *collective, struct err *err)
{
    return meetings_accepts("total-exchange", collective, err);
}

const struct algorithm algorithm_total_exchange = {
    .name = "total-exchange",
    .summary = "m packets of each node to each other node, by shifts or a tournament",
    .source = "Kirkman; König: 1-factorisation",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .kind = COLLECTIVE_TOTAL_EXCHANGE,
    .accepts = total_exchange_accepts,
    .end = meetings_end,
    .build = meetings_build,
};
