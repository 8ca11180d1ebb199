/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lines of the canonical text before the first demand: version, algorithm, topology, model. */
#define LINES_BEFORE_DEMANDS 4

bool schedule_check_range(uint32_t nodes, uint32_t packets, uint32_t source, struct err *err)
{
    if (nodes < 1 || nodes > SCHEDULE_MAX_NODES)
        return err_set(err, ERR_RANGE, "%" PRIu32 " node%s; expected 1 … %" PRIu32, nodes,
                       text_s(nodes), SCHEDULE_MAX_NODES);
    if (packets < 1 || packets > SCHEDULE_MAX_PACKETS)
        return err_set(err, ERR_RANGE, "%" PRIu32 " packet%s; expected 1 … %" PRIu32, packets,
                       text_s(packets), SCHEDULE_MAX_PACKETS);
    if (source >= nodes)
        return err_set(err, ERR_RANGE, "source %" PRIu32 "; expected 0 … %" PRIu32, source,
                       nodes - 1);
    return true;
}

/* Packets first … last from a source to a leaf, or to all if `wanted` is none. */
static bool put_demand(struct demand *demand, uint32_t first, uint32_t last, uint32_t source,
                       const uint32_t *wanted)
{
    *demand = (struct demand){.first_packet = first, .last_packet = last, .source = source};
    if (wanted == NULL)
        return true;
    demand->wanted = malloc(sizeof *wanted);
    if (demand->wanted == NULL)
        return false;
    demand->wanted_count = 1;
    *demand->wanted = *wanted;
    return true;
}

/* Demands of source 0 by ascending packet, each of m packets. */
static bool put_demands(struct schedule *schedule, const struct collective_row *row, uint32_t m)
{
    bool put = true;
    for (uint32_t which = 0; which < schedule->demand_count && put; which++) {
        uint32_t from, to;
        row->demand(schedule->nodes, which, &from, &to);
        struct demand *demand = &schedule->demand[which];
        put = put_demand(demand, which * m + 1, (which + 1) * m, from, row->to_all ? NULL : &to);
        if (!row->combined || !put)
            continue;
        demand->reduction = calloc(1, sizeof *demand->reduction);
        put = demand->reduction != NULL;
        if (put)
            *demand->reduction = (struct reduction){.ordered = row->prefix, .prefix = row->prefix};
    }
    return put;
}

bool schedule_init(struct schedule *schedule, const char *algorithm,
                   const struct topology *topology, enum collective_kind kind, uint32_t m,
                   enum model model, struct err *err)
{
    uint64_t demands = collective_demands(kind, topology->nodes);
    const struct collective asked = {.n = topology->nodes, .m = m, .kind = kind};
    uint64_t all = demands > 0 ? collective_packets(&asked) : 0;
    if (all > SCHEDULE_MAX_PACKETS)
        return err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, all,
                       text_s(all), SCHEDULE_MAX_PACKETS);
    *schedule = (struct schedule){.algorithm = strdup(algorithm),
                                  .nodes = topology->nodes,
                                  .topology = *topology,
                                  .packets = (uint32_t)all,
                                  .model = model,
                                  .lambda = {1, 1},
                                  .ports = 1,
                                  .has_reductions = collective_rows[kind].combined,
                                  .demand = calloc(demands + 1, sizeof *schedule->demand)};
    schedule->demand_count = schedule->demand_room = schedule->demand != NULL ? demands : 0;
    if (schedule->algorithm != NULL && schedule->demand != NULL &&
        put_demands(schedule, &collective_rows[kind], m))
        return true;
    schedule_free(schedule);
    return err_no_memory(err, "a schedule");
}

bool schedule_init_broadcast(struct schedule *schedule, const char *algorithm, uint32_t nodes,
                             uint32_t packets, uint32_t source, enum model model, struct err *err)
{
    if (!schedule_check_range(nodes, packets, source, err))
        return false;
    const struct topology complete = topology_complete(nodes);
    if (!schedule_init(schedule, algorithm, &complete, COLLECTIVE_BROADCAST, packets, model, err))
        return false;
    schedule->demand[0].source = source;
    return true;
}

/* The packets of the last demand carry a copy of this. */
static bool put_control(struct schedule *schedule, const struct control *control, struct err *err)
{
    struct control *copy = malloc(sizeof *copy);
    uint32_t *part = control->part_count > 0 ? malloc(control->part_count * sizeof *part) : NULL;
    if (copy == NULL || (control->part_count > 0 && part == NULL)) {
        free(copy);
        free(part);
        return err_no_memory(err, "%" PRIu32 " parts of a value", control->part_count);
    }
    *copy = *control;
    copy->part = part;
    if (part != NULL)
        memcpy(part, control->part, control->part_count * sizeof *part);
    schedule->demand[schedule->demand_count - 1].control = copy;
    return true;
}

