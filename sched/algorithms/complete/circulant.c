/* SPDX-License-Identifier: Apache-2.0 */
/* circulant: Träff's round-optimal broadcast on a circulant graph, m - 1 + ⌈log2 n⌉ rounds.
 *
 * q = ⌈log2 n⌉, skip[q] = n, skip[k] = ⌈skip[k+1] / 2⌉. In a round of kind k every node r sends to
 * r + skip[k] and receives from r - skip[k] (mod n); the kinds alternate, and q rounds are a phase.
 * In a round of kind k node r receives packet recv[k][r] of the phase, counted from 0; a negative
 * number is a packet of the previous phase, -1 its last. n = 8, q = 3, skip = 1 2 4 8:
 *
 *     node        0   1   2   3   4   5   6   7
 *     recv[0]     -   0  -3  -2  -3  -1  -3  -2     from r - 1: the source sends packet 0 first
 *     recv[1]     -  -2   1   0  -2  -2  -1  -1     from r - 2: packet 1, and 1→3 packet 0
 *     recv[2]     -  -1  -1  -1   2   0   1   0     from r - 4: packet 2, 1→5 and 3→7 packet 0, 2→6
 *                                                   packet 1
 *
 * In a phase every node receives one packet of the phase, its base block, and all packets of the
 * previous phase except the base block it already has. The first phase is shortened by x rounds, so
 * that the last phase ends with round m - 1 + q: packets before the first are empty, and packets
 * after the last are the last. In the last phase only base blocks exceed the last packet, so no
 * transfer is redundant. (n = 8, m = 3, x = 1 is the example of docs/algorithms/complete.md.) The
 * row of a single node can be computed in about 3q steps, by a search over the sums of skips that
 * lead to it; the rows of all nodes are built from the rows of half as many (circulant_rows.h).
 *
 * J. L. Träff, "Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast,
 * All-Broadcast, Reduction and All-Reduction", 2024 (arXiv 2407.18004), receive schedules.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/circulant_rows.h"
#include "sched/base/bits.h"
#include "sched/base/memory.h"

#include <stdlib.h>

static uint64_t circulant_end(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + bits_log2_up(collective->n);
}

/* A round: a node receives packet[block[node]], or nothing if block[node] is below `least`. */
struct round {
    const uint32_t *packet;
    const int8_t *block;
    int8_t least;
};

/* Writes the transfers to nodes begin … end-1 from the senders `source`, source + 1, … Returns the
 * end of the transfers. */
static struct transfer *put_nodes(const struct round *round, uint32_t begin, uint32_t end,
                                  uint32_t source, struct transfer *put)
{
    const uint32_t *packet = round->packet;
    const int8_t *block = round->block, least = round->least;
    for (uint32_t node = begin; node < end; node++, source++) {
        int8_t gets = block[node];
        *put = (struct transfer){source, node, packet[gets]};
        put += gets >= least;
    }
    return put;
}

static bool build_round(const struct round *round, uint64_t number, uint32_t n, uint32_t skip,
                        struct schedule *schedule, struct err *err)
{
    struct transfer *transfer = schedule_open_step(schedule, number, n, err);
    if (transfer == NULL)
        return false;
    struct transfer *put = put_nodes(round, 1, skip, n + 1 - skip, transfer);
    put = put_nodes(round, skip, n, 0, put);
    schedule_close_step(schedule, (size_t)(put - transfer));
    return true;
}

static bool build_rounds(const struct collective *collective, unsigned q, const uint32_t skip[],
                         const int8_t *recv, struct schedule *schedule, struct err *err)
{
    int n = (int)collective->n, m = (int)collective->m, blocks = (int)q;
    uint64_t rounds = circulant_end(collective);
    unsigned x = (unsigned)((q - rounds % q) % q);
    for (uint64_t number = 1; number <= rounds; number++) {
        uint64_t index = number - 1 + x, k = index % q;
        int first = (int)(index - k) - (int)x + 1; /* packet 0 of the phase */
        uint32_t packet[2 * CIRCULANT_MAX_Q];      /* packets of blocks -q … q-1 */
        for (int block = -blocks; block < blocks; block++)
            packet[blocks + block] = (uint32_t)(first + block < m ? first + block : m);
        const struct round round = {packet + q, recv + k * (size_t)n,
                                    (int8_t)(first > blocks ? -blocks : 1 - first)};
        if (!build_round(&round, number, collective->n, skip[k], schedule, err))
            return false;
    }
    return true;
}

static bool circulant_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    uint32_t n = collective->n, skip[CIRCULANT_MAX_Q + 1];
    unsigned q = circulant_skips(n, skip);

    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, circulant_end(collective), (size_t)(n - 1) * collective->m + n,
                          err))
        return false;
    int8_t *base = malloc(n), *recv = malloc((size_t)q * n);
    bool built = base != NULL && recv != NULL;
    if (built) {
        memory_large_pages(recv, (size_t)q * n);
        circulant_base(q, skip, base);
        circulant_rows(q, skip, base, recv);
        built = build_rounds(collective, q, skip, recv, schedule, err);
    } else {
        err_no_memory(err, "the rows of %u nodes", n);
    }
    free(base);
    free(recv);
    return built;
}

static bool circulant_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    return guarantee_set(guarantee, circulant_end(collective), "m-1+⌈log n⌉",
                         "Träff 2024 (arXiv 2407.18004)");
}

const struct algorithm algorithm_circulant = {
    .name = "circulant",
    .summary = "optimal: every node sends to node + skip, each row is computed in O(log n)",
    .source = "Träff 2024 (arXiv 2407.18004)",
    .models = 1u << MODEL_SEND_RECEIVE,
    .usual_models = 1u << MODEL_SEND_RECEIVE,
    .end = circulant_end,
    .guarantee = circulant_guarantee,
    .build = circulant_build,
};
