/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/bound/bound_demands.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/numbers/postal.h"
#include "sched/schedule/demand_groups.h"

#include <stdlib.h>

/* The packets that nodes must receive and send in any schedule. */
struct load {
    uint64_t *wants;   /* wants[nodes]: packets that it wants and does not have */
    uint64_t *sends;   /* sends[nodes]: its own packets that other nodes want */
    uint64_t receipts; /* all receipts */
    uint64_t most;     /* maximum of wants */
    uint32_t sources;  /* nodes with a packet that other nodes want */
    void *memory;
};

/* Nodes that want all packets are counted together, not one by one. */
static void add_demand(const struct schedule *demands, const struct demand *demand,
                       struct load *load, uint64_t *everywhere)
{
    uint64_t packets = demand->last_packet - demand->first_packet + 1;
    uint32_t width = schedule_wanted_by_others(demands, demand);
    load->receipts += packets * width;
    if (width > 0)
        load->sends[demand->source] += packets;
    if (demand->wanted_count == 0) {
        *everywhere += packets;
        load->wants[demand->source] -= packets;
    }
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        if (demand->wanted[k] != demand->source)
            load->wants[demand->wanted[k]] += packets;
}

/* Returns false if there is no memory; then no bound is known. */
static bool load_new(const struct schedule *demands, struct load *load)
{
    uint64_t everywhere = 0;
    size_t n = demands->nodes;
    *load = (struct load){0};
    load->memory =
        arena_new((const struct arena_array[]){ARENA(load->wants, n), ARENA(load->sends, n)}, 2);
    if (load->memory == NULL)
        return false;
    for (size_t d = 0; d < demands->demand_count; d++)
        add_demand(demands, &demands->demand[d], load, &everywhere);
    for (size_t node = 0; node < n; node++) {
        load->wants[node] += everywhere;
        load->most = MAX(load->most, load->wants[node]);
        load->sources += load->sends[node] > 0;
    }
    return true;
}

uint64_t bound_demands_wanted(const struct collective *collective)
{
    struct load load;
    uint64_t wanted = load_new(collective->demands, &load) ? load.most : 0;
    free(load.memory);
    return wanted > 0 ? collective_end(collective, wanted) : 0;
}

/* -- How far packets must spread --------------------------------------------------------------- */

struct width {
    uint32_t source, wanted, packets;
};

static int compare_width(const void *left, const void *right)
{
    const struct width *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(b->wanted, a->wanted));
}

/* Returns the rounds or ticks that one packet needs for this many nodes besides its source. */
static uint64_t one_packet(const struct collective *collective, uint32_t wanted)
{
    struct rational lambda = collective->lambda;
    struct postal postal;
    if (!model_has_times(collective->model))
        return bits_log2_up((uint64_t)wanted + 1);
    if (!postal_init(&postal, lambda.numerator, lambda.denominator, wanted + 1, NULL))
        return bound_of_index(lambda, wanted + 1);
    uint64_t index = postal_index(&postal, wanted + 1);
    postal_free(&postal);
    return index;
}

uint64_t bound_demands_spread(const struct collective *collective)
{
    const struct schedule *demands = collective->demands;
    uint64_t unit = model_has_times(collective->model) ? collective->lambda.denominator : 1;
    uint64_t before = 0, bound = 0, packet = 0;
    struct width *width = calloc(demands->demand_count + 1, sizeof *width);
    for (size_t d = 0; width != NULL && d < demands->demand_count; d++) {
        const struct demand *demand = &demands->demand[d];
        width[d] = (struct width){demand->source, schedule_wanted_by_others(demands, demand),
                                  demand->last_packet - demand->first_packet + 1};
    }
    if (width != NULL)
        qsort(width, demands->demand_count, sizeof *width, compare_width);
    for (size_t d = 0; width != NULL && d < demands->demand_count; d++) {
        bool same = d > 0 && width[d].source == width[d - 1].source;
        before = (same ? before : 0) + width[d].packets;
        if (!same || width[d].wanted != width[d - 1].wanted)
            packet = width[d].wanted > 0 ? one_packet(collective, width[d].wanted) : 0;
        uint64_t end = packet > 0 ? (before - 1) * unit + packet : 0;
        bound = MAX(bound, end);
    }
    free(width);
    return bound;
}

/* -- All receipts ------------------------------------------------------------------------------ */

uint64_t bound_demands_receipts(const struct collective *collective)
{
    struct load load;
    uint64_t n = collective->n, rounds = 0;
    const struct model_row *model = model_row(collective->model);
    uint64_t most = model->half_duplex ? n / 2 : model->pairs ? n - n % 2 : n;
    bool known = load_new(collective->demands, &load);
    uint64_t rest = load.receipts;
    for (uint64_t able = load.sources; known && able < most && able < rest; able *= 2) {
        rest -= able;
        rounds++;
    }
    free(load.memory);
    return known && rest > 0 ? rounds + bits_divide_up(rest, most) : 0;
}

uint64_t bound_demands_pairs(const struct collective *collective)
{
    struct load load;
    uint64_t busy = 0;
    uint32_t most = collective->n - collective->n % 2;
    bool known = load_new(collective->demands, &load);
    for (uint32_t node = 0; known && node < collective->n; node++)
        busy += MAX(load.wants[node], load.sends[node]);
    free(load.memory);
    return bits_divide_up(busy, most);
}

uint64_t bound_demands_half_duplex(const struct collective *collective)
{
    struct load load;
    uint64_t most = 0;
    bool known = load_new(collective->demands, &load);
    for (uint32_t node = 0; known && node < collective->n; node++)
        if (load.wants[node] + load.sends[node] > most)
            most = load.wants[node] + load.sends[node];
    free(load.memory);
    return most;
}

uint64_t bound_demands_collective(const struct collective *collective)
{
    struct demand_groups groups;
    struct collective known;
    struct schedule as_asked = *collective->demands;
    as_asked.model = collective->model;
    as_asked.lambda = collective->lambda;
    if (!demand_groups_new(&as_asked, &groups, NULL))
        return 0;
    bool is_one = groups.count == 1 && groups.group->demands.nodes == collective->n &&
                  schedule_collective(&groups.group->demands, &known) &&
                  known.kind != COLLECTIVE_DEMANDS;
    uint64_t end = is_one ? bound_end(&known) : 0;
    demand_groups_free(&groups);
    return end;
}