bool schedule_add_control(struct schedule *schedule, const struct control *control, uint32_t source,
                          const uint32_t wanted[], uint32_t wanted_count, struct err *err)
{
    return schedule_add_demand(schedule, 1, source, wanted, wanted_count, err) &&
           put_control(schedule, control, err);
}

uint32_t schedule_wanted_by_others(const struct schedule *schedule, const struct demand *demand)
{
    uint32_t all = schedule->nodes - (demand->source < schedule->nodes);
    uint32_t others = demand->wanted_count > 0 ? demand->wanted_count : all;
    for (uint32_t k = 0; k < demand->wanted_count; k++)
        others -= demand->wanted[k] == demand->source;
    return others;
}

uint32_t schedule_data_packets(const struct schedule *schedule)
{
    size_t low = 0, high = schedule->demand_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (schedule->demand[middle].control != NULL)
            high = middle;
        else
            low = middle + 1;
    }
    return low == 0 ? 0 : schedule->demand[low - 1].last_packet;
}

/* The packets of the last demand are combined as this says. */
static bool put_reduction(struct schedule *schedule, const struct reduction *reduction,
                          struct err *err)
{
    uint32_t count = reduction->contributor_count;
    struct reduction *copy = malloc(sizeof *copy);
    uint32_t *contributor = count > 0 ? malloc(count * sizeof *contributor) : NULL;
    if (copy == NULL || (count > 0 && contributor == NULL)) {
        free(copy);
        free(contributor);
        return err_no_memory(err, "%" PRIu32 " contributors", count);
    }
    *copy = *reduction;
    copy->contributor = contributor;
    if (contributor != NULL)
        memcpy(contributor, reduction->contributor, count * sizeof *contributor);
    schedule->demand[schedule->demand_count - 1].reduction = copy;
    schedule->has_reductions = true;
    return true;
}

bool schedule_add_reduction(struct schedule *schedule, uint32_t count,
                            const struct reduction *reduction, const uint32_t *destination,
                            struct err *err)
{
    return schedule_add_demand(schedule, count, 0, destination, destination != NULL, err) &&
           put_reduction(schedule, reduction, err);
}

bool schedule_copy_demands(const struct schedule *from, struct schedule *to, struct err *err)
{
    bool copied = true;
    for (size_t d = 0; copied && d < from->demand_count; d++) {
        const struct demand *demand = &from->demand[d];
        copied = schedule_add_demand(to, demand->last_packet - demand->first_packet + 1,
                                     demand->source, demand->wanted, demand->wanted_count, err) &&
                 (demand->control == NULL || put_control(to, demand->control, err)) &&
                 (demand->reduction == NULL || put_reduction(to, demand->reduction, err));
    }
    return copied;
}

/* Was it reserved with others? */
static bool is_lone(const struct schedule *schedule, const uint32_t *wanted)
{
    return schedule->lone != NULL && wanted >= schedule->lone &&
           wanted < schedule->lone + schedule->lone_count;
}

void schedule_free(struct schedule *schedule)
{
    for (size_t which = 0; which < schedule->demand_count; which++) {
        if (!is_lone(schedule, schedule->demand[which].wanted))
            free(schedule->demand[which].wanted);
        if (schedule->demand[which].control != NULL)
            free(schedule->demand[which].control->part);
        free(schedule->demand[which].control);
        if (schedule->demand[which].reduction != NULL)
            free(schedule->demand[which].reduction->contributor);
        free(schedule->demand[which].reduction);
    }
    free(schedule->demand);
    free(schedule->lone);
    free(schedule->algorithm);
    free(schedule->step);
    free(schedule->transfer);
    free(schedule->lane);
    free(schedule->combining);
    free(schedule->jump);
    *schedule = (struct schedule){0};
}

static bool refuse_size(size_t count, size_t more, size_t entry, struct err *err)
{
    return err_set(
        err, ERR_TOO_BIG,
        "a schedule of %zu + %zu entries of %zu byte%s does not fit in memory; expected at most "
        "%zu entries on this machine",
        count, more, entry, text_s(entry), memory_most(entry));
}

/* An array that has `count` entries of `entry` bytes, and needs `more`. */
struct growth {
    size_t entry, count, more;
    bool amortise; /* the room at least doubles, as far as memory allows */
};

/* Grows *array, which has room for *room entries. */
static bool grow(void **array, size_t *room, struct growth by, struct err *err)
{
    const size_t entry = by.entry, count = by.count, more = by.more;
    if (more <= *room - count)
        return true;
    size_t most = memory_most(entry);
    bool fits = count <= most && more <= most - count;
    size_t wanted = count + more;
    if (fits && by.amortise && wanted < 2 * *room)
        wanted = MIN(2 * *room, most);
    void *larger = fits ? realloc(*array, wanted * entry) : NULL;
    if (larger == NULL)
        return refuse_size(count, more, entry, err);
    memory_large_pages(larger, wanted * entry);
    *array = larger;
    *room = wanted;
    return true;
}

