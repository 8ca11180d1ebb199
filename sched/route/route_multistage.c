/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/threads.h"
#include "sched/machine/machine_address.h"
#include "sched/network/network_router.h"
#include "sched/route/affine.h"
#include "sched/route/route_tables.h"
#include "sched/route/settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Many rounds at once ------------------------------------------------------------------ */

/* Minimum number of rounds of a batch, and of ports of all its rounds together. At the end of each
 * batch threads wait for the last of them, which takes long if other programs use the cores. */
#define BATCH_ROUNDS 64u
#define BATCH_PORTS (UINT32_C(1) << 19)

/* A thread takes rounds with this many ports in total at a time. */
#define CHUNK_PORTS 4096u

/* Number of ports of all rounds above which threads save more time than they cost: about a
 * millisecond of routing. */
#define PARALLEL_PORTS (UINT64_C(1) << 18)

/* Large rounds are divided into parts of about this many ports, for threads that have no round. */
#define PART_PORTS (UINT32_C(1) << 18)

/* The memory of a thread. */
struct route_worker {
    struct network_router *router;
    uint32_t *setting; /* setting[stages][columns]: the settings of one round */
    /* the first round in the batch that failed in this thread, or the number of rounds */
    uint32_t failed;
    struct err err; /* the error of that round */
};

/* Returns the maximum number of rounds of a batch, at least 1: without rounds there is still a
 * worker, which reports no failure. */
static uint32_t room_for(const struct route_batch *batch)
{
    uint32_t most = BATCH_PORTS / batch->circuits;
    most = MAX(most, BATCH_ROUNDS);
    return MAX(1, MIN(batch->table->rows, most));
}

static unsigned batch_threads(const struct route_batch *batch)
{
    unsigned most = threads_for((uint64_t)batch->table->rows * batch->circuits, PARALLEL_PORTS);
    uint64_t parts = batch->room * (1 + (uint64_t)batch->circuits / PART_PORTS);
    return (unsigned)MIN(most, parts);
}

bool route_batch_open(struct route_batch *batch, const struct machine *machine,
                      const struct route_table *table, struct err *err)
{
    *batch =
        (struct route_batch){.table = table, .circuits = multistage_circuits(&machine->network)};
    batch->room = room_for(batch);
    batch->threads = batch_threads(batch);
    batch->worker_count = MIN(batch->threads, batch->room);
    size_t words = (size_t)table->stages * table->columns;
    uint32_t *setting;
    const struct arena_array arrays[] = {
        ARENA(batch->circuit, (batch->room + (size_t)1) * batch->circuits),
        ARENA(batch->round, batch->room), ARENA(batch->worker, batch->worker_count),
        ARENA(setting, batch->worker_count * words)};
    batch->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (batch->memory == NULL)
        return err_no_memory(err, "%" PRIu32 " rows", batch->room);
    bool opened = true;
    for (unsigned w = 0; opened && w < batch->worker_count; w++) {
        batch->worker[w].setting = setting + w * words;
        batch->worker[w].router = network_router_new(&machine->network, err);
        opened = batch->worker[w].router != NULL;
    }
    return opened;
}

void route_batch_close(struct route_batch *batch)
{
    for (unsigned w = 0; batch->worker != NULL && w < batch->worker_count; w++)
        network_router_free(batch->worker[w].router);
    free(batch->memory);
    threads_rest(batch->threads);
}

uint32_t *route_batch_next(struct route_batch *batch)
{
    return batch->circuit + (size_t)batch->count * batch->circuits;
}

static void put_rows(const struct route_table *table, const struct route_round *round,
                     const uint32_t setting[])
{
    for (uint32_t stage = 0; stage < table->stages; stage++)
        for (uint32_t row = round->first; row < round->end; row++)
            memcpy(table->word + ((size_t)stage * table->rows + row) * table->columns,
                   setting + (size_t)stage * table->columns, table->columns * sizeof *setting);
}

static void route_round(const struct route_batch *batch, struct route_worker *worker,
                        uint32_t which)
{
    struct err err;
    if (network_route(worker->router, batch->circuit + (size_t)which * batch->circuits,
                      worker->setting, &err)) {
        put_rows(batch->table, &batch->round[which], worker->setting);
    } else if (which < worker->failed) {
        worker->failed = which;
        worker->err = err;
    }
}

/* Claims the next worker; there are as many as rounds or threads. */
static struct route_worker *claim_worker(struct route_batch *batch)
{
    unsigned number;
#pragma omp atomic capture
    number = batch->claimed++;
    return &batch->worker[number];
}

/* Returns the worker that failed in the earliest round, or NULL. */
static const struct route_worker *first_failed(const struct route_batch *batch)
{
    const struct route_worker *first = &batch->worker[0];
    for (unsigned w = 1; w < batch->worker_count; w++)
        if (batch->worker[w].failed < first->failed)
            first = &batch->worker[w];
    return first;
}

bool route_batch_flush(struct route_batch *batch, struct err *err)
{
    uint32_t count = batch->count, chunk = 1 + CHUNK_PORTS / batch->circuits;
    batch->count = 0;
    for (unsigned w = 0; w < batch->worker_count; w++)
        batch->worker[w].failed = count;
    batch->claimed = 0;
#pragma omp parallel num_threads(batch->threads) if (batch->threads > 1)
    {
        struct route_worker *worker = NULL;
#pragma omp for schedule(dynamic, chunk)
        for (uint32_t which = 0; which < count; which++) {
            worker = worker != NULL ? worker : claim_worker(batch);
            route_round(batch, worker, which);
        }
    }
    const struct route_worker *failed = first_failed(batch);
    return failed->failed == count ||
           err_at(err, &failed->err, "%s", batch->round[failed->failed].name);
}

