/* SPDX-License-Identifier: Apache-2.0 */
/* pairwise: collectives in which each node sends its own packets directly to each receiver: scatter
 * and gather, one by one; all-gather and total exchange, in rounds in which every node meets every
 * other node. m(n-1) rounds, or m(n-1)-1+λ in the postal model. All-gather and total exchange take
 * mn rounds in the telephone model with odd n, and 2m(n-1), or 2mn with odd n, in the telegraph
 * model. All are optimal; bound.h gives the reasons.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>

/* -- Scatter and gather --------------------------------------------------------------------- */

/* Packet p is sent in round p.
 *
 *     n = 4, m = 1    scatter           gather
 *     round 1, 2, 3   0→1, 0→2, 0→3     1→0, 2→0, 3→0
 *
 * With one port a round has one transfer, which every model of a complete graph permits. The source
 * sends or receives m(n - 1) packets, k in a round over k ports: no schedule is shorter.
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
    uint64_t packets = (uint64_t)collective->m * (collective->n - 1);
    return collective_end(collective, collective_over_ports(collective, packets));
}

/* Returns true: a packet that is sent once uses one port of each node. */
static bool one_by_one_keeps_ports(const struct collective *collective)
{
    (void)collective;
    return true;
}

/* Appends the rounds of a scatter or, if `gather`, of a gather. E104. O(transfers). */
static bool one_by_one_build(const struct collective *collective, bool gather,
                             struct schedule *schedule, struct err *err)
{
    uint32_t m = collective->m, packets = m * (collective->n - 1);
    uint64_t rounds = collective_over_ports(collective, packets);
    uint32_t each = (uint32_t)bits_divide_up(packets, rounds);
    if (!schedule_reserve(schedule, rounds, packets, err))
        return false;
    for (uint64_t round = 0, sent = 0; round < rounds; round++) {
        uint32_t count = (uint32_t)MIN(each, packets - sent);
        struct transfer *transfer =
            schedule_open_step(schedule, collective_time(collective, round), count, err);
        if (transfer == NULL)
            return false;
        for (uint32_t which = 0; which < count; which++) {
            uint32_t packet = (uint32_t)++sent, other = (packet - 1) / m + 1;
            transfer[which] = (struct transfer){gather ? other : 0, gather ? 0 : other, packet};
        }
        schedule_close_step(schedule, count);
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
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
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
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
    .accepts = packets_fit,
    .end = one_by_one_end,
    .build = gather_build,
};

/* -- All-gather and total exchange ---------------------------------------------------------- */

/* In models in which a node sends to one node and receives from another, round r is the cyclic
 * shift by r: v sends to (v + r) mod n, n - 1 rounds, each a full permutation (n = 4 on the left).
 * In the telephone and telegraph models a round is a matching, and the rounds form a tournament: a
 * 1-factorisation of the complete graph. Let p be the odd number among n - 1 and n. Nodes v and w <
 * p meet in round r if v + w ≡ r (mod p); a node that would meet itself meets node p, or pauses if
 * n = p (n = 5 in the middle). If n = 2^k, v and v xor r meet, so that a round is a complement,
 * which the stages of a Beneš network compute by themselves (on the right). In the telegraph model
 * a meeting takes two rounds, one in each direction.
 *
 *     round 1   0→1 1→2 2→3 3→0         0-1 2-4, 3 pauses         0-1 2-3
 *     round 2   0→2 1→3 2→0 3→1         0-2 3-4, 1 pauses         0-2 1-3
 *     round 3   0→3 1→0 2→1 3→2         0-3 1-2, 4 pauses         0-3 1-2
 *     round 4                           0-4 1-3, 2 pauses
 *     round 5                           1-4 2-3, 0 pauses
 *
 * Each meeting sends one of m packets, and all meetings are repeated m times. In every round each
 * node except one that pauses receives a new packet: no schedule is shorter (bound.h). With k ports
 * per node, a round has k shifts, or k matchings. For odd n and even k no node needs to pause in
 * the telephone model: shifts by r and by -r together are calls of every node with two others.
 *
 * The tournament is the circle method: T. Kirkman, On a problem in combinations, 1847; D. König,
 * Theorie der endlichen und unendlichen Graphen, 1936, chapter 11.
 */

/* Checks the collective. E102. E103 if a source is given, because every node has packets. */
static bool meetings_accepts(const char *name, const struct collective *collective, struct err *err)
{
    if (!packets_fit(collective, err))
        return false;
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "%s has no one source, %" PRIu32 " is given; expected source 0", name,
                   collective->source);
}

/* Returns whether shifts by r and -r make up the calls of a round: telephone, odd n, even k. */
static bool meetings_are_bidirectional(const struct collective *collective)
{
    const struct model_row *model = model_row(collective->model);
    return model->pairs && !model->half_duplex && collective->n % 2 != 0 && collective->ports > 1 &&
           collective->ports % 2 == 0;
}

