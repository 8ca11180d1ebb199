/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route_tables.h"

#include "sched/route/masks.h"
#include "sched/route/route_batch.h"
#include "sched/route/route_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Idle rows keep their zeros, and a row that equals the one before shares its settings. */
static bool add_row(struct route_batch *batch, struct route_rows *rows, struct err *err)
{
    char time[ROUTE_ROWS_NAME];
    struct err inner;
    /* If two rows fail, the first is told: one before this may be still to be routed. */
    if (!route_rows_next(rows, route_batch_next(batch), &inner))
        return route_batch_flush(batch, err) && err_copy(err, &inner);
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
        memcpy(route_batch_next(batch), settings->circuit + (size_t)which * settings->ports,
               settings->ports * sizeof *settings->circuit);
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
                       const struct schedule *schedule, const struct beats *beats, struct err *err)
{
    struct route_batch batch;
    const struct settings *settings =
        machine_shares_settings(machine) ? &beats->settings : &beats->held;
    if (machine_has_masks(machine))
        return fill_masks(table, machine, &beats->maps, err);
    bool routed = route_batch_open(&batch, machine, table, err) &&
                  (!machine_has_order(machine) ? route_all_rows(&batch, schedule, machine, err)
                                               : route_settings(&batch, settings, err));
    route_batch_close(&batch);
    return routed;
}

static bool append_order(struct image *image, const struct beats *beats, struct err *err)
{
    const struct machine *machine = &image->machine;
    bool appended = true;
    for (uint32_t beat = 0; appended && beat < beats->period; beat++)
        appended = image_append(
            image, machine_order_address(machine, beat),
            machine_order_word(machine, machine->held ? beats->rows[beat] : 1, beats->order[beat]),
            err);
    return appended;
}

bool route_multistage(struct image *image, const struct schedule *schedule,
                      const struct beats *beats, struct err *err)
{
    const struct machine *machine = &image->machine;
    struct route_table table;
    bool full = !machine_has_order(machine);
    if (machine_has_tags(machine))
        return append_order(image, beats, err);
    bool routed = open_table(&table, machine, full ? image->run.rows : beats->distinct, err) &&
                  fill_table(&table, machine, schedule, beats, err) &&
                  append_table(image, &table, err) && (full || append_order(image, beats, err));
    free(table.word);
    return routed;
}