bool route_batch_add(struct route_batch *batch, uint32_t row, const char *name, struct err *err)
{
    if (batch->count == batch->room) {
        const uint32_t *circuit = route_batch_next(batch);
        if (!route_batch_flush(batch, err))
            return false;
        memcpy(batch->circuit, circuit, batch->circuits * sizeof *circuit);
    }
    struct route_round *round = &batch->round[batch->count++];
    round->first = row;
    round->end = row + 1;
    snprintf(round->name, sizeof round->name, "%s", name);
    return true;
}

void route_batch_repeat(struct route_batch *batch)
{
    batch->round[batch->count - 1].end++;
}

/* --- The tables of an image --------------------------------------------------------------- */

static bool open_table(struct route_table *table, const struct machine *machine, uint32_t rows,
                       struct err *err)
{
    bool masks = machine_has_masks(machine);
    *table = (struct route_table){.stages = machine_stages(machine),
                                  .rows = rows,
                                  .columns = masks ? 1 : multistage_row_words(&machine->network)};
    table->word = calloc((size_t)table->stages * table->columns * rows + 1, sizeof *table->word);
    return table->word != NULL || err_no_memory(err, "%" PRIu32 " rows of settings", rows);
}

static bool append_table(struct image *image, const struct route_table *table, struct err *err)
{
    const struct machine *machine = &image->machine;
    for (uint32_t stage = 0; stage < table->stages; stage++)
        for (uint32_t row = 0; row < table->rows; row++)
            for (uint32_t column = 0; column < machine_columns(machine, stage); column++)
                if (!image_append(
                        image, machine_table_address(machine, stage, row, column),
                        table->word[((size_t)stage * table->rows + row) * table->columns + column],
                        err))
                    return false;
    return true;
}

/* Adds the next row. Idle rows keep their zeros, and a row that equals the previous one shares its
 * settings. */
static bool add_row(struct route_batch *batch, struct route_rows *rows, struct err *err)
{
    char time[ROUTE_ROWS_NAME];
    struct err inner;
    /* If two rows fail, the first is reported: an earlier one may still have to be routed. */
    if (!route_rows_next(rows, route_batch_next(batch), &inner)) {
        if (route_batch_flush(batch, err))
            err_copy(err, &inner);
        return false;
    }
    if (rows->idle)
        return true;
    if (!rows->changed) {
        route_batch_repeat(batch);
        return true;
    }
    route_rows_name(rows, time);
    return route_batch_add(batch, rows->row - 1, time, err);
}

static bool route_all_rows(struct route_batch *batch, const struct schedule *schedule,
                           const struct machine *machine, struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, machine);
    bool added = true;
    while (added && rows.row < rows.rows)
        added = add_row(batch, &rows, err);
    return added && route_batch_flush(batch, err);
}

static bool route_settings(struct route_batch *batch, const struct settings *settings,
                           struct err *err)
{
    bool added = true;
    for (uint32_t which = 0; added && which < settings->count; which++) {
        memcpy(route_batch_next(batch), settings->circuit + (size_t)which * settings->circuits,
               settings->circuits * sizeof *settings->circuit);
        added = route_batch_add(batch, which, "settings", err);
    }
    return added && route_batch_flush(batch, err);
}

static bool fill_masks(const struct route_table *table, const struct machine *machine,
                       const struct affine_grouping *maps, struct err *err)
{
    uint32_t *mask = malloc(table->stages * sizeof *mask);
    if (mask == NULL)
        return err_no_memory(err, "masks");
    for (uint32_t which = 0; which < maps->count; which++) {
        const struct affine map = affine_complete(&maps->part[which]);
        masks_route(&machine->network, &map, mask);
        for (uint32_t stage = 0; stage < table->stages; stage++)
            table->word[(size_t)stage * table->rows + which] = mask[stage];
    }
    free(mask);
    return true;
}

static bool fill_table(const struct route_table *table, const struct machine *machine,
                       const struct schedule *schedule, const struct setting_period *setting_period,
                       struct err *err)
{
    struct route_batch batch;
    const struct settings *settings =
        machine_shares_settings(machine) ? &setting_period->settings : &setting_period->reconfig;
    if (machine_has_masks(machine))
        return fill_masks(table, machine, &setting_period->maps, err);
    bool routed =
        route_batch_open(&batch, machine, table, err) &&
        (!machine_has_setting_index(machine) ? route_all_rows(&batch, schedule, machine, err)
                                             : route_settings(&batch, settings, err));
    route_batch_close(&batch);
    return routed;
}

static bool append_setting_index(struct image *image, const struct setting_period *setting_period,
                                 struct err *err)
{
    const struct machine *machine = &image->machine;
    bool appended = true;
    for (uint32_t setting_phase = 0; appended && setting_phase < setting_period->period;
         setting_phase++)
        appended = image_append(image, machine_setting_index_address(machine, setting_phase),
                                machine_setting_index_word(
                                    machine,
                                    machine->reconfigures ? setting_period->rows[setting_phase] : 1,
                                    setting_period->setting_index[setting_phase]),
                                err);
    return appended;
}

bool route_multistage(struct image *image, const struct schedule *schedule,
                      const struct setting_period *setting_period, struct err *err)
{
    const struct machine *machine = &image->machine;
    struct route_table table;
    bool full = !machine_has_setting_index(machine);
    if (machine_has_tags(machine))
        return append_setting_index(image, setting_period, err);
    bool routed =
        open_table(&table, machine, full ? image->run.rows : setting_period->distinct, err) &&
        fill_table(&table, machine, schedule, setting_period, err) &&
        append_table(image, &table, err) &&
        (full || append_setting_index(image, setting_period, err));
    free(table.word);
    return routed;
}
