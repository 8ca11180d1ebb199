/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_layout.h"

#include "sched/base/compare.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Writing: places of packets ----------------------------------------------------------- */

static bool is_for_all(const struct schedule *schedule, const struct demand *demand)
{
    uint32_t others = demand->wanted_count;
    return others == 0 || others == schedule->nodes ||
           (others == schedule->nodes - 1 && !demand_wants(demand, demand->source));
}

/* Returns the only node that wants a demand; its source if no node or several nodes want it. */
static uint32_t only_one(const struct schedule *schedule, const struct demand *demand)
{
    if (demand->wanted_count == 1)
        return demand->wanted[0];
    if (demand->wanted_count == 0 && schedule->nodes == 2)
        return 1 - demand->source;
    return demand->source;
}

/* Numbers the packets of each source, or of each pair of a source and a destination. */
static bool number_parts(struct msccl_layout *layout, bool by_pair)
{
    const struct schedule *schedule = layout->schedule;
    uint32_t nodes = schedule->nodes;
    uint32_t *count = calloc((size_t)nodes * (by_pair ? nodes : 1), sizeof *count);
    for (size_t k = 0; count != NULL && k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        uint32_t key =
            by_pair ? demand->source * nodes + only_one(schedule, demand) : demand->source;
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            layout->part[packet] = count[key]++;
    }
    free(count);
    return count != NULL;
}

/* Properties that all demands share. */
struct pattern {
    bool all, one;                    /* all demands are wanted by all nodes, by one node */
    bool one_source, one_destination; /* all demands have the same source, the same destination */
    uint32_t source, destination;     /* those of the first demand */
};

static struct pattern pattern_of(const struct schedule *schedule)
{
    struct pattern found = {true,
                            true,
                            true,
                            true,
                            schedule->demand[0].source,
                            only_one(schedule, &schedule->demand[0])};
    for (size_t k = 0; k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        uint32_t destination = only_one(schedule, demand);
        found.all = found.all && is_for_all(schedule, demand);
        found.one = found.one && destination != demand->source;
        found.one_source = found.one_source && demand->source == found.source;
        found.one_destination = found.one_destination && destination == found.destination;
    }
    return found;
}

/* Returns whether all `groups` groups have the same number of packets, which is so if none has more
 * than the average. Precondition: no packet is in another group. */
static bool is_even(const struct msccl_layout *layout, uint32_t groups)
{
    uint32_t packets = layout->schedule->packets, each = packets / groups;
    bool even = true;
    for (uint32_t packet = 1; even && packet <= packets; packet++)
        even = layout->part[packet] < each;
    return even;
}

static void choose(struct msccl_layout *layout, enum msccl_collective collective, uint32_t root,
                   uint32_t groups, uint32_t loop)
{
    layout->collective = collective;
    layout->root = root;
    layout->each = layout->schedule->packets / groups;
    layout->per_loop = layout->each * loop;
}

void msccl_layout_customize(struct msccl_layout *layout)
{
    choose(layout, MSCCL_CUSTOM, 0, 1, 1);
}

/* Chooses the collective of a schedule that only moves packets. */
static void choose_moving(struct msccl_layout *layout, const struct pattern *pattern)
{
    uint32_t nodes = layout->schedule->nodes, others = nodes - 1;
    if (pattern->all && pattern->one_source)
        choose(layout, MSCCL_BROADCAST, pattern->source, 1, 1);
    else if (pattern->all && is_even(layout, nodes))
        choose(layout, MSCCL_ALL_GATHER, 0, nodes, nodes);
    else if (!pattern->all && pattern->one && is_even(layout, nodes * others))
        choose(layout, MSCCL_ALL_TO_ALL, 0, nodes * others, nodes);
    else if (!pattern->all && pattern->one && pattern->one_destination && is_even(layout, others))
        choose(layout, MSCCL_GATHER, pattern->destination, others, 1);
    else if (!pattern->all && pattern->one && pattern->one_source && is_even(layout, others))
        choose(layout, MSCCL_SCATTER, pattern->source, others, 1);
}

/* Returns whether node x wants the x-th part of the packets, for all nodes. */
static bool is_scattered(const struct schedule *schedule)
{
    uint32_t each = schedule->packets / schedule->nodes;
    bool scattered = each > 0 && schedule->packets % schedule->nodes == 0;
    for (size_t k = 0; scattered && k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        scattered = demand->wanted_count == 1 &&
                    demand->wanted[0] == (demand->first_packet - 1) / each &&
                    demand->wanted[0] == (demand->last_packet - 1) / each;
    }
    return scattered;
}

