/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/one_by_one.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"

#include <inttypes.h>

bool one_by_one_accepts(const struct collective *collective, struct err *err)
{
    uint64_t packets = collective_packets(collective);
    return packets <= SCHEDULE_MAX_PACKETS ||
           err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, packets,
                   text_s(packets), SCHEDULE_MAX_PACKETS);
}

bool one_by_one_keeps_ports(const struct collective *collective)
{
    (void)collective;
    return true;
}

uint64_t one_by_one_all(const struct collective *collective)
{
    uint64_t packets = (uint64_t)collective->m * (collective->n - 1);
    return collective_end(collective, collective_over_ports(collective, packets));
}

bool one_by_one_build(const struct collective *collective, bool gather, struct schedule *schedule,
                      struct err *err)
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
