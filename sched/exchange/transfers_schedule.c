/* SPDX-License-Identifier: Apache-2.0 */
/* transfers_schedule: finds the packets of a list of transfers, their sources and receivers, and
 * makes its schedule. */
#include "sched/exchange/transfers.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define STAMPED (UINT32_MAX - 1)

/* The route of a packet. */
struct route {
    uint32_t source;
    uint32_t receivers; /* nodes other than the source that receive it */
    uint32_t end;       /* the last node that receives it and does not send it; NONE */
    bool path;          /* a path: each node forwards it once, and receives it once */
    uint32_t wanted;    /* 0: all nodes want it; 1: `end`; 2: all receivers */
    uint32_t number;    /* in the schedule */
};

enum { WANTED_BY_ALL, WANTED_BY_END, WANTED_BY_RECEIVERS };

struct maker {
    const struct transfers *list;
    const struct exchange_reading *how;
    uint32_t nodes;
    const struct collective_row *expected; /* NULL: none */
    size_t *order;                         /* [count]: the transfers, by time */
    size_t *of;                            /* [count]: those of each packet, by time */
    size_t *first;                         /* [labels + 1]: where those of a packet begin */
    uint64_t *round;     /* [count]: of the transfers, by their place in the list */
    struct route *route; /* [labels] */
    uint32_t *by_number; /* [labels]: the labels, by their numbers in the schedule */
    uint32_t *stamp;     /* [nodes]: 1 + the last packet that the node received */
    uint32_t *sent;      /* [nodes]: 1 + the last packet that the node sent */
    uint32_t *wanted;    /* [nodes]: a list of nodes */
    void *memory;
};

static bool make_room(struct maker *maker, struct err *err)
{
    size_t count = maker->list->count, labels = maker->list->label_count;
    const struct arena_array arrays[] = {
        ARENA(maker->order, count),        ARENA(maker->of, count),
        ARENA(maker->first, labels + 2),   ARENA(maker->round, count),
        ARENA(maker->route, labels),       ARENA(maker->by_number, labels),
        ARENA(maker->stamp, maker->nodes), ARENA(maker->sent, maker->nodes),
        ARENA(maker->wanted, maker->nodes)};
    maker->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return maker->memory != NULL || err_no_memory(err, "%zu transfers", count);
}

/* --- order -------------------------------------------------------------------------------- */

/* A time as a key to sort by. */
struct moment {
    uint64_t time, part;
    size_t index;
};

static int by_time(const void *left, const void *right)
{
    const struct moment *a = left, *b = right;
    return compare_then(COMPARE(a->time, b->time),
                        compare_then(COMPARE(a->part, b->part), COMPARE(a->index, b->index)));
}

/* Sorts the transfers by time. E104. */
static bool order_times(struct maker *maker, struct err *err)
{
    size_t count = maker->list->count;
    struct moment *moment = malloc(count * sizeof *moment);
    if (moment == NULL)
        return err_no_memory(err, "%zu transfers", count);
    for (size_t k = 0; k < count; k++)
        moment[k] = (struct moment){maker->list->entry[k].time, maker->list->entry[k].part, k};
    qsort(moment, count, sizeof *moment, by_time);
    for (size_t k = 0; k < count; k++)
        maker->order[k] = moment[k].index;
    free(moment);
    return true;
}

static bool is_later(const struct listed *entry, const struct listed *before)
{
    return entry->time > before->time ||
           (entry->time == before->time && entry->part > before->part);
}

/* Sorts the transfers by time, and finds their rounds: whole times, moved to begin at 1 if the
 * first is 0; otherwise the rank of the time, or of the transfer if there are no times. E104. */
static bool sort_times(struct maker *maker, struct err *err)
{
    const struct transfers *list = maker->list;
    bool sorted = true;
    for (size_t k = 0; k < list->count; k++) {
        maker->order[k] = k;
        sorted = sorted && (k == 0 || !is_later(&list->entry[k - 1], &list->entry[k]));
    }
    if (!sorted && list->timed && !order_times(maker, err))
        return false;
    uint64_t shift = list->entry[maker->order[0]].time == 0, rank = 0;
    for (size_t k = 0; k < list->count; k++) {
        const struct listed *entry = &list->entry[maker->order[k]];
        rank += k == 0 || !list->timed || is_later(entry, &list->entry[maker->order[k - 1]]);
        maker->round[maker->order[k]] = list->timed && !list->fraction ? entry->time + shift : rank;
    }
    return true;
}

/* Sorts the transfers by packet, those of a packet by time. */
static void sort_packets(struct maker *maker)
{
    const struct transfers *list = maker->list;
    for (size_t k = 0; k < list->count; k++)
        maker->first[list->entry[k].label + 2]++;
    for (uint32_t label = 0; label < list->label_count; label++)
        maker->first[label + 2] += maker->first[label + 1];
    for (size_t k = 0; k < list->count; k++)
        maker->of[maker->first[list->entry[maker->order[k]].label + 1]++] = maker->order[k];
}