/* Chooses the collective of a schedule that combines all packets. */
static void choose_reducing(struct msccl_layout *layout)
{
    const struct schedule *schedule = layout->schedule;
    bool of_all = true, to_all = true, to_one = true;
    for (size_t k = 0; k < schedule->demand_count; k++) {
        const struct demand *demand = &schedule->demand[k];
        of_all = of_all && demand->reduction->contributor_count == 0 && !demand->reduction->prefix;
        to_all = to_all && demand->wanted_count == 0;
        to_one = to_one && demand->wanted_count == 1 &&
                 demand->wanted[0] == schedule->demand[0].wanted[0];
    }
    if (of_all && to_all)
        choose(layout, MSCCL_ALL_REDUCE, 0, 1, 1);
    else if (of_all && to_one)
        choose(layout, MSCCL_REDUCE, schedule->demand[0].wanted[0], 1, 1);
    else if (of_all && is_scattered(schedule))
        choose(layout, MSCCL_REDUCE_SCATTER, 0, schedule->nodes, schedule->nodes);
}

/* Checks that all packets are combined, or none. */
static bool check_mixed(const struct schedule *schedule, struct err *err)
{
    bool all = true;
    for (size_t k = 0; k < schedule->demand_count; k++)
        all = all && schedule->demand[k].reduction != NULL;
    return all || !schedule->has_reductions ||
           err_set(err, ERR_UNSUPPORTED,
                   "msccl: the schedule combines some packets and only moves others; expected "
                   "packets that are all combined, as those of a program");
}

bool msccl_layout_find(const struct schedule *schedule, struct msccl_layout *layout,
                       struct err *err)
{
    *layout = (struct msccl_layout){.schedule = schedule};
    if (schedule->packets == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "msccl: the schedule has no packets, but a program needs a chunk; expected "
                       "1 packet or more");
    if (!check_mixed(schedule, err))
        return false;
    msccl_layout_customize(layout);
    if (schedule->has_reductions) {
        choose_reducing(layout);
        return true;
    }
    struct pattern pattern = pattern_of(schedule);
    layout->part = calloc((size_t)schedule->packets + 1, sizeof *layout->part);
    if (layout->part == NULL || !number_parts(layout, !pattern.all)) {
        msccl_layout_free(layout);
        return err_no_memory(err, "the chunks of %u packets", schedule->packets);
    }
    if (schedule->nodes >= 2)
        choose_moving(layout, &pattern);
    return true;
}

void msccl_layout_free(struct msccl_layout *layout)
{
    free(layout->part);
    *layout = (struct msccl_layout){0};
}

struct msccl_chunk msccl_layout_chunk(const struct msccl_layout *layout, uint32_t node,
                                      uint32_t packet)
{
    const struct schedule *schedule = layout->schedule;
    const struct demand *demand = schedule_demand_of(schedule, packet);
    struct msccl_chunk chunk = {operations_buffer(schedule, node, packet), packet - 1};
    enum msccl_collective collective = layout->collective;
    if (chunk.buffer == 's' || collective == MSCCL_CUSTOM)
        return chunk;
    bool is_input = chunk.buffer == 'i';
    uint32_t block = 0;
    if (is_input && (collective == MSCCL_ALL_TO_ALL || collective == MSCCL_SCATTER))
        block = only_one(schedule, demand);
    if (!is_input && collective != MSCCL_BROADCAST && collective != MSCCL_SCATTER)
        block = demand->source;
    chunk.offset = block * layout->each + layout->part[packet];
    return chunk;
}

struct msccl_chunk msccl_layout_partial(const struct msccl_layout *layout, uint32_t node,
                                        uint32_t packet, enum msccl_partial kind)
{
    const struct demand *demand = schedule_demand_of(layout->schedule, packet);
    uint32_t chunk = packet - 1, packets = layout->schedule->packets;
    enum msccl_partial result = demand->reduction->exclusive ? MSCCL_GOT : MSCCL_ALL;
    if (kind == MSCCL_OWN)
        return (struct msccl_chunk){'i', chunk};
    if (kind != result || !demand_wants(demand, node))
        return (struct msccl_chunk){'s', chunk + packets * (uint32_t)(kind - MSCCL_ALL)};
    bool scatters = layout->collective == MSCCL_REDUCE_SCATTER;
    return (struct msccl_chunk){'o', scatters ? chunk % layout->each : chunk};
}

uint32_t msccl_layout_size(const struct msccl_layout *layout, uint32_t node,
                           enum msccl_buffer buffer)
{
    uint32_t each = layout->each, all = each * layout->schedule->nodes;
    uint32_t of_root = node == layout->root ? all : 0;
    bool input = buffer == MSCCL_INPUT;
    switch (layout->collective) {
    case MSCCL_ALL_GATHER:
        return input ? each : all;
    case MSCCL_ALL_TO_ALL:
        return all;
    case MSCCL_GATHER:
        return input ? each : of_root;
    case MSCCL_SCATTER:
        return input ? of_root : each;
    case MSCCL_REDUCE:
        return input || node == layout->root ? layout->schedule->packets : 0;
    case MSCCL_REDUCE_SCATTER:
        return input ? all : each;
    case MSCCL_ALL_REDUCE:
    case MSCCL_BROADCAST:
    case MSCCL_CUSTOM:
        break;
    }
    return layout->schedule->packets;
}

size_t msccl_layout_owns(const struct msccl_layout *layout)
{
    return layout->schedule->has_reductions ? layout->schedule->demand_count : 1;
}

