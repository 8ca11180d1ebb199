/* SPDX-License-Identifier: Apache-2.0 */
/* booksim_trace: a trace of packets, for the branch `classes` of BookSim, which has workloads (its
 * reader: TraceWorkload in src/workload.cpp).
 *
 *     round 1   0 → 1           0 0 1 0     cycles after the packet before, source, destination,
 *     round 2   0 → 2, 1 → 3    1 0 2 0     type of the packet: 0
 *                               0 1 3 0
 *
 * Packets of a round are injected in its first cycle; injection.h gives its length. The last line
 * has no line feed, because the reader would read the last packet again after one. The file does
 * not list the contents of packets. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/injection.h"

#include <inttypes.h>

#define FLIT_BYTES 16 /* the default channel_width of BookSim, 128 bits */

static bool write_booksim_trace(FILE *to, const struct schedule *schedule,
                                const struct exchange_options *options, struct err *err)
{
    uint64_t flits = (options->bytes - 1) / FLIT_BYTES + 1, cycles = 0, last = 1;
    if (!injection_round(schedule, "booksim-trace", flits, INT32_MAX, &cycles, err))
        return false;
    for (size_t k = 0; k < schedule->step_count && !ferror(to); k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            fprintf(to, "%s%" PRIu64 " %" PRIu32 " %" PRIu32 " 0", t > 0 ? "\n" : "",
                    (schedule->step[k].time - last) * cycles, schedule->transfer[t].source,
                    schedule->transfer[t].destination);
            last = schedule->step[k].time;
        }
    return true;
}

const struct exchange_format exchange_booksim_trace = {
    .name = "booksim-trace",
    .what = "a trace of packets, for BookSim",
    .suffix = "trace",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_booksim_trace,
};