/* --- packets ------------------------------------------------------------------------------ */

/* Finds the first node that sends the packet, the nodes that receive it, and the end of its
 * route. */
static void find_route(struct maker *maker, uint32_t label)
{
    const struct listed *entry = maker->list->entry;
    size_t begin = maker->first[label], end = maker->first[label + 1];
    struct route *route = &maker->route[label];
    *route = (struct route){.source = entry[maker->of[begin]].source, .end = NONE, .path = true};
    for (size_t k = begin; k < end; k++) {
        const struct listed *now = &entry[maker->of[k]];
        route->path = route->path && maker->sent[now->source] != label + 1 &&
                      maker->stamp[now->destination] != label + 1;
        maker->sent[now->source] = label + 1;
        route->receivers +=
            maker->stamp[now->destination] != label + 1 && now->destination != route->source;
        maker->stamp[now->destination] = label + 1;
    }
    for (size_t k = begin; k < end; k++) {
        uint32_t node = entry[maker->of[k]].destination;
        if (maker->sent[node] == label + 1 || node == route->source || node == route->end)
            continue;
        route->path = route->path && route->end == NONE;
        route->end = node;
    }
    route->path = route->path && route->end != NONE;
}

/* Decides which nodes want each packet. */
static void find_wanted(struct maker *maker)
{
    const struct collective_row *expected = maker->expected;
    bool all = true;
    for (uint32_t label = 0; label < maker->list->label_count; label++)
        all = all && (maker->list->label[label].reduction != NULL ||
                      maker->route[label].receivers == maker->nodes - 1);
    if (expected != NULL)
        all = expected->to_all;
    for (uint32_t label = 0; label < maker->list->label_count; label++) {
        struct route *route = &maker->route[label];
        route->wanted = all ? WANTED_BY_ALL : route->path ? WANTED_BY_END : WANTED_BY_RECEIVERS;
        if (route->wanted == WANTED_BY_RECEIVERS && route->receivers == maker->nodes - 1)
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
static uint32_t root_of(const struct maker *maker)
{
    const struct route *route = maker->route;
    bool one_source = true, one_end = true;
    for (uint32_t label = 0; label < maker->list->label_count; label++) {
        one_source = one_source && route[label].source == route->source;
        one_end = one_end && route[label].end == route->end && route[label].wanted == WANTED_BY_END;
    }
    return one_source ? route->source : one_end ? route->end : 0;
}

static bool number_packets(struct maker *maker, struct err *err)
{
    const struct transfers *list = maker->list;
    struct key *key = calloc(list->label_count, sizeof *key);
    if (key == NULL)
        return err_no_memory(err, "%" PRIu32 " packets", list->label_count);
    uint32_t root = root_of(maker), n = maker->nodes;
    for (uint32_t label = 0; label < list->label_count; label++) {
        const struct route *route = &maker->route[label];
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

/* Lists the receivers of a packet, ascending. Returns their number. */
static uint32_t list_receivers(struct maker *maker, uint32_t label)
{
    const struct listed *entry = maker->list->entry;
    uint32_t count = 0;
    for (size_t k = maker->first[label]; k < maker->first[label + 1]; k++) {
        uint32_t node = entry[maker->of[k]].destination;
        if (maker->stamp[node] != STAMPED - label && node != maker->route[label].source)
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
static bool is_alike(const struct maker *maker, uint32_t one, uint32_t two)
{
    const struct route *route = &maker->route[one], *other = &maker->route[two];
    const struct label *label = &maker->list->label[one];
    if (!same_reduction(label, &maker->list->label[two]))
        return false;
    return label->reduction != NULL ||
           (route->source == other->source && route->wanted == other->wanted &&
            route->wanted != WANTED_BY_RECEIVERS && route->end == other->end);
}

/* Adds the demand of `count` packets like this one. */
static bool add_demand(struct maker *maker, uint32_t label, uint32_t count,
                       struct schedule *schedule, struct err *err)
{
    const struct route *route = &maker->route[label];
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

static bool add_demands(struct maker *maker, struct schedule *schedule, struct err *err)
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

/* Numbers the packets by their labels, which must be those of the given demands. */
static bool take_numbers(struct maker *maker, struct err *err)
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

/* --- the schedule ------------------------------------------------------------------------- */

/* Sets the options of the next transfer, whose packet must be combined. */
static bool set_combining(const struct maker *maker, const struct listed *entry,
                          struct schedule *schedule, struct err *err)
{
    const uint32_t packet = maker->route[entry->label].number;
    if (schedule_demand_of(schedule, packet)->reduction == NULL)
        return err_set(err, ERR_SYNTAX,
                       "%.150s:%" PRIu32 ": '%s' of a packet that is not combined; expected a "
                       "column named %s that gives its demand",
                       maker->list->document->name, entry->line,
                       transfers_combine_text(entry->combining),
                       transfers_column_names(COLUMN_REDUCTION));
    return schedule_set_combining(schedule, schedule->transfer_count, entry->combining, err);
}

static bool add_transfers(const struct maker *maker, struct schedule *schedule, struct err *err)
{
    const struct transfers *list = maker->list;
    schedule->origin = malloc((list->count + 1) * sizeof *schedule->origin);
    if (schedule->origin == NULL || !schedule_reserve(schedule, 1, list->count, err))
        return err_no_memory(err, "%zu transfers", list->count);
    bool added = true;
    for (size_t k = 0; added && k < list->count; k++) {
        const size_t index = maker->order[k];
        const struct listed *entry = &list->entry[index];
        uint64_t round = maker->round[index];
        if (k == 0 || round > maker->round[maker->order[k - 1]]) {
            if (k > 0)
                schedule_close_step(schedule, 0);
            added = schedule_open_step(schedule, round, 1, err) != NULL;
        }
        const struct transfer transfer = {entry->source, entry->destination,
                                          maker->route[entry->label].number};
        schedule->origin[k] = entry->line;
        added = added && (entry->combining == 0 || set_combining(maker, entry, schedule, err)) &&
                schedule_append(schedule, transfer, err);
    }
    if (added)
        schedule_close_step(schedule, 0);
    schedule->origin_count = list->count;
    schedule->origin_end = list->lines;
    return added;
}

static bool make(struct maker *maker, struct schedule *schedule, struct err *err)
{
    const struct topology complete = topology_complete(maker->nodes);
    const char *algorithm = maker->how->algorithm != NULL ? maker->how->algorithm : "list";
    if (!make_room(maker, err) || !sort_times(maker, err))
        return false;
    sort_packets(maker);
    if (maker->how->demands != NULL)
        return take_numbers(maker, err) &&
               schedule_init_empty(schedule, algorithm, &complete, maker->how->model, err) &&
               schedule_copy_demands(maker->how->demands, schedule, err) &&
               add_transfers(maker, schedule, err);
    for (uint32_t label = 0; label < maker->list->label_count; label++)
        find_route(maker, label);
    find_wanted(maker);
    return number_packets(maker, err) &&
           schedule_init_empty(schedule, algorithm, &complete, maker->how->model, err) &&
           add_demands(maker, schedule, err) && add_transfers(maker, schedule, err);
}

/* Checks that a list can meet the given demands: it moves packets on a complete graph. */
static bool check_demands(const struct transfers *list, const struct schedule *demands,
                          struct err *err)
{
    const char *name = list->document->name;
    if (!topology_joins_all(&demands->topology) ||
        schedule_data_packets(demands) < demands->packets)
        return err_set(
            err, ERR_UNSUPPORTED,
            "{demands}: %s is a list of transfers; expected demands of data packets on a "
            "complete graph",
            name);
    return list->nodes <= demands->nodes ||
           err_set(err, ERR_OTHER_DEMANDS,
                   "%s: node %" PRIu32 "; expected 0 … %" PRIu32 ", as in the demands", name,
                   list->nodes - 1, demands->nodes - 1);
}

static bool check(const struct transfers *list, const struct exchange_reading *how, struct err *err)
{
    const char *name = list->document->name;
    if (list->count == 0)
        return err_set(err, ERR_DEMAND, "%s: no transfers; expected at least one", name);
    if (how->nodes > 0 && how->nodes < list->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 ", but %s has node %" PRIu32
                       "; expected at least %" PRIu32,
                       how->nodes, name, list->nodes - 1, list->nodes);
    if (!list->timed && !how->compact)
        return err_set(
            err, ERR_SYNTAX,
            "%s: no rounds; expected a column named %s, or {compact}, which finds rounds "
            "for transfers in order",
            name, transfers_column_names(COLUMN_TIME));
    return !list->fraction || how->compact ||
           err_set(
               err, ERR_SYNTAX,
               "%s: a time that is not whole; expected rounds, or {compact}, which finds rounds "
               "for transfers in order of time",
               name);
}

bool transfers_schedule(const struct transfers *transfers, const struct exchange_reading *how,
                        struct schedule *schedule, struct err *err)
{
    struct maker maker = {
        .list = transfers, .how = how, .nodes = how->nodes > 0 ? how->nodes : transfers->nodes};
    struct schedule made = {0};
    if (how->expects)
        maker.expected = &collective_rows[how->expected];
    if (how->demands != NULL)
        maker.nodes = how->demands->nodes;
    bool right = check(transfers, how, err) &&
                 (how->demands == NULL || check_demands(transfers, how->demands, err)) &&
                 make(&maker, &made, err);
    free(maker.memory);
    if (right)
        *schedule = made;
    else
        schedule_free(&made);
    return right;
}
