/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph: half-duplex broadcast, 2m - 1 + ⌊log2 n⌋ rounds for odd n, 2m + ⌊log2 n⌋ - ⌊(m - 1 +
 * 2^⌊log2 n⌋) / (n/2)⌋ for even n (docs/algorithms/complete.md gives the source of the formulas and
 * the measurements, docs/algorithms/telegraph.md the proofs). The schedules are our own.
 *
 * Odd n, powers of two, and for other even n many m: pairs of nodes, proved to be optimal
 * (telegraph_pairs.h). Otherwise: a run, which is optimal in every case tried. The argument is
 * mostly a count of receipts: once all nodes hold a packet, hardly any round before the last may
 * leave two nodes idle. In each round
 *
 *     1  the source has one more packet to send, M_t in round t;
 *     2  a node is late if it misses more than half as many packets as there are rounds left. Late
 *        nodes receive packets first; then all other nodes may receive;
 *     3  in both cases, the packets that the fewest nodes hold are sent first, by holders of many
 *        packets to nodes with few, so that a new packet doubles in every round; the source is the
 *        last to send an old packet;
 *     4  the nodes that are left all hold the same packets. For two of them a pair chosen late is
 *        split: its nodes and those two become two pairs.
 *
 * Ties are first broken by node number, and if that takes longer than the formula, by several
 * seeded orders. No proof shows that this meets the formula for all even n and m. For more than 64
 * packets and the n of telegraph_steady.h a steady run meets it, which is proved.
 *
 * Complexity: pairs take O(transfers). A round of a run considers up to m packets, 64 nodes at
 * once, so a run is O(m/64·transfers) plus the transfers that it finds; senders and receivers are
 * also read from bit rows (telegraph_run.h). A build performs one run for each order that is tried,
 * and one more if the first order is not the best. Memory: three bits for each node and packet; for
 * pairs, a bit, and a transfer of the model for every two of the schedule.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/telegraph_pairs.h"
#include "sched/algorithms/complete/telegraph_run.h"
#include "sched/base/bits.h"
#include "sched/bound/bound.h"

/* Maximum product of nodes and packets for which telegraph_end runs the algorithm. */
#define FEW (UINT64_C(1) << 15)
/* At most ORDERS orders are tried, until their total work exceeds MANY, but at least one. */
#define ORDERS 16
#define MANY (UINT64_C(1) << 26)

/* Tries further seeds after seed 0, which takes `rounds`. Sets *best to the first seed that meets
 * the formula, or else to the best one. Returns its number of rounds. */
static uint64_t choose(struct telegraph_run *run, uint64_t rounds, uint64_t *best)
{
    uint64_t product = (uint64_t)run->n * run->m;
    *best = 0;
    for (uint64_t seed = 1; seed < ORDERS && rounds > run->bound; seed++) {
        if ((seed + 1) * product > MANY)
            break;
        uint64_t taken = telegraph_run(run, seed, NULL, NULL);
        if (taken < rounds) {
            rounds = taken;
            *best = seed;
        }
    }
    return rounds;
}

static bool is_of_pairs(const struct collective *collective)
{
    return collective->n >= 3 && telegraph_pairs_optimal(collective);
}

static uint64_t telegraph_end(const struct collective *collective)
{
    uint32_t n = collective->n, m = collective->m;
    if (is_of_pairs(collective) || telegraph_steady_find(n, m) != NULL)
        return bound_end(collective);
    struct telegraph_run run;
    if ((uint64_t)n * m > FEW || !telegraph_run_init(&run, collective, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t best, rounds = choose(&run, telegraph_run(&run, 0, NULL, NULL), &best);
    telegraph_run_free(&run);
    return rounds;
}

static bool telegraph_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, 2 * (size_t)m + bits_log2_up(n), (size_t)(n - 1) * m + n, err))
        return false;
    if (is_of_pairs(collective))
        return telegraph_pairs_build(collective, schedule, err);
    struct telegraph_run run;
    if (!telegraph_run_init(&run, collective, err))
        return false;
    run.steady = telegraph_steady_find(n, m);
    uint64_t rounds = telegraph_run(&run, 0, schedule, err), best = 0;
    if (rounds > 0)
        choose(&run, rounds, &best);
    if (best != 0) {
        schedule_clear_steps(schedule);
        rounds = telegraph_run(&run, best, schedule, err);
    }
    telegraph_run_free(&run);
    return rounds > 0;
}

static bool telegraph_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    static const char *const formula[] = {"2m-1+⌈log n/2⌉-⌊(m-1)/(n/2)⌋", "2m-1+⌊log n⌋",
                                          "2m-1+⌈log n/2⌉-⌊m/(n/2)⌋", "2m-1+⌊log n⌋"};
    return is_of_pairs(collective) &&
           guarantee_set(guarantee, telegraph_pairs_end(collective), formula[collective->n % 4],
                         "docs/algorithms/telegraph.md");
}

const struct algorithm algorithm_telegraph = {
    .name = "telegraph",
    .summary =
        "half duplex, all nodes busy: optimal for odd n and powers of two, and in every case tried",
    .source = "our own; formulas of Cockayne, Thomason and of Farley",
    .models = 1u << MODEL_TELEGRAPH,
    .usual_models = 1u << MODEL_TELEGRAPH,
    .end = telegraph_end,
    .guarantee = telegraph_guarantee,
    .build = telegraph_build,
};
