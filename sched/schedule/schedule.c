/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"
#include "sched/schedule/schedule_arrays.h"

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

/* Fills a demand: packets first … last from a source to node *wanted, or to all nodes if `wanted`
 * is NULL. */
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

/* Fills the demands for source 0, by ascending packet, each of m packets. */
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
            *demand->reduction = (struct reduction){
                .ordered = row->prefix, .prefix = row->prefix, .exclusive = row->exclusive};
    }
    return put;
}

bool schedule_init(struct schedule *schedule, const char *algorithm, const struct collective *asked,
                   struct err *err)
{
    const struct topology complete = topology_complete(asked->n);
    const struct topology *topology = asked->topology != NULL ? asked->topology : &complete;
    const struct collective_row *row = &collective_rows[asked->kind];
    const struct collective sized = {.n = topology->nodes, .m = asked->m, .kind = asked->kind};
    uint64_t demands = collective_demands(asked->kind, topology->nodes);
    uint64_t all = demands > 0 ? collective_packets(&sized) : 0;
    if (all > SCHEDULE_MAX_PACKETS)
        return err_set(err, ERR_RANGE, "%" PRIu64 " packet%s; expected 1 … %" PRIu32, all,
                       text_s(all), SCHEDULE_MAX_PACKETS);
    *schedule = (struct schedule){.algorithm = strdup(algorithm),
                                  .nodes = topology->nodes,
                                  .topology = *topology,
                                  .packets = (uint32_t)all,
                                  .model = asked->model,
                                  .lambda = {1, 1},
                                  .ports = 1,
                                  .has_reductions = row->combined,
                                  .demand = calloc(demands + 1, sizeof *schedule->demand)};
    schedule->demand_count = schedule->demand_room = schedule->demand != NULL ? demands : 0;
    if (schedule->algorithm != NULL && schedule->demand != NULL &&
        put_demands(schedule, row, asked->m))
        return true;
    schedule_free(schedule);
    return err_no_memory(err, "a schedule");
}

bool schedule_init_empty(struct schedule *schedule, const char *algorithm,
                         const struct topology *topology, enum model model, struct err *err)
{
    return schedule_init(
        schedule, algorithm,
        &(struct collective){.topology = topology, .kind = COLLECTIVE_DEMANDS, .model = model},
        err);
}

void schedule_free(struct schedule *schedule)
{
    schedule_free_demands(schedule);
    free(schedule->algorithm);
    free(schedule->step);
    free(schedule->transfer);
    free(schedule->lane);
    free(schedule->combining);
    free(schedule->jump);
    free(schedule->origin);
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

bool schedule_grow(void **array, size_t *room, struct schedule_growth by, struct err *err)
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
    bool grown = schedule_grow(
        &array, &schedule->step_room,
        (struct schedule_growth){sizeof *schedule->step, schedule->step_count, more, amortise},
        err);
    schedule->step = array;
    return grown;
}

static bool grow_transfers(struct schedule *schedule, size_t more, bool amortise, struct err *err)
{
    void *array = schedule->transfer;
    bool grown = schedule_grow(&array, &schedule->transfer_room,
                               (struct schedule_growth){sizeof *schedule->transfer,
                                                        schedule->transfer_count, more, amortise},
                               err);
    schedule->transfer = array;
    return grown;
}

bool schedule_reserve(struct schedule *schedule, size_t steps, size_t transfers, struct err *err)
{
    return grow_steps(schedule, steps, false, err) &&
           grow_transfers(schedule, transfers, false, err);
}

bool schedule_check_uncombined(const char *name, const struct schedule *schedule, struct err *err)
{
    if (schedule->has_reductions)
        return err_set(
            err, ERR_UNSUPPORTED,
            "%.150s: reductions are not supported here; expected a schedule without them "
            "('verify', 'judge', 'route', 'run', 'draw', 'view', 'plot', 'mpi' and 'export' accept "
            "them)",
            name);
    return true;
}

uint32_t schedule_processors(const struct schedule *schedule)
{
    return schedule->nodes / MAX(schedule->topology.shared, 1);
}

bool schedule_check_unshared(const char *name, const struct schedule *schedule, struct err *err)
{
    return schedule->topology.shared == 0 ||
           err_set(err, ERR_UNSUPPORTED,
                   "%.150s: %" PRIu32
                   " adjacent endpoints share the memory of a node; expected the "
                   "schedule of the nodes, as it was before 'route'",
                   name, schedule->topology.shared);
}

bool schedule_check_one_port(const char *name, const struct schedule *schedule, struct err *err)
{
    return schedule->ports <= 1 ||
           err_set(
               err, ERR_ALGORITHM,
               "%.150s: a node has %" PRIu32
               " port%s; expected 1: 'route' gives each port an endpoint, and the folder that it "
               "writes has a schedule of one port",
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
    bool grown = schedule_grow(
        &array, &schedule->lane_room,
        (struct schedule_growth){sizeof *schedule->lane, schedule->transfer_count, 1, true}, err);
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
    bool grown = schedule_grow(
        &array, &schedule->combining_room,
        (struct schedule_growth){sizeof *schedule->combining, count, more, true}, err);
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
    schedule->origin_count = schedule->origin_end = 0;
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
    bool grown = schedule_grow(
        &array, &schedule->jump_room,
        (struct schedule_growth){sizeof *schedule->jump, schedule->jump_count, 1, true}, err);
    schedule->jump = array;
    if (grown)
        schedule->jump[schedule->jump_count++] =
            (struct line_jump){.canonical = canonical, .extra = line - canonical};
    return grown;
}

size_t schedule_step_of(const struct schedule *schedule, size_t transfer)
{
    /* invariant: step[low].first ≤ transfer < step[high].first */
    size_t low = 0, high = schedule->step_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (schedule->step[middle].first <= transfer)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the line of the file that holds a line of the canonical text. */
static uint64_t line_of(const struct schedule *schedule, uint64_t canonical)
{
    /* invariant: jumps before `low` are at or before the line */
    size_t low = 0, high = schedule->jump_count;
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
    if (transfer < schedule->origin_count)
        return schedule->origin[transfer];
    if (schedule->origin_end > 0)
        return schedule->origin_end;
    size_t steps = transfer < schedule->transfer_count ? schedule_step_of(schedule, transfer) + 1
                                                       : schedule->step_count;
    return line_of(schedule, LINES_BEFORE_DEMANDS + schedule->demand_count + steps + transfer + 1);
}

uint64_t schedule_demand_line(const struct schedule *schedule, size_t which)
{
    return line_of(schedule, LINES_BEFORE_DEMANDS + which + 1);
}
