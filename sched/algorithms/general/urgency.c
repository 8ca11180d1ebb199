/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/list.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>

#define SCALE 24 /* a packet that can wait for this number of rounds has weight 1 */

bool urgency_new(const struct needs *needs, struct urgency *urgency, struct err *err)
{
    size_t nodes = needs->nodes;
    *urgency = (struct urgency){.needs = needs};
    const struct arena_array arrays[] = {
        ARENA(urgency->packet, needs->packets), ARENA(urgency->receiver, nodes),
        ARENA(urgency->alone, nodes * URGENCY_SPREADS), ARENA(urgency->source, nodes)};
    urgency->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return urgency->memory != NULL || err_no_memory(err, "the urgency of packets");
}

void urgency_free(struct urgency *urgency)
{
    free(urgency->memory);
    *urgency = (struct urgency){0};
}

static unsigned spread(const struct needs *needs, uint32_t packet)
{
    uint64_t all = (uint64_t)needs->sent[packet] + needs->left[packet];
    return bits_log2_up(bits_divide_up(all, needs->sent[packet]));
}

/* Returns the source of the packet; for an unsent packet, the only node that has it. */
static uint32_t source_of(const struct needs *needs, uint32_t packet)
{
    return needs->node[needs->first[packet]];
}

/* Adds `count` packets like `packet` to the packets that only their source has, if it is one of
 * them. */
static void add_alone(struct urgency *urgency, uint32_t packet, uint32_t count)
{
    const struct needs *needs = urgency->needs;
    if (needs->sent[packet] == 1 && needs->left[packet] > 0)
        urgency
            ->alone[(size_t)source_of(needs, packet) * URGENCY_SPREADS + spread(needs, packet)] +=
            count;
}

/* Computes the rounds that each source needs for the packets that only it has: for each spread, the
 * packets with at least this spread leave one after another, and the last of them must then
 * spread. */
static void count_sources(struct urgency *urgency)
{
    const struct needs *needs = urgency->needs;
    for (size_t k = 0; k < (size_t)needs->nodes * URGENCY_SPREADS; k++)
        urgency->alone[k] = 0;
    for (uint32_t k = 0; k < needs->look_count; k++)
        add_alone(urgency, needs->look[k], 1);
    for (uint32_t k = 0; k < needs->bundle_count; k++)
        if (needs->bundle[k].next < needs->bundle[k].end)
            add_alone(urgency, needs->bundle[k].next, needs->bundle[k].end - needs->bundle[k].next);
    for (uint32_t node = 0; node < needs->nodes; node++) {
        const uint32_t *alone = urgency->alone + (size_t)node * URGENCY_SPREADS;
        uint64_t packets = 0, rounds = 0;
        for (unsigned far = URGENCY_SPREADS; far-- > 0;) {
            packets += alone[far];
            if (alone[far] > 0 && packets - 1 + far > rounds)
                rounds = packets - 1 + far;
        }
        urgency->source[node] = rounds;
    }
}

static void count_least(struct urgency *urgency)
{
    const struct needs *needs = urgency->needs;
    uint64_t least = 0;
    for (uint32_t node = 0; node < needs->nodes; node++) {
        least = MAX(least, needs->wants[node]);
        least = MAX(least, urgency->source[node]);
    }
    for (uint32_t k = 0; k < needs->look_count; k++) {
        unsigned far = spread(needs, needs->look[k]);
        least = MAX(least, far);
    }
    urgency->least = least;
}

/* Returns the weighted urgency: `count` in full if `rounds` is all the rounds that remain, and
 * halved for each round of slack. */
static int64_t weigh(const struct urgency *urgency, unsigned count, uint64_t rounds)
{
    uint64_t slack = urgency->least - rounds;
    return ((int64_t)count << SCALE) >> MIN(slack, SCALE);
}

void urgency_count(struct urgency *urgency, struct list_rule rule, struct rng *rng)
{
    const struct needs *needs = urgency->needs;
    count_sources(urgency);
    count_least(urgency);
    for (uint32_t node = 0; node < needs->nodes; node++)
        urgency->receiver[node] = weigh(urgency, rule.receive, needs->wants[node]);
    for (uint32_t k = 0; k < needs->look_count; k++) {
        uint32_t p = needs->look[k];
        urgency->packet[p] = 0;
        if (needs->left[p] == 0)
            continue;
        urgency->packet[p] = 1 + weigh(urgency, rule.spread, spread(needs, p));
        if (needs->sent[p] == 1)
            urgency->packet[p] += weigh(urgency, rule.send, urgency->source[source_of(needs, p)]);
        if (rule.noise > 0)
            urgency->packet[p] += (int64_t)rng_below(rng, rule.noise) << (SCALE - 8);
    }
}