bool schedule_check_size(uint64_t transfers, struct err *err)
{
    size_t entry = sizeof(struct transfer);
    return transfers <= memory_most(entry) || refuse_size(0, transfers, entry, err);
}

static bool grow_steps(struct schedule *schedule, size_t more, bool amortise, struct err *err)
{
    void *array = schedule->step;
    bool grown =
        grow(&array, &schedule->step_room,
             (struct growth){sizeof *schedule->step, schedule->step_count, more, amortise}, err);
    schedule->step = array;
    return grown;
}

static bool grow_transfers(struct schedule *schedule, size_t more, bool amortise, struct err *err)
{
    void *array = schedule->transfer;
    bool grown = grow(
        &array, &schedule->transfer_room,
        (struct growth){sizeof *schedule->transfer, schedule->transfer_count, more, amortise}, err);
    schedule->transfer = array;
    return grown;
}

bool schedule_reserve_demands(struct schedule *schedule, size_t count, struct err *err)
{
    void *array = schedule->demand;
    bool grown =
        grow(&array, &schedule->demand_room,
             (struct growth){sizeof *schedule->demand, schedule->demand_count, count, false}, err);
    schedule->demand = array;
    if (!grown)
        return false;
    schedule->lone = malloc(count * sizeof *schedule->lone);
    if (schedule->lone == NULL)
        return err_no_memory(err, "%zu wanting nodes", count);
    schedule->lone_room = count;
    return true;
}

/* Where a demand keeps its wanting nodes, 1 or more; NULL if there is no memory. */
static uint32_t *place_of_wanted(struct schedule *schedule, uint32_t count)
{
    if (count == 1 && schedule->lone_count < schedule->lone_room)
        return &schedule->lone[schedule->lone_count++];
    return malloc(count * sizeof(uint32_t));
}

bool schedule_add_demand(struct schedule *schedule, uint32_t count, uint32_t source,
                         const uint32_t wanted[], uint32_t wanted_count, struct err *err)
{
    if (count > SCHEDULE_MAX_PACKETS - schedule->packets)
        return err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected at most %" PRIu32,
                       (uint64_t)schedule->packets + count,
                       text_s((uint64_t)schedule->packets + count), SCHEDULE_MAX_PACKETS);
    void *array = schedule->demand;
    bool grown =
        grow(&array, &schedule->demand_room,
             (struct growth){sizeof *schedule->demand, schedule->demand_count, 1, true}, err);
    schedule->demand = array;
    if (!grown)
        return false;
    uint32_t *copy = NULL;
    if (wanted_count > 0 && (copy = place_of_wanted(schedule, wanted_count)) == NULL)
        return err_no_memory(err, "%" PRIu32 " wanting nodes", wanted_count);
    if (wanted_count > 0)
        memcpy(copy, wanted, wanted_count * sizeof *copy);
    schedule->demand[schedule->demand_count++] =
        (struct demand){.first_packet = schedule->packets + 1,
                        .last_packet = schedule->packets + count,
                        .source = source,
                        .wanted_count = wanted_count,
                        .wanted = copy};
    schedule->packets += count;
    return true;
}

bool schedule_reserve(struct schedule *schedule, size_t steps, size_t transfers, struct err *err)
{
    return grow_steps(schedule, steps, false, err) &&
           grow_transfers(schedule, transfers, false, err);
}

bool schedule_check_routable(const char *name, const struct schedule *schedule, struct err *err)
{
    if (schedule->has_reductions)
        return err_set(err, ERR_UNSUPPORTED,
                       "%.150s: packets are combined; expected none, because no network, simulator "
                       "or exporter combines packets yet: 'verify' checks such schedules",
                       name);
    return schedule->ports <= 1 ||
           err_set(err, ERR_ALGORITHM,
                   "%.150s: a node has %" PRIu32
                   " port%s; expected 1: no network gives a node several, and verify alone takes "
                   "such schedules",
                   name, schedule->ports, text_s(schedule->ports));
}

const char *schedule_time_text(const struct schedule *schedule, uint64_t time,
                               char text[SCHEDULE_TIME_TEXT])
{
    char *number = stpcpy(text, model_has_times(schedule->model) ? "time " : "round ");
    rational_text(time, schedule->lambda.denominator, number);
    return text;
}

struct transfer *schedule_open_step(struct schedule *schedule, uint64_t time, size_t count,
                                    struct err *err)
{
    if (!grow_steps(schedule, 1, true, err) || !grow_transfers(schedule, count, true, err))
        return NULL;
    if (schedule->watch.report != NULL)
        schedule->watch.report(schedule->watch.with, schedule->transfer_count,
                               schedule->transfer_room);
    schedule->step[schedule->step_count++] =
        (struct step){.time = time, .first = schedule->transfer_count};
    return schedule->transfer + schedule->transfer_count;
}

