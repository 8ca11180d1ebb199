/* SPDX-License-Identifier: Apache-2.0 */
/* noxim: the packets that processing elements inject in each cycle, for Noxim
 * (`-traffic hardcoded FILE`; its reader: src/GlobalTrafficHardcoding.cpp).
 *
 *     round 1   0 → 1         % round 1
 *     round 2   0 → 2, 1 → 3  0 1         source and destination
 *                             -1          the end of a cycle
 *                             -1
 *                             % round 2
 *                             0 2
 *                             1 3
 *                             -1
 *                             -1
 *
 * Packets of a round are injected in its first cycle; injection.h gives its length. The file does
 * not list the contents of packets. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/injection.h"

#include "sched/base/compare.h"

#include <inttypes.h>

#define FLIT_BYTES 4  /* the default flit_size of Noxim, 32 bits */
#define LEAST_FLITS 2 /* Noxim rejects shorter packets */
#define MOST_CYCLES (UINT64_C(1) << 24)

static void put_cycles(FILE *to, uint64_t cycles)
{
    for (uint64_t cycle = 0; cycle < cycles && !ferror(to); cycle++)
        fputs("-1\n", to);
}

static bool write_noxim(FILE *to, const struct schedule *schedule,
                        const struct exchange_options *options, struct err *err)
{
    uint64_t flits = MAX((options->bytes - 1) / FLIT_BYTES + 1, LEAST_FLITS), cycles = 0,
             rounds = 0;
    if (!injection_round(schedule, "noxim", flits, MOST_CYCLES, &cycles, err))
        return false;
    fprintf(to, "%% -traffic hardcoded FILE -size %" PRIu64 " %" PRIu64 "\n", flits, flits);
    for (size_t k = 0; k < schedule->step_count && !ferror(to); k++) {
        put_cycles(to, (schedule->step[k].time - 1 - rounds) * cycles);
        fprintf(to, "%% round %" PRIu64 "\n", schedule->step[k].time);
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            fprintf(to, "%" PRIu32 " %" PRIu32 "\n", schedule->transfer[t].source,
                    schedule->transfer[t].destination);
        put_cycles(to, cycles);
        rounds = schedule->step[k].time;
    }
    return true;
}

const struct exchange_format exchange_noxim = {
    .name = "noxim",
    .what = "traffic of each cycle, for Noxim",
    .suffix = "txt",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_noxim,
};
