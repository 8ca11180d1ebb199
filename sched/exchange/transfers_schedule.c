/* SPDX-License-Identifier: Apache-2.0 */
/* transfers_schedule: sorts a list of transfers, and makes its schedule. */
#include "sched/exchange/transfers_packets.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

static bool make_room(struct packet_maker *maker, struct err *err)
{
    size_t count = maker->list->count, labels = maker->list->label_count;
    const struct arena_array arrays[] = {
        ARENA(maker->order, count),        ARENA(maker->of, count),
        ARENA(maker->first, labels + 2),   ARENA(maker->round, count),
        ARENA(maker->route, labels),       ARENA(maker->by_number, labels),
        ARENA(maker->stamp, maker->all),   ARENA(maker->sent, maker->all),
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
static bool order_times(struct packet_maker *maker, struct err *err)
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
static bool sort_times(struct packet_maker *maker, struct err *err)
{
    const struct transfers *list = maker->list;
    bool sorted = true;
    for (size_t k = 0; k < list->count; k++) {
        maker->order[k] = k;
        sorted = sorted && (k == 0 || !is_later(&list->entry[k - 1], &list->entry[k]));
    }
    if (!sorted && !order_times(maker, err))
        return false;
    uint64_t shift = list->ticks == 0 && list->entry[maker->order[0]].time == 0, rank = 0;
    for (size_t k = 0; k < list->count; k++) {
        const struct listed *entry = &list->entry[maker->order[k]];
        rank += k == 0 || !list->timed || is_later(entry, &list->entry[maker->order[k - 1]]);
        maker->round[maker->order[k]] = list->timed && !list->fraction ? entry->time + shift : rank;
    }
    return true;
}

/* Sorts the transfers by packet, those of a packet by time. */
static void sort_packets(struct packet_maker *maker)
{
    const struct transfers *list = maker->list;
    for (size_t k = 0; k < list->count; k++)
        maker->first[list->entry[k].label + 2]++;
    for (uint32_t label = 0; label < list->label_count; label++)
        maker->first[label + 2] += maker->first[label + 1];
    for (size_t k = 0; k < list->count; k++)
        maker->of[maker->first[list->entry[maker->order[k]].label + 1]++] = maker->order[k];
}

/* --- the schedule ------------------------------------------------------------------------- */

/* Sets the options of the next transfer, whose packet must be combined. */
static bool set_combining(const struct packet_maker *maker, const struct listed *entry,
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

/* Checks that a link, and a lane of it, joins the nodes of a transfer. E205, E211. */
static bool check_link(const struct transfers *list, const struct listed *entry, struct err *err)
{
    const struct topology *topology = list->topology;
    char from[TOPOLOGY_NODE_TEXT], to[TOPOLOGY_NODE_TEXT];
    if (topology == NULL || topology_row(topology)->joins == NULL)
        return true;
    const struct topology_row *row = topology_row(topology);
    if (!row->joins(topology, entry->source, entry->destination))
        return err_set(err, ERR_NO_LINK, "%.150s:%" PRIu32 ": no %s joins %s and %s; expected %s",
                       list->document->name, entry->line, row->link,
                       topology_node_text(topology, entry->source, from),
                       topology_node_text(topology, entry->destination, to), row->joined);
    if (!topology_has_routers(topology))
        return true;
    const uint32_t lanes =
        topology->capacity[topology_branch(topology, entry->source, entry->destination)];
    return entry->lane < lanes ||
           err_set(err, ERR_FIELD_RANGE,
                   "%.150s:%" PRIu32 ": lane %" PRIu32 "; expected 0 … %" PRIu32,
                   list->document->name, entry->line, entry->lane, lanes - 1);
}

static bool append(const struct listed *entry, uint32_t packet, struct schedule *schedule,
                   struct err *err)
{
    const struct transfer transfer = {entry->source, entry->destination, packet};
    return topology_has_routers(&schedule->topology)
               ? schedule_append_lane(schedule, transfer, entry->lane, err)
               : schedule_append(schedule, transfer, err);
}

static bool add_transfers(const struct packet_maker *maker, struct schedule *schedule,
                          struct err *err)
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
        schedule->origin[k] = entry->line;
        added = added && check_link(list, entry, err) &&
                (entry->combining == 0 || set_combining(maker, entry, schedule, err)) &&
                append(entry, maker->route[entry->label].number, schedule, err);
    }
    if (added)
        schedule_close_step(schedule, 0);
    schedule->origin_count = list->count;
    schedule->origin_end = list->lines;
    return added;
}

/* Makes a schedule without demands, with the rules that are asked for. */
static bool begin(const struct packet_maker *maker, struct schedule *schedule, struct err *err)
{
    const struct exchange_reading *how = maker->how;
    const struct topology complete = topology_complete(maker->nodes);
    const char *algorithm = how->algorithm != NULL ? how->algorithm : "list";
    if (!schedule_init_empty(schedule, algorithm, how->topology != NULL ? how->topology : &complete,
                             how->model, err))
        return false;
    if (maker->list->ticks > 0)
        schedule->lambda = how->lambda;
    schedule->ports = how->ports > 0 ? how->ports : 1;
    return true;
}

static bool make(struct packet_maker *maker, struct schedule *schedule, struct err *err)
{
    if (!make_room(maker, err) || !sort_times(maker, err))
        return false;
    sort_packets(maker);
    if (maker->how->demands != NULL)
        return transfers_packets_take(maker, err) && begin(maker, schedule, err) &&
               schedule_copy_demands(maker->how->demands, schedule, err) &&
               add_transfers(maker, schedule, err);
    return transfers_packets_find(maker, err) && begin(maker, schedule, err) &&
           transfers_packets_demand(maker, schedule, err) && add_transfers(maker, schedule, err);
}

/* Checks that a list can meet the given demands: it has no control packets. */
static bool check_demands(const struct transfers *list, const struct schedule *demands,
                          struct err *err)
{
    const char *name = list->document->name;
    if (schedule_data_packets(demands) < demands->packets)
        return err_set(err, ERR_UNSUPPORTED,
                       "{demands}: %s is a list of transfers; expected demands of data packets",
                       name);
    return list->topology != NULL || list->nodes <= demands->nodes ||
           err_set(err, ERR_OTHER_DEMANDS,
                   "%s: node %" PRIu32 "; expected 0 … %" PRIu32 ", as in the demands", name,
                   list->nodes - 1, demands->nodes - 1);
}

static bool check(const struct transfers *list, const struct exchange_reading *how, struct err *err)
{
    const char *name = list->document->name;
    if (list->count == 0)
        return err_set(err, ERR_DEMAND, "%s: no transfers; expected at least one", name);
    if (how->topology != NULL && how->nodes > 0 && how->nodes != how->topology->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 "; expected %" PRIu32 ", the processors of the %s",
                       how->nodes, how->topology->nodes, topology_row(how->topology)->title);
    if (how->topology == NULL && how->nodes > 0 && how->nodes < list->nodes)
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
    struct packet_maker maker = {
        .list = transfers, .how = how, .nodes = how->nodes > 0 ? how->nodes : transfers->nodes};
    struct schedule made = {0};
    if (how->expects)
        maker.expected = &collective_rows[how->expected];
    if (how->demands != NULL)
        maker.nodes = how->demands->nodes;
    if (how->topology != NULL)
        maker.nodes = how->topology->nodes;
    maker.all = how->topology != NULL ? how->topology->all : maker.nodes;
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