/* Returns whether rounds consist of matchings. In each a node pauses if n is odd. */
static bool has_matchings(const struct collective *collective)
{
    return model_row(collective->model)->pairs && !meetings_are_bidirectional(collective);
}

/* Returns the number of meetings of a tournament, or of shifts. */
static uint32_t meetings_of(const struct collective *collective)
{
    bool odd = collective->n % 2 != 0;
    return has_matchings(collective) && odd ? collective->n : collective->n - 1;
}

/* Returns the number of shifts, matchings, or (telegraph) half matchings; each uses one port of a
 * node for a round. */
static uint64_t shifts_of(const struct collective *collective)
{
    uint64_t meetings = (uint64_t)meetings_of(collective) * collective->m;
    return model_row(collective->model)->half_duplex ? 2 * meetings : meetings;
}

static uint64_t meetings_end(const struct collective *collective)
{
    return collective_end(collective, collective_over_ports(collective, shifts_of(collective)));
}

/* Returns the node that node v meets in a meeting of the tournament; v itself if v pauses. */
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

/* Returns the node to which node v sends in a shift, counted from 0; v itself if v does not
 * send. */
static uint32_t receiver_of(const struct collective *collective, uint64_t shift, uint32_t v)
{
    uint32_t n = collective->n, meetings = meetings_of(collective);
    bool half = model_row(collective->model)->half_duplex;
    uint32_t meeting = (uint32_t)((half ? shift / 2 : shift) % meetings) + 1;
    if (meetings_are_bidirectional(collective)) /* in the order 1, -1, 2, -2, … */
        meeting = meeting % 2 != 0 ? (meeting + 1) / 2 : n - meeting / 2;
    if (!has_matchings(collective))
        return (v + meeting) % n;
    uint32_t partner = partner_of(n, meeting, v);
    bool up = shift % 2 == 0;
    return half && (partner > v) != up ? v : partner;
}

/* Writes the transfers of a shift. With several ports a meeting sends its m packets one after
 * another, so that a node sends different packets in a round. Returns the end of the transfers. */
static struct transfer *put_shift(const struct collective *collective, uint64_t shift,
                                  struct transfer *put)
{
    uint32_t n = collective->n, m = collective->m;
    uint64_t shifts = shifts_of(collective) / m; /* for one packet of each demand */
    bool by_packet = collective->ports > 1;
    uint64_t directions = meetings_are_bidirectional(collective) ? 2 : 1,
             whole = shift / directions;
    uint32_t number = (uint32_t)(by_packet ? whole % m : shift / shifts);
    uint64_t which = by_packet ? whole / m * directions + shift % directions : shift % shifts;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t to = receiver_of(collective, which, v);
        if (to == v)
            continue;
        uint32_t before = (collective_packet(collective->kind, n, v, to) - 1) * m;
        *put++ = (struct transfer){v, to, before + 1 + number};
    }
    return put;
}

/* Appends the rounds, in which a node sends the packet that its partner wants (collective_packet).
 * With several ports the last round may have fewer shifts. E104. O(transfers). */
static bool meetings_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    uint32_t n = collective->n;
    uint64_t shifts = shifts_of(collective), rounds = collective_over_ports(collective, shifts);
    uint64_t most = MAX(collective->ports, 1);
    if (!schedule_reserve(schedule, rounds, (size_t)collective->m * n * (n - 1) + n, err))
        return false;
    for (uint64_t round = 0, shift = 0; round < rounds; round++) {
        uint64_t end = MIN(shift + most, shifts);
        struct transfer *transfer = schedule_open_step(schedule, collective_time(collective, round),
                                                       (size_t)(end - shift) * n, err);
        struct transfer *put = transfer;
        if (transfer == NULL)
            return false;
        for (; shift < end; shift++)
            put = put_shift(collective, shift, put);
        schedule_close_step(schedule, (size_t)(put - transfer));
    }
    return true;
}

static bool all_gather_accepts(const struct collective *collective, struct err *err)
{
    return meetings_accepts("all-gather", collective, err);
}

/* Returns whether every packet keeps to one port: a node sends k of its m packets in a round, and
 * packet p over port p mod k if k divides m. */
static bool all_gather_keeps_ports(const struct collective *collective)
{
    return collective->m % collective->ports == 0 && !meetings_are_bidirectional(collective);
}

const struct algorithm algorithm_all_gather = {
    .name = "all-gather",
    .summary = "m packets of each node to all nodes, by shifts or a tournament",
    .source = "Kirkman; König: 1-factorisation",
    .models = MODELS_OF_COMPLETE_GRAPHS,
    .kind = COLLECTIVE_ALL_GATHER,
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = all_gather_keeps_ports,
    .accepts = all_gather_accepts,
    .same_trees = 1,
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
    .several_ports = MODELS_OF_SEVERAL_PORTS,
    .keeps_ports = one_by_one_keeps_ports,
    .accepts = total_exchange_accepts,
    .end = meetings_end,
    .build = meetings_build,
};
