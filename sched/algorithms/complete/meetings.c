/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/meetings.h"

#include "sched/algorithms/complete/one_by_one.h"
#include "sched/base/bits.h"

#include <inttypes.h>

bool meetings_accepts(const char *name, const struct collective *collective, struct err *err)
{
    if (!one_by_one_accepts(collective, err))
        return false;
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "%s has no one source, %" PRIu32 " is given; expected source 0", name,
                   collective->source);
}

bool meetings_go_both_ways(const struct collective *collective)
{
    const struct model_row *model = model_row(collective->model);
    return model->pairs && !model->half_duplex && collective->n % 2 != 0 && collective->ports > 1 &&
           collective->ports % 2 == 0;
}

/* Returns whether a round is made of matchings, of which each pauses a node if n is odd. */
static bool has_matchings(const struct collective *collective)
{
    return model_row(collective->model)->pairs && !meetings_go_both_ways(collective);
}

/* Number of meetings of a tournament, or of shifts. */
static uint32_t meetings_of(const struct collective *collective)
{
    bool odd = collective->n % 2 != 0;
    return has_matchings(collective) && odd ? collective->n : collective->n - 1;
}

/* Number of shifts, or of matchings, half of one by telegraph: each takes a port of the nodes for a
 * round. */
static uint64_t shifts_of(const struct collective *collective)
{
    uint64_t meetings = (uint64_t)meetings_of(collective) * collective->m;
    return model_row(collective->model)->half_duplex ? 2 * meetings : meetings;
}

uint64_t meetings_end(const struct collective *collective)
{
    return collective_end(collective, collective_over_ports(collective, shifts_of(collective)));
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

/* Returns the node to which node v sends in a shift, counted from 0; v itself if it does not
 * send. */
static uint32_t receiver_of(const struct collective *collective, uint64_t shift, uint32_t v)
{
    uint32_t n = collective->n, meetings = meetings_of(collective);
    bool half = model_row(collective->model)->half_duplex;
    uint32_t meeting = (uint32_t)((half ? shift / 2 : shift) % meetings) + 1;
    if (meetings_go_both_ways(collective)) /* by 1, -1, 2, -2, … */
        meeting = meeting % 2 != 0 ? (meeting + 1) / 2 : n - meeting / 2;
    if (!has_matchings(collective))
        return (v + meeting) % n;
    uint32_t partner = partner_of(n, meeting, v);
    bool up = shift % 2 == 0;
    return half && (partner > v) != up ? v : partner;
}

/* Writes the transfers of a shift. Over several ports a meeting sends its m packets one after the
 * other, so that a node sends different packets in a round. Returns the end of the transfers. */
static struct transfer *put_shift(const struct collective *collective, uint64_t shift,
                                  struct transfer *put)
{
    uint32_t n = collective->n, m = collective->m;
    uint64_t shifts = shifts_of(collective) / m; /* of one packet of each demand */
    bool by_packet = collective->ports > 1;
    uint64_t ways = meetings_go_both_ways(collective) ? 2 : 1, whole = shift / ways;
    uint32_t number = (uint32_t)(by_packet ? whole % m : shift / shifts);
    uint64_t which = by_packet ? whole / m * ways + shift % ways : shift % shifts;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t to = receiver_of(collective, which, v);
        if (to == v)
            continue;
        uint32_t before = (collective_packet(collective->kind, n, v, to) - 1) * m;
        *put++ = (struct transfer){v, to, before + 1 + number};
    }
    return put;
}

bool meetings_build(const struct collective *collective, struct schedule *schedule, struct err *err)
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
