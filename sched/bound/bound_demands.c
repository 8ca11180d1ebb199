/* SPDX-License-Identifier: Apache-2.0 */
/* bound_demands: lower bounds for any demands on a complete graph, in the models without copies. */
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_rows.h"
#include "sched/numbers/postal.h"
#include "sched/schedule/demand_groups.h"

#include <stdlib.h>

/* The packets that nodes must receive and send in any schedule. */
struct load {
    uint64_t *wants;   /* wants[nodes]: packets that a node wants and does not have */
    uint64_t *sends;   /* sends[nodes]: a node's own packets that other nodes want */
    uint64_t receipts; /* all receipts */
    uint64_t most;     /* maximum of wants */
    uint32_t sources;  /* nodes with a packet that other nodes want */
    void *memory;
};

/* Adds a demand to the load. Demands of all nodes are counted in *everywhere, not node by node. */
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

/* Computes the load of demands. Returns false if there is no memory; then no bound is known. */
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

/* Returns the maximum number of packets that a node wants and does not have. O(nodes + Σ
 * wanted). */
static uint64_t demands_wanted(const struct collective *collective)
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

/* Returns the rounds or ticks that one packet needs to reach `wanted` nodes besides its source. */
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

/* Of the k packets of a source that most nodes want, one leaves in round k or later and then needs
 * ⌈log2(1 + w_k)⌉ rounds, the round in which it leaves included. w_k is the number of nodes that
 * want the k-th packet. In the postal model the time is f_λ(1 + w_k). Returns the maximum over k
 * and sources. O(packets · log packets). */
static uint64_t demands_spread(const struct collective *collective)
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

/* Returns the rounds that all receipts need. A round has at most one receipt for each node; in the
 * telephone model one node of an odd number is idle, in the telegraph model half of the nodes
 * receive. A round also has at most one receipt for each node that holds any packet, a number that
 * at most doubles in a round. Not for the postal model. O(nodes + Σ wanted). */
static uint64_t demands_receipts(const struct collective *collective)
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

/* Returns a bound in the telephone model. A node is in a pair in each round in which it receives a
 * packet that it wants, and in each round in which it sends a packet that only it has; the larger
 * of both numbers counts. A round has all nodes in pairs, except one of an odd number. O(nodes + Σ
 * wanted). */
static uint64_t demands_pairs(const struct collective *collective)
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

/* Returns a bound in the telegraph model: the maximum, over nodes, of the packets that a node wants
 * plus those that only it can send. O(nodes + Σ wanted). */
static uint64_t demands_half_duplex(const struct collective *collective)
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

/* Returns the bound of the collective of all nodes that the demands form, under any numbering of
 * the nodes; 0 if they are not a collective. A collective of some nodes does not count, because the
 * other nodes could help. O(nodes + Σ wanted · log nodes). */
static uint64_t demands_collective(const struct collective *collective)
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

const struct bound bound_demands[] = {
    {"wanted", "max over nodes of packets wanted", "a node receives one", ROUND_MODELS, DEMANDS,
     NULL, demands_wanted},
    {"wanted", "the same - 1 + λ", "one in a unit, the first comes at λ", 1u << MODEL_POSTAL,
     DEMANDS, NULL, demands_wanted},
    {"spread", "max over sources and k of k-1+⌈log2(1+w_k)⌉",
     "of k packets one leaves in round k or later, and at least w_k nodes want it", ROUND_MODELS,
     DEMANDS, NULL, demands_spread},
    {"spread", "max over sources and k of k-1+f_λ(1+w_k)", "the same; Bar-Noy, Kipnis, Lemma 5",
     1u << MODEL_POSTAL, DEMANDS, NULL, demands_spread},
    {"all-receipts", "min r: Σ_{i<r} min(s 2^i,c) ≥ receipts, s sources, c receivers in a round",
     "counted as in the proof of Bar-Noy, Kipnis, Schieber, Theorem 2", ROUND_MODELS, DEMANDS, NULL,
     demands_receipts},
    {"pairs", "⌈Σ max(wanted, only its own) / n⌉, n-1 for odd n",
     "a node in a pair sends and receives one", 1u << MODEL_TELEPHONE, DEMANDS, NULL,
     demands_pairs},
    {"half-duplex-wanted", "max over nodes of packets wanted and packets that only it can send",
     "a node sends or receives one", 1u << MODEL_TELEGRAPH, DEMANDS, NULL, demands_half_duplex},
    {"collective", "that of the collective that the demands are", "there",
     ROUND_MODELS | 1u << MODEL_POSTAL, DEMANDS, NULL, demands_collective},
    {0},
};
