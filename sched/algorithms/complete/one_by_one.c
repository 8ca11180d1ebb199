/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/one_by_one.h"

#include "sched/base/text.h"

#include <inttypes.h>

bool one_by_one_accepts(const struct collective *collective, struct err *err)
{
    uint64_t packets = collective_packets(collective);
    return packets <= SCHEDULE_MAX_PACKETS ||
           err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, packets,
                   text_s(packets), SCHEDULE_MAX_PACKETS);
}

uint64_t one_by_one_all(const struct collective *collective)
{
    return collective_end(collective, (uint64_t)collective->m * (collective->n - 1));
}

bool one_by_one_build(const struct collective *collective, bool gather, struct schedule *schedule,
                      struct err *err)
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
