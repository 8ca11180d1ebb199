/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/transfers_packets.h"

#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define STAMPED (UINT32_MAX - 1)

/* --- packets ------------------------------------------------------------------------------ */

/* Finds the first node that sends the packet, the nodes that receive it, and the end of its
 * route. */
static void find_route(struct packet_maker *maker, uint32_t label)
{
    const struct listed *entry = maker->list->entry;
    size_t begin = maker->first[label], end = maker->first[label + 1];
    struct packet_route *route = &maker->route[label];
    *route =
        (struct packet_route){.source = entry[maker->of[begin]].source, .end = NONE, .path = true};
    for (size_t k = begin; k < end; k++) {
        const struct listed *now = &entry[maker->of[k]];
        route->path = route->path && maker->sent[now->source] != label + 1 &&
                      maker->stamp[now->destination] != label + 1;
        maker->sent[now->source] = label + 1;
        route->receivers += maker->stamp[now->destination] != label + 1 &&
                            now->destination != route->source && now->destination < maker->nodes;
        maker->stamp[now->destination] = label + 1;
    }
    for (size_t k = begin; k < end; k++) {
        uint32_t node = entry[maker->of[k]].destination;
        if (maker->sent[node] == label + 1 || node == route->end || node >= maker->nodes)
            continue;
        route->path = route->path && route->end == NONE;
        route->end = node;
    }
    route->path = route->path && route->end != NONE;
}

/* Returns whether all processors other than the source receive a packet. */
static bool all_receive(const struct packet_maker *maker, const struct packet_route *route)
{
    return route->receivers == maker->nodes - (route->source < maker->nodes);
}

/* Decides which nodes want each packet. */
static void find_wanted(struct packet_maker *maker)
{
    const struct collective_row *expected = maker->expected;
    bool all = true;
    for (uint32_t label = 0; label < maker->list->label_count; label++)
        all = all && (maker->list->label[label].reduction != NULL ||
                      all_receive(maker, &maker->route[label]));
    if (expected != NULL)
        all = expected->to_all;
    for (uint32_t label = 0; label < maker->list->label_count; label++) {
        struct packet_route *route = &maker->route[label];
        route->wanted = all ? WANTED_BY_ALL : route->path ? WANTED_BY_END : WANTED_BY_RECEIVERS;
        if (route->wanted == WANTED_BY_RECEIVERS && all_receive(maker, route))
            route->wanted = WANTED_BY_ALL;
        if (route->wanted == WANTED_BY_END)
            continue;
        route->end = 0;
    }
}

/* --- numbers of packets ------------------------------------------------------------------- */

/* The keys by which packets are numbered. */
struct key {
    uint32_t source, end, label;
    uint64_t number;
    bool text;
};

static int by_key(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    int order = compare_then(COMPARE(a->source, b->source), COMPARE(a->end, b->end));
    order = compare_then(order, COMPARE(a->text, b->text));
    order = compare_then(order, a->text ? 0 : COMPARE(a->number, b->number));
    return compare_then(order, COMPARE(a->label, b->label));
}

/* Returns by how much the numbers of nodes are turned: collectives with a root number the packets
 * of the nodes after the root first. */
static uint32_t root_of(const struct packet_maker *maker)
{
    const struct packet_route *route = maker->route;
    bool one_source = true, one_end = true;
    for (uint32_t label = 0; label < maker->list->label_count; label++) {
        one_source = one_source && route[label].source == route->source;
        one_end = one_end && route[label].end == route->end && route[label].wanted == WANTED_BY_END;
    }
    return one_source ? route->source : one_end ? route->end : 0;
}

static bool number_packets(struct packet_maker *maker, struct err *err)
{
    const struct transfers *list = maker->list;
    struct key *key = calloc(list->label_count, sizeof *key);
    if (key == NULL)
        return err_no_memory(err, "%" PRIu32 " packets", list->label_count);
    uint32_t root = root_of(maker), n = maker->nodes;
    for (uint32_t label = 0; label < list->label_count; label++) {
        const struct packet_route *route = &maker->route[label];
        uint32_t end = route->wanted == WANTED_BY_END ? (route->end + n - root) % n : 0;
        key[label] = (struct key){.source = list->combines ? 0 : (route->source + n - root) % n,
                                  .end = list->combines ? 0 : end,
                                  .label = label,
                                  .number = list->label[label].number,
                                  .text = list->label[label].text != NULL};
    }
    qsort(key, list->label_count, sizeof *key, by_key);
    for (uint32_t number = 0; number < list->label_count; number++) {
        maker->by_number[number] = key[number].label;
        maker->route[key[number].label].number = number + 1;
    }
    free(key);
    return true;
}

