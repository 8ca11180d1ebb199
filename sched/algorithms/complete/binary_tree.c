/* SPDX-License-Identifier: Apache-2.0 */
/* binary-tree: sends all packets down one almost complete binary tree, one packet every second
 * round.
 *
 * Node v has the children 2v+1 and 2v+2 and serves the left one first: label(0) = 0, label(left) =
 * label + 1, label(right) = label + 2. Packet p reaches v in round 2(p-1) + label(v). n = 8:
 *
 *                   0              label 0
 *            ┌──────┴──────┐
 *            1             2       labels 1, 2
 *         ┌──┴──┐       ┌──┴──┐
 *         3     4       5     6    labels 2, 3, 3, 4
 *       ┌─┘
 *       7                          label 3          packet 1: rounds 1 … 4, packet 2: 3 … 6, …
 *
 * A node sends to its left child in rounds of one parity and to its right child in rounds of the
 * other, and receives in rounds of one of them: send-receive. Exactly 2(m-1) + max label rounds. (n
 * = 2 therefore takes 2m-1 rounds, although a path takes m: the rate is fixed.)
 *
 * Bruck, Cypher and Ho, section 2.2 ("almost complete binary tree").
 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"

#include <stdlib.h>

#define LABELS 64 /* labels are below 2·log2 n */

/* Returns the label of heap index w = v + 1: one for each level, and one more for each right
 * turn. */
static unsigned label_of(uint32_t w)
{
    return bits_log2_down(w) + (unsigned)__builtin_popcount(w) - 1;
}

/* Returns the largest label of 1 … n. It is that of n, or of a number that has n's bits above one
 * of n's set bits, 0 at that bit and ones below: no other number below n has more ones for its
 * length. */
static unsigned largest_label(uint32_t n)
{
    unsigned largest = label_of(n);
    for (uint32_t bit = 1; bit <= n; bit *= 2) {
        uint32_t candidate = (n | (bit - 1)) & ~bit;
        if ((n & bit) != 0 && candidate > 0 && label_of(candidate) > largest)
            largest = label_of(candidate);
    }
    return largest;
}

static uint64_t binary_tree_end(const struct collective *collective)
{
    return 2 * (uint64_t)(collective->m - 1) + largest_label(collective->n);
}

/* Sorts the nodes 1 … n-1 by label, ascending within a label: those of label a are order[first[a]]
 * … order[first[a+1] - 1]. */
static void sort_by_label(uint32_t n, uint32_t order[], uint32_t first[LABELS + 1])
{
    uint32_t next[LABELS + 1] = {0};
    for (uint32_t node = 1; node < n; node++)
        next[label_of(node + 1) + 1]++;
    for (unsigned label = 1; label <= LABELS; label++)
        next[label] += next[label - 1];
    for (unsigned label = 0; label <= LABELS; label++)
        first[label] = next[label];
    for (uint32_t node = 1; node < n; node++)
        order[next[label_of(node + 1)]++] = node;
}

static bool build_round(const struct collective *collective, uint64_t round, const uint32_t order[],
                        const uint32_t first[], struct schedule *schedule, struct err *err)
{
    struct transfer *transfer = schedule_open_step(schedule, round, collective->n - 1, err);
    if (transfer == NULL)
        return false;
    size_t count = 0;
    for (unsigned label = round % 2 == 0 ? 2 : 1; label < LABELS && label <= round; label += 2) {
        uint64_t packet = (round - label) / 2 + 1;
        if (packet > collective->m)
            continue;
        for (uint32_t at = first[label]; at < first[label + 1]; at++) {
            uint32_t node = order[at];
            transfer[count++] = (struct transfer){(node - 1) / 2, node, (uint32_t)packet};
        }
    }
    schedule_close_step(schedule, count);
    return true;
}

static bool binary_tree_build(const struct collective *collective, struct schedule *schedule,
                              struct err *err)
{
    uint32_t n = collective->n, first[LABELS + 1];
    uint64_t rounds = binary_tree_end(collective);
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, rounds, (size_t)(n - 1) * collective->m + n, err))
        return false;
    uint32_t *order = malloc(n * sizeof *order);
    if (order == NULL)
        return err_no_memory(err, "the tree of %u nodes", n);
    sort_by_label(n, order, first);

    bool built = true;
    for (uint64_t round = 1; round <= rounds && built; round++)
        built = build_round(collective, round, order, first, schedule, err);
    free(order);
    return built;
}

const struct algorithm algorithm_binary_tree = {
    .name = "binary-tree",
    .summary = "sends all packets along one almost complete binary tree",
    .source = "Bruck, Cypher, Ho, section 2.2",
    .models = 1u << MODEL_SEND_RECEIVE,
    .streams = true,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = binary_tree_end,
    .build = binary_tree_build,
};
