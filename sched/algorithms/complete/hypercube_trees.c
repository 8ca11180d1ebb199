/* SPDX-License-Identifier: Apache-2.0 */
/* hypercube-trees: edge-disjoint binomial trees of the hypercube, followed by one binomial tree; n
 * = 2^k.
 *
 * In round t = 0, 1, … all nodes are paired along dimension c = t mod k: x with x xor 2^c. Node 0
 * sends packet t, and repeats the last packet when it has no other. Node x sends the packet that
 * node 0 last sent along dimension i, where i is the first of c, c+1, …, k-1, 0, …, c-1 whose bit
 * is set in x: packet t - j with j = (c - i) mod k, but k for i = c. n = 8, m = 3:
 *
 *     round 1, c = 0   0→1: 1
 *     round 2, c = 1   0→2: 2   1→3: 1
 *     round 3, c = 2   0→4: 3   2→6: 2   1→5: 1   3→7: 1
 *     round 4, c = 0   0→1: 3   2→3: 2   4→5: 3   6→7: 2   3→2: 1   5→4: 1   7→6: 1
 *     round 5, c = 1   0→2: 3   1→3: 3   4→6: 3   5→7: 3   3→1: 2   6→4: 2   7→5: 2
 *
 * The packet that a node receives from node 0 in a round goes down the binomial tree of the next k
 * - 1 dimensions: there are k trees, one for each first dimension, and no two share an arc. Packets
 * beyond the last stand for the last packet: in the last k rounds it goes down one binomial tree.
 * Rounds are matchings: the send-receive and telephone models. Exactly m - 1 + k rounds, which is
 * optimal. No table: a node's packet follows from round and number in O(1), and no transfer is
 * redundant. O(n) per round, less in the first k rounds.
 *
 * Bruck, Cypher and Ho, sections 1 and 2.3, which cite C.-T. Ho, "Optimal broadcasting on SIMD
 * hypercubes without indirect addressing capability", 1991.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/base/text.h"

static unsigned dimensions(const struct collective *collective)
{
    return (unsigned)__builtin_ctz(collective->n);
}

static uint64_t hypercube_trees_end(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + dimensions(collective);
}

/* Rotates x: bit b becomes bit (b + c) mod k. */
static inline uint32_t rotate(uint32_t x, unsigned c, unsigned k)
{
    return (x << c | x >> (k - c)) & ((UINT32_C(1) << k) - 1);
}

/* Writes round t, from 0. Nodes are numbered from dimension c on: y is node rotate(y), its j is k -
 * ctz(y), 0 for node 0. Only nodes with j ≤ t have a packet to send: y is a multiple of 2^(k-t).
 * Returns the number of transfers. */
static size_t run_round(const struct collective *collective, uint64_t t, struct transfer transfer[])
{
    unsigned k = dimensions(collective), c = (unsigned)(t % k);
    uint32_t stride = t < k ? UINT32_C(1) << (k - t) : 1;
    size_t count = 0;
    for (uint32_t y = 0; y < collective->n; y += stride) {
        unsigned age = y == 0 ? 0 : k - (unsigned)__builtin_ctz(y);
        uint64_t packet = t - age < collective->m ? t - age + 1 : collective->m;
        if (y != 1) /* the partner of y = 1 is node 0 */
            transfer[count++] =
                (struct transfer){rotate(y, c, k), rotate(y ^ 1, c, k), (uint32_t)packet};
    }
    return count;
}

static bool hypercube_trees_build(const struct collective *collective, struct schedule *schedule,
                                  struct err *err)
{
    uint32_t n = collective->n;
    uint64_t rounds = hypercube_trees_end(collective);
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, rounds, (size_t)(n - 1) * collective->m + n, err))
        return false;
    for (uint64_t t = 0; t < rounds; t++) {
        struct transfer *transfer = schedule_open_step(schedule, t + 1, n, err);
        if (transfer == NULL)
            return false;
        schedule_close_step(schedule, run_round(collective, t, transfer));
    }
    return true;
}

static bool hypercube_trees_accepts(const struct collective *collective, struct err *err)
{
    uint32_t n = collective->n, above = UINT32_C(1) << bits_log2_up(n);
    if (n != above)
        return err_set(err, ERR_ALGORITHM,
                       "hypercube-trees on %u node%s; expected a power of two, such as %u or %u", n,
                       text_s(n), above / 2, above);
    return true;
}

static bool hypercube_trees_guarantee(const struct collective *collective,
                                      struct guarantee *guarantee)
{
    return guarantee_set(guarantee, hypercube_trees_end(collective), "m-1+log n",
                         "Bar-Noy, Kipnis, Schieber, Theorem 3");
}

const struct algorithm algorithm_hypercube_trees = {
    .name = "hypercube-trees",
    .summary = "optimal for n = 2^k: arc-disjoint binomial trees of the hypercube",
    .source = "Ho 1991; Bruck, Cypher, Ho, section 2.3",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE,
    .accepts = hypercube_trees_accepts,
    .end = hypercube_trees_end,
    .guarantee = hypercube_trees_guarantee,
    .build = hypercube_trees_build,
};