/* Returns the packets of a demand whose results at a node are its own contributions: the first
 * contributor of a prefix has them, or the only one. */
static struct msccl_own own_result(const struct demand *demand, uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    uint32_t first = reduction->contributor_count > 0 ? reduction->contributor[0] : 0;
    bool alone = reduction->contributor_count == 1 && demand_wants(demand, node);
    bool begins = reduction->prefix && !reduction->exclusive;
    uint32_t chunk = demand->first_packet - 1;
    bool owns = node == first && (begins || alone);
    return (struct msccl_own){chunk, chunk, owns ? demand->last_packet - chunk : 0};
}

struct msccl_own msccl_layout_own(const struct msccl_layout *layout, uint32_t node, size_t which)
{
    if (layout->schedule->has_reductions)
        return own_result(&layout->schedule->demand[which], node);
    enum msccl_collective collective = layout->collective;
    bool broadcasts = collective == MSCCL_BROADCAST, scatters = collective == MSCCL_SCATTER;
    bool of_root = broadcasts || scatters || collective == MSCCL_GATHER;
    bool none = collective == MSCCL_CUSTOM || (of_root && node != layout->root);
    uint32_t part = node * layout->each;
    return (struct msccl_own){.input = scatters || collective == MSCCL_ALL_TO_ALL ? part : 0,
                              .output = broadcasts || scatters ? 0 : part,
                              .count = none ? 0 : layout->each};
}

/* --- Reading: places of buffers ----------------------------------------------------------- */

/* In place, the input of a GPU is a part of its output, or, in a scatter or a reduce-scatter, its
 * output is a part of its input. */
bool msccl_buffers_set(struct msccl *msccl, uint32_t id)
{
    struct msccl_gpu *gpu = &msccl->gpu[id];
    size_t inputs = gpu->chunks[MSCCL_INPUT], outputs = gpu->chunks[MSCCL_OUTPUT];
    size_t input = outputs, output = 0; /* out of place, the input is after the output */
    if (msccl->in_place)
        input = 0;
    if (msccl->in_place && outputs > 0 &&
        (msccl->collective == MSCCL_ALL_GATHER || msccl->collective == MSCCL_GATHER))
        input = id * msccl_gathered(msccl, gpu);
    bool scatters = msccl->collective == MSCCL_SCATTER || msccl->collective == MSCCL_REDUCE_SCATTER;
    if (msccl->in_place && inputs > 0 && scatters)
        output = id * outputs;
    gpu->first[MSCCL_OUTPUT] = msccl->chunks + output;
    gpu->first[MSCCL_INPUT] = msccl->chunks + input;
    gpu->first[MSCCL_SCRATCH] = msccl->chunks + MAX(input + inputs, output + outputs);
    msccl->chunks = gpu->first[MSCCL_SCRATCH] + gpu->chunks[MSCCL_SCRATCH];
    return msccl->chunks <= MSCCL_CHUNKS;
}

/* Checks nchunksperloop, which counts the chunks of a whole collective: those of each buffer that
 * is not a part of a single GPU. In a gather or scatter it counts the chunks that are gathered or
 * scattered. */
static bool check_per_loop(const struct xml *xml, const struct msccl *msccl,
                           const struct msccl_gpu *gpu, struct err *err)
{
    static const char *const names[] = {"i_chunks", "o_chunks"};
    enum msccl_collective collective = msccl->collective;
    int64_t n = msccl->gpus, loop = msccl->per_loop;
    int64_t of_buffer[] = {loop, loop};
    if (collective == MSCCL_ALL_GATHER)
        of_buffer[MSCCL_INPUT] = loop / n;
    if (collective == MSCCL_GATHER)
        of_buffer[MSCCL_OUTPUT] = loop * n;
    if (collective == MSCCL_SCATTER)
        of_buffer[MSCCL_INPUT] = loop * n;
    if (collective == MSCCL_REDUCE_SCATTER)
        of_buffer[MSCCL_OUTPUT] = loop / n;
    for (unsigned which = 0; which < 2; which++) {
        int64_t chunks = gpu->chunks[which];
        bool right =
            collective == MSCCL_CUSTOM ? chunks <= loop : chunks == 0 || chunks == of_buffer[which];
        if (loop >= 0 && !right)
            return xml_wrong(xml, err, ERR_FIELD_RANGE,
                             "%s=\"%" PRIi64 "\"; expected %s%" PRIi64
                             ", as nchunksperloop=\"%" PRIi64 "\" and coll=\"%s\" say",
                             names[which], chunks,
                             collective == MSCCL_CUSTOM ? "at most " : "0 or ", of_buffer[which],
                             loop, msccl_collective_names[collective]);
    }
    return true;
}

bool msccl_buffers_place(const struct xml *xml, struct msccl *msccl, uint32_t id, struct err *err)
{
    return check_per_loop(xml, msccl, &msccl->gpu[id], err) &&
           (msccl_buffers_set(msccl, id) ||
            xml_wrong(xml, err, ERR_TOO_BIG,
                      "more than %" PRIu32 " chunks of all GPUs; expected fewer", MSCCL_CHUNKS));
}
