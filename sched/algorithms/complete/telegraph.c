/* SPDX-License-Identifier: Apache-2.0 */
/* telegraph: half-duplex broadcast, optimal in every case tried: 2m - 1 + ⌊log2 n⌋ rounds for odd
 * n, 2m + ⌊log2 n⌋ - ⌊(m - 1 + 2^⌊log2 n⌋) / (n/2)⌋ for even n (docs/algorithms/complete.md gives
 * the source of the formulas, an example, and the measurements). The schedules are our own.
 *
 * The argument is mostly a count of receipts: once all nodes hold a packet, hardly any round before
 * the last may leave two nodes idle. In each round
 *     1  the source has one packet more to give, M_t in round t;
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
 * seeded orders. No proof shows that this meets the formula for all n and m. For more than 64
 * packets and the n of telegraph_steady.h a steady run meets it, which is proved. n = 4 has a
 * schedule of its own.
 *
 * Complexity: a round considers up to m packets, 64 nodes at once, so a run is O(m/64·transfers)
 * plus the transfers that it finds; senders and receivers are also read from bit rows
 * (telegraph_run.h). A build performs one run for each order that is tried, and one more if the
 * first order is not the best. Memory: three bits for each node and packet.
 */
#include "sched/algorithms/algorithm.h"
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

/* Returns the end for n = 4, which is too small for choices: its schedule has period 3 for two
 * packets. */
static uint64_t four_end(uint32_t m)
{
    return m / 2 * UINT64_C(3) + (m % 2 == 0 ? 1 : 2);
}

static uint64_t telegraph_end(const struct collective *collective)
{
    uint32_t n = collective->n, m = collective->m;
    if (n == 4)
        return four_end(m);
    if (telegraph_steady_find(n, m) != NULL)
        return bound_end(collective);
    struct telegraph_run run;
    if ((uint64_t)n * m > FEW || !telegraph_run_init(&run, collective, NULL))
        return ALGORITHM_UNKNOWN;
    uint64_t best, rounds = choose(&run, telegraph_run(&run, 0, NULL, NULL), &best);
    telegraph_run_free(&run);
    return rounds;
}

/* Appends a round of one or two transfers; two.packet is 0 if there is only one. E104. */
static bool add_round(struct schedule *schedule, uint64_t round, struct transfer one,
                      struct transfer two, struct err *err)
{
    struct transfer *transfer = schedule_open_step(schedule, round, 2, err);
    if (transfer == NULL)
        return false;
    size_t count = 1;
    transfer[0] = one;
    if (two.packet > 0)
        transfer[count++] = two;
    schedule_close_step(schedule, count);
    return true;
}

/* Appends the rounds for n = 4: packets P and Q = P + 1 in three rounds that begin with c lacking P
 * - 1 and end with a lacking Q:
 *
 *     0→a: P  b→c: P-1        0→b: Q  a→c: P        0→c: Q  a→b: P
 *
 * If P is the last packet, the second round is 0→b: P, a→c: P; if Q is, c receives it from b in one
 * more round. */
static bool build_four(uint32_t m, struct schedule *schedule, struct err *err)
{
    uint32_t a = 1, b = 2, c = 3;
    uint64_t round = 0;
    for (uint32_t p = 1; p <= m; p += 2) {
        uint32_t q = p < m ? p + 1 : p, old_a = a;
        if (!add_round(schedule, ++round, (struct transfer){0, a, p},
                       (struct transfer){b, c, p - 1}, err) ||
            !add_round(schedule, ++round, (struct transfer){0, b, q}, (struct transfer){a, c, p},
                       err) ||
            (q > p && !add_round(schedule, ++round, (struct transfer){0, c, q},
                                 (struct transfer){a, b, p}, err)))
            return false;
        a = c;
        c = old_a;
    }
    return m % 2 != 0 || add_round(schedule, ++round, (struct transfer){b, c, m},
                                   (struct transfer){0, 0, 0}, err);
}

static bool telegraph_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, 2 * (size_t)m + bits_log2_up(n), (size_t)(n - 1) * m + n, err))
        return false;
    if (n == 4)
        return build_four(m, schedule, err);
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

const struct algorithm algorithm_telegraph = {
    .name = "telegraph",
    .summary = "half duplex, rarest packets first, all nodes busy: optimal in every case tried",
    .source = "our own; formulas of Cockayne, Thomason and of Farley",
    .models = 1u << MODEL_TELEGRAPH,
    .usual_models = 1u << MODEL_TELEGRAPH,
    .end = telegraph_end,
    .build = telegraph_build,
};
