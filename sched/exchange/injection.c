/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/injection.h"

#include "sched/base/text.h"

#include <inttypes.h>

/* Number of packets that the model lets a node send in a round. */
static uint64_t packets_of_round(const struct schedule *schedule)
{
    uint32_t arcs = schedule->topology.arcs;
    return arcs > 0 && !model_row(schedule->model)->one_link ? arcs : schedule->ports;
}

bool injection_round(const struct schedule *schedule, const char *format, uint64_t flits,
                     uint64_t most, uint64_t *cycles, struct err *err)
{
    uint64_t packets = packets_of_round(schedule);
    uint64_t most_flits = most / packets / (schedule->end > 0 ? schedule->end : 1);
    if (flits > most_flits)
        return err_set(err, ERR_TOO_BIG,
                       "%s: %" PRIu64 " round%s of %" PRIu64 " packet%s of %" PRIu64
                       " flit%s of a node; expected at most %" PRIu64 " cycles in all",
                       format, schedule->end, text_s(schedule->end), packets, text_s(packets),
                       flits, text_s(flits), most);
    *cycles = packets * flits;
    return true;
}
