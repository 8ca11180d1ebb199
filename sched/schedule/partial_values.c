/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/partial_values.h"

#include "sched/base/arena.h"
#include "sched/schedule/port_words.h"

#include <stdlib.h>
#include <string.h>

static size_t pair_of(const struct partial_values *values, uint32_t node, uint32_t packet)
{
    return (size_t)(packet - 1) * values->schedule->topology.all + node;
}

/* Returns the words of a packet at a node. */
static uint64_t *words_of(const struct partial_values *values, uint32_t node, uint32_t packet)
{
    const size_t words = values->first[values->schedule->topology.all];
    return &values->word[(packet - 1) * words + values->first[node]];
}

static uint32_t count_of(const struct partial_values *values, uint32_t node)
{
    return (uint32_t)(values->first[node + 1] - values->first[node]);
}

/* Returns the value of all that a node has of a packet. */
static uint64_t all_of(const struct partial_values *values, uint32_t node, uint32_t packet)
{
    return port_words_combine(words_of(values, node, packet), count_of(values, node), values->add);
}

/* Numbers the words of a packet. E104. */
static bool number_words(struct partial_values *values)
{
    const struct topology *topology = &values->schedule->topology;
    values->first = malloc((topology->all + (size_t)1) * sizeof *values->first);
    for (uint32_t node = 0, all = topology->all; values->first != NULL && node <= all; node++)
        values->first[node] =
            node == 0 ? 0
                      : values->first[node - 1] +
                            (values->by_port ? port_words_count(topology, node - 1) : 1);
    return values->first != NULL;
}

bool partial_values_new(struct partial_values *values, const struct schedule *schedule,
                        bool by_port, uint64_t (*leaf)(uint32_t node),
                        void (*add)(uint64_t *to, uint64_t part))
{
    const size_t pairs = (size_t)schedule->topology.all * schedule->packets;
    *values = (struct partial_values){.schedule = schedule, .add = add, .by_port = by_port};
    if (!number_words(values))
        return false;
    const struct arena_array arrays[] = {
        ARENA(values->word, values->first[schedule->topology.all] * schedule->packets),
        ARENA(values->received, by_port ? 0 : pairs),
        ARENA(values->sent, schedule->transfer_count)};
    values->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (values->memory == NULL)
        return false;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t k = 0; k < schedule_starts(schedule, demand); k++) {
                const uint32_t node = schedule_start(demand, k);
                *words_of(values, node, packet) = leaf(node);
            }
    }
    return true;
}

void partial_values_free(struct partial_values *values)
{
    free(values->first);
    free(values->memory);
    *values = (struct partial_values){0};
}

void partial_values_send(struct partial_values *values, size_t step)
{
    const struct schedule *schedule = values->schedule;
    const uint64_t time = schedule->step[step].time + schedule->lambda.numerator;
    for (; values->step < schedule->step_count && schedule->step[values->step].time < time;
         values->step++)
        for (size_t t = schedule->step[values->step].first;
             t < schedule_step_end(schedule, values->step); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const bool received = schedule_combining(schedule, t) & COMBINING_RECEIVED;
            values->sent[t] =
                received && !values->by_port
                    ? values->received[pair_of(values, transfer->source, transfer->packet)]
                    : all_of(values, transfer->source, transfer->packet);
        }
}

/* Puts a value in the place of all that a node has of a packet. */
static void replace(struct partial_values *values, uint32_t node, uint32_t packet, uint32_t index,
                    uint64_t value)
{
    uint64_t *word = words_of(values, node, packet);
    memset(word, 0, count_of(values, node) * sizeof *word);
    word[index] = value;
    if (!values->by_port)
        values->received[pair_of(values, node, packet)] = value;
}

/* Adds a value to a word of a node. */
static void add_at(struct partial_values *values, uint32_t node, uint32_t packet, uint32_t index,
                   uint64_t part)
{
    values->add(&words_of(values, node, packet)[index], part);
    if (!values->by_port)
        values->add(&values->received[pair_of(values, node, packet)], part);
}

void partial_values_receive(struct partial_values *values, size_t transfer)
{
    const struct schedule *schedule = values->schedule;
    const struct transfer *now = &schedule->transfer[transfer];
    const uint32_t index = values->by_port ? port_words_index(schedule, transfer) : 0;
    const bool replaces = schedule_combining(schedule, transfer) & COMBINING_REPLACE;
    (replaces ? replace : add_at)(values, now->destination, now->packet, index,
                                  values->sent[transfer]);
}

void partial_values_add(struct partial_values *values, uint32_t node, uint32_t packet,
                        uint64_t part)
{
    add_at(values, node, packet, 0, part);
}

uint64_t partial_values_result(const struct partial_values *values, const struct demand *demand,
                               uint32_t node, uint32_t packet)
{
    const bool exclusive = demand->reduction != NULL && demand->reduction->exclusive;
    return exclusive && !values->by_port ? values->received[pair_of(values, node, packet)]
                                         : all_of(values, node, packet);
}
