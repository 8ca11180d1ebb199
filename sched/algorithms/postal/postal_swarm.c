/* SPDX-License-Identifier: Apache-2.0 */
/* postal_swarm: many packets in the postal model, rarest packets first, all nodes busy.
 *
 * Whenever nodes can send and receive,
 *
 *     1. the source sends the next new packet to a node with the fewest packets;
 *     2. the other senders, those with the fewest packets first, are matched with receivers that
 *        lack one of their packets, those with the fewest packets first; a sender without a free
 *        receiver takes a receiver whose sender can serve another one;
 *     3. each sender sends the packet that its receiver lacks and the fewest nodes have.
 *
 * Ties are broken by seeds; with every fourth seed some senders pause at random. The earliest end
 * of up to SEEDS runs is taken; there are fewer runs for many receipts, and none after a run that
 * meets the bound. n = 4, m = 3, λ = 2 meets the bound of 6:
 *
 *     time     0        1        2        3        4
 *     p1       0→2               2→1      2→3
 *     p2                0→1               1→2      0→3
 *     p3                         0→3      0→1      3→2
 *
 * The end is not proved to be near the bound; postal_block.c has a gap that does not grow with m.
 * Ours; the rules are those of telegraph.c.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/postal/swarm.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/bound/bound.h"

#include <inttypes.h>

#define MAX_RECEIPTS (UINT64_C(1) << 16)
#define FEW (UINT64_C(1) << 14)  /* most receipts for which the end is simulated */
#define WORK (UINT64_C(1) << 12) /* receipts of all runs together, about */
#define SEEDS 256

static uint64_t receipts_of(const struct collective *collective)
{
    return (collective->n - UINT64_C(1)) * collective->m;
}

/* Sets *best to the seed with the earliest end. Returns that end in ticks. */
static uint64_t choose(struct swarm *swarm, const struct collective *collective, uint64_t *best)
{
    uint64_t seeds = MIN(SEEDS, WORK / receipts_of(collective) + 1), bound = bound_end(collective);
    uint64_t earliest = UINT64_MAX;
    for (uint64_t seed = 0; seed < seeds && earliest > bound; seed++) {
        uint64_t end = swarm_run(swarm, seed, NULL, NULL);
        if (end < earliest) {
            earliest = end;
            *best = seed;
        }
    }
    return earliest;
}

static uint64_t swarm_end(const struct collective *collective)
{
    struct swarm swarm;
    uint64_t best = 0;
    if (receipts_of(collective) > FEW || !swarm_init(&swarm, collective, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t end = choose(&swarm, collective, &best);
    swarm_free(&swarm);
    return end;
}

static bool swarm_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err)
{
    struct swarm swarm;
    uint64_t best = 0;
    if (!schedule_reserve(schedule, 0, (size_t)receipts_of(collective), err) ||
        !swarm_init(&swarm, collective, err))
        return false;
    choose(&swarm, collective, &best);
    bool built = swarm_run(&swarm, best, schedule, err) > 0;
    swarm_free(&swarm);
    return built;
}

static bool swarm_accepts(const struct collective *collective, struct err *err)
{
    uint64_t receipts = receipts_of(collective);
    if (receipts > MAX_RECEIPTS)
        return err_set(err, ERR_ALGORITHM,
                       "postal-swarm of %" PRIu64 " receipts; expected at most %" PRIu64
                       ", or postal-block",
                       receipts, MAX_RECEIPTS);
    return true;
}

const struct algorithm algorithm_postal_swarm = {
    .name = "postal-swarm",
    .summary = "rarest packets first, all nodes busy: at or near the bound for few packets",
    .source = "our own",
    .models = 1u << MODEL_POSTAL,
    .accepts = swarm_accepts,
    .end = swarm_end,
    .build = swarm_build,
};
