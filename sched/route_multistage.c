#include "route_tables.h"

#include "network_router.h"
#include "route_rows.h"

#include <inttypes.h>
#include <stdlib.h>

/* Settings of all rows, in the order of the address map: table[stage][row][column]. */
struct tables {
    const struct machine *machine;
    struct network_router *router;
    uint32_t rows, columns;
    uint32_t *table;
    uint32_t *setting; /* setting[stages][columns]: of one row */
};

static bool open_tables(struct tables *tables, const struct machine *machine, uint32_t rows, struct err *err)
{
    *tables =
        (struct tables){.machine = machine, .rows = rows, .columns = multistage_row_words(&machine->network)};
    size_t words = (size_t)machine_stages(machine) * tables->columns;
    tables->table = calloc(words * rows + 1, sizeof *tables->table);
    tables->setting = malloc(words * sizeof *tables->setting);
    if (tables->table == NULL || tables->setting == NULL)
        return err_set(err, ERR_TOO_BIG,
                       "route: no memory for %" PRIu32 " rows of settings; expected a smaller machine", rows);
    tables->router = network_router_new(&machine->network, err);
    return tables->router != NULL;
}

static void close_tables(struct tables *tables)
{
    network_router_free(tables->router);
    free(tables->table);
    free(tables->setting);
}

static bool route_row(struct tables *tables, const uint32_t to[], const char *time, struct err *err)
{
    struct err inner;
    return network_route(tables->router, to, tables->setting, &inner) ||
           err_set(err, inner.code, "%s: %.400s", time, inner.text);
}

static void put_row(struct tables *tables, uint32_t row)
{
    for (uint32_t stage = 0; stage < machine_stages(tables->machine); stage++)
        for (uint32_t column = 0; column < tables->columns; column++)
            tables->table[((size_t)stage * tables->rows + row) * tables->columns + column] =
                tables->setting[stage * tables->columns + column];
}

static bool append_tables(struct image *image, const struct tables *tables, struct err *err)
{
    const struct multistage *net = &tables->machine->network;
    for (uint32_t stage = 0; stage < multistage_stages(net); stage++)
        for (uint32_t row = 0; row < tables->rows; row++)
            for (uint32_t column = 0; column < multistage_columns(net, stage); column++)
                if (!image_append(
                        image, machine_table_address(tables->machine, stage, row, column),
                        tables->table[((size_t)stage * tables->rows + row) * tables->columns + column], err))
                    return false;
    return true;
}

/* Row by row; idle rows keep their zeros, and a row that differs in nothing from the one before has its settings, too. */
static bool route_all_rows(struct tables *tables, const struct schedule *schedule, struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, tables->machine);
    uint32_t *to = malloc(rows.ports * sizeof *to);
    bool routed = to != NULL || err_set(err, ERR_TOO_BIG, "route: no memory for a row; expected fewer ports");
    while (routed && rows.row < rows.rows) {
        char time[SCHEDULE_TIME_TEXT];
        routed = route_rows_next(&rows, to, err);
        route_rows_name(&rows, time);
        if (!routed || rows.idle)
            continue;
        routed = !rows.changed || route_row(tables, to, time, err);
        put_row(tables, rows.row - 1);
    }
    free(to);
    return routed;
}

static bool route_settings(struct tables *tables, const struct settings *settings, struct err *err)
{
    bool routed = true;
    for (uint32_t which = 0; routed && which < settings->count; which++) {
        routed = route_row(tables, settings->to + (size_t)which * settings->ports, "settings", err);
        put_row(tables, which);
    }
    return routed;
}

static bool append_order(struct image *image, const struct phases *phases, struct err *err)
{
    bool appended = true;
    for (uint32_t phase = 0; appended && phase < phases->period; phase++)
        appended =
            image_append(image, machine_order_address(&image->machine, phase), phases->order[phase], err);
    return appended;
}

bool route_multistage(struct image *image, const struct schedule *schedule, const struct phases *phases,
                      struct err *err)
{
    const struct machine *machine = &image->machine;
    struct tables tables;
    bool full = machine->settings == MACHINE_FULL;
    if (machine->settings == MACHINE_TAGS)
        return append_order(image, phases, err);
    bool routed =
        open_tables(&tables, machine, full ? image->run.rows : phases->settings.count, err) &&
        (full ? route_all_rows(&tables, schedule, err) : route_settings(&tables, &phases->settings, err)) &&
        append_tables(image, &tables, err) && (full || append_order(image, phases, err));
    close_tables(&tables);
    return routed;
}
