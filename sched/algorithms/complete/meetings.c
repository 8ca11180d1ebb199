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

uint64_t meetings_end(const struct collective *collective)
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

bool meetings_build(const struct collective *collective, struct schedule *schedule, struct err *err)
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