struct transfer *schedule_room(struct schedule *schedule, size_t count, struct err *err)
{
    return grow_transfers(schedule, count, true, err)
               ? schedule->transfer + schedule->transfer_count
               : NULL;
}

struct step *schedule_step_room(struct schedule *schedule, size_t count, struct err *err)
{
    return grow_steps(schedule, count, true, err) ? schedule->step + schedule->step_count : NULL;
}

bool schedule_append(struct schedule *schedule, struct transfer transfer, struct err *err)
{
    if (schedule->transfer_count == schedule->transfer_room &&
        !grow_transfers(schedule, 1, true, err))
        return false;
    schedule->transfer[schedule->transfer_count++] = transfer;
    return true;
}

bool schedule_append_lane(struct schedule *schedule, struct transfer transfer, uint32_t lane,
                          struct err *err)
{
    void *array = schedule->lane;
    bool grown =
        grow(&array, &schedule->lane_room,
             (struct growth){sizeof *schedule->lane, schedule->transfer_count, 1, true}, err);
    schedule->lane = array;
    if (!grown)
        return false;
    schedule->lane[schedule->transfer_count] = lane;
    return schedule_append(schedule, transfer, err);
}

bool schedule_set_combining(struct schedule *schedule, size_t index, unsigned combining,
                            struct err *err)
{
    size_t count = schedule->combining_count, more = index + 1 - count;
    if (combining == 0)
        return true;
    void *array = schedule->combining;
    bool grown = grow(&array, &schedule->combining_room,
                      (struct growth){sizeof *schedule->combining, count, more, true}, err);
    schedule->combining = array;
    if (!grown)
        return false;
    memset(schedule->combining + count, 0, more);
    schedule->combining[index] = (uint8_t)combining;
    schedule->combining_count = index + 1;
    return true;
}

void schedule_close_step(struct schedule *schedule, size_t count)
{
    const struct step *last = &schedule->step[schedule->step_count - 1];
    schedule->transfer_count += count;
    if (last->first == schedule->transfer_count)
        schedule->step_count--;
    else
        schedule->end =
            last->time + (model_has_times(schedule->model) ? schedule->lambda.numerator : 0);
}

void schedule_clear_steps(struct schedule *schedule)
{
    schedule->step_count = schedule->transfer_count = schedule->combining_count = 0;
    schedule->end = 0;
}

bool schedule_add_jump(struct schedule *schedule, uint64_t line, struct err *err)
{
    uint64_t canonical = LINES_BEFORE_DEMANDS + schedule->demand_count + schedule->step_count +
                         schedule->transfer_count + 1;
    uint64_t known = schedule->jump_count > 0 ? schedule->jump[schedule->jump_count - 1].extra : 0;
    if (line == canonical + known)
        return true;
    void *array = schedule->jump;
    bool grown = grow(&array, &schedule->jump_room,
                      (struct growth){sizeof *schedule->jump, schedule->jump_count, 1, true}, err);
    schedule->jump = array;
    if (grown)
        schedule->jump[schedule->jump_count++] =
            (struct line_jump){.canonical = canonical, .extra = line - canonical};
    return grown;
}

size_t schedule_step_of(const struct schedule *schedule, size_t transfer)
{
    size_t low = 0, high = schedule->step_count; /* step[low].first ≤ transfer < step[high].first */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (schedule->step[middle].first <= transfer)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The line of the file where a line of the canonical text stands. */
static uint64_t line_of(const struct schedule *schedule, uint64_t canonical)
{
    size_t low = 0, high = schedule->jump_count; /* jumps before `low` are at or before the line */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (schedule->jump[middle].canonical <= canonical)
            low = middle + 1;
        else
            high = middle;
    }
    return canonical + (low > 0 ? schedule->jump[low - 1].extra : 0);
}

uint64_t schedule_line(const struct schedule *schedule, size_t transfer)
{
    size_t steps = transfer < schedule->transfer_count ? schedule_step_of(schedule, transfer) + 1
                                                       : schedule->step_count;
    return line_of(schedule, LINES_BEFORE_DEMANDS + schedule->demand_count + steps + transfer + 1);
}

uint64_t schedule_demand_line(const struct schedule *schedule, size_t which)
{
    return line_of(schedule, LINES_BEFORE_DEMANDS + which + 1);
}

const struct demand *schedule_demand_of(const struct schedule *schedule, uint32_t packet)
{
    size_t low = 0, high = schedule->demand_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (schedule->demand[middle].first_packet <= packet)
            low = middle;
        else
            high = middle;
    }
    return &schedule->demand[low];
}
