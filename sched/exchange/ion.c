/* SPDX-License-Identifier: Apache-2.0 */
/* ion: a contact plan of ION, the Interplanetary Overlay Network (ionrc(5): `a contact` and
 * `a range`).
 *
 *     round 1   0 → 1         a range +0 +2 1 2 0        0 light seconds, both ways
 *     round 2   0 → 2, 1 → 3  a contact +0 +1 1 2 64     second 0 to 1, from 1 to 2, 64 bytes/s
 *                             a contact +1 +2 1 3 64
 *
 * A round is one second after the reference time, in which a contact carries one packet. ION has no
 * node 0: processor v is node v + 1. Contacts are directional; a range holds both ways, from the
 * lower node. The file does not list packets: contact graph routing finds their routes. */
#include "sched/exchange/exchange.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* Two nodes that a contact joins. */
struct pair {
    uint32_t low, high;
};

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    return compare_then(COMPARE(a->low, b->low), COMPARE(a->high, b->high));
}

/* Writes a range for each pair, once. E104. */
static bool put_ranges(FILE *to, const struct schedule *schedule, struct err *err)
{
    size_t count = schedule->transfer_count;
    struct pair *pair = malloc((count + 1) * sizeof *pair);
    if (pair == NULL)
        return err_no_memory(err, "the pairs of %zu transfers", count);
    for (size_t t = 0; t < count; t++) {
        uint32_t one = schedule->transfer[t].source, other = schedule->transfer[t].destination;
        pair[t] = (struct pair){MIN(one, other), MAX(one, other)};
    }
    qsort(pair, count, sizeof *pair, compare_pairs);
    for (size_t t = 0; t < count; t++)
        if (t == 0 || compare_pairs(&pair[t - 1], &pair[t]) != 0)
            fprintf(to, "a range +0 +%" PRIu64 " %" PRIu32 " %" PRIu32 " 0\n", schedule->end,
                    pair[t].low + 1, pair[t].high + 1);
    free(pair);
    return true;
}

static bool write_ion(FILE *to, const struct schedule *schedule,
                      const struct exchange_options *options, struct err *err)
{
    if (!put_ranges(to, schedule, err))
        return false;
    for (size_t k = 0; k < schedule->step_count && !ferror(to); k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            fprintf(to, "a contact +%" PRIu64 " +%" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu64 "\n",
                    schedule->step[k].time - 1, schedule->step[k].time,
                    schedule->transfer[t].source + 1, schedule->transfer[t].destination + 1,
                    options->bytes);
    return true;
}

const struct exchange_format exchange_ion = {
    .name = "ion",
    .what = "a contact plan, for ION",
    .suffix = "ionrc",
    .lacks =
        EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_COMBINES,
    .most = SCHEDULE_MAX_NODES,
    .write = write_ion,
};