bool transfers_packets_find(struct packet_maker *maker, struct err *err)
{
    for (uint32_t label = 0; label < maker->list->label_count; label++)
        find_route(maker, label);
    find_wanted(maker);
    return number_packets(maker, err);
}

/* --- demands ------------------------------------------------------------------------------ */

/* Lists the receivers of a packet, ascending. Returns their number. */
static uint32_t list_receivers(struct packet_maker *maker, uint32_t label)
{
    const struct listed *entry = maker->list->entry;
    uint32_t count = 0;
    for (size_t k = maker->first[label]; k < maker->first[label + 1]; k++) {
        uint32_t node = entry[maker->of[k]].destination;
        if (maker->stamp[node] != STAMPED - label && node != maker->route[label].source &&
            node < maker->nodes)
            maker->wanted[count++] = node;
        maker->stamp[node] = STAMPED - label;
    }
    qsort(maker->wanted, count, sizeof *maker->wanted, compare_u32);
    return count;
}

/* Returns whether two labels have the same reduction, or none. */
static bool same_reduction(const struct label *label, const struct label *other)
{
    if (label->reduction == NULL || other->reduction == NULL)
        return label->reduction == other->reduction;
    return label->reduction_length == other->reduction_length &&
           memcmp(label->reduction, other->reduction, label->reduction_length) == 0;
}

/* Returns whether two packets are combined alike, or have the same source and the same single or
 * general receivers. */
static bool is_alike(const struct packet_maker *maker, uint32_t one, uint32_t two)
{
    const struct packet_route *route = &maker->route[one], *other = &maker->route[two];
    const struct label *label = &maker->list->label[one];
    if (!same_reduction(label, &maker->list->label[two]))
        return false;
    return label->reduction != NULL ||
           (route->source == other->source && route->wanted == other->wanted &&
            route->wanted != WANTED_BY_RECEIVERS && route->end == other->end);
}

/* Adds the demand of `count` packets like this one. */
static bool add_demand(struct packet_maker *maker, uint32_t label, uint32_t count,
                       struct schedule *schedule, struct err *err)
{
    const struct packet_route *route = &maker->route[label];
    uint32_t wanted = route->wanted == WANTED_BY_END;
    if (maker->list->label[label].reduction != NULL)
        return transfers_add_reduction(maker->list, &maker->list->label[label], maker->nodes, count,
                                       schedule, err);
    maker->wanted[0] = route->end;
    if (route->wanted == WANTED_BY_RECEIVERS)
        wanted = list_receivers(maker, label);
    if (route->wanted == WANTED_BY_RECEIVERS && wanted == 0) /* it only returns to its source */
        maker->wanted[wanted++] = route->source;
    return schedule_add_demand(schedule, count, route->source, maker->wanted, wanted, err);
}

bool transfers_packets_demand(struct packet_maker *maker, struct schedule *schedule,
                              struct err *err)
{
    uint32_t labels = maker->list->label_count;
    bool added = true;
    for (uint32_t number = 0, count; added && number < labels; number += count) {
        uint32_t label = maker->by_number[number];
        for (count = 1; number + count < labels; count++)
            if (!is_alike(maker, label, maker->by_number[number + count]))
                break;
        added = add_demand(maker, label, count, schedule, err);
    }
    return added;
}

bool transfers_packets_take(struct packet_maker *maker, struct err *err)
{
    const struct transfers *list = maker->list;
    const uint32_t packets = maker->how->demands->packets;
    for (uint32_t label = 0; label < list->label_count; label++) {
        const struct label *at = &list->label[label];
        const struct listed *entry = &list->entry[maker->of[maker->first[label]]];
        if (at->text != NULL || at->number < 1 || at->number > packets)
            return err_set(err, ERR_FIELD_RANGE,
                           "%.150s:%" PRIu32
                           ": a packet that the demands do not have; expected its "
                           "number, 1 … %" PRIu32,
                           list->document->name, entry->line, packets);
        maker->route[label].number = (uint32_t)at->number;
    }
    return true;
}
