#include "route_tables.h"

#include "network_router.h"

#include <inttypes.h>
#include <stdlib.h>

/* Settings of all rows, in the order of the address map: table[stage][row][column]. */
struct tables {
    const struct schedule *schedule;
    const struct machine *machine;
    uint32_t rows, columns, packet_rows;
    uint32_t *table;
    uint32_t *to;      /* to[ports]: the row's circuits */
    uint32_t *setting; /* setting[stages][columns]: of one row */
    struct network_router *router;
};

/* The circuits of the packets that are under way: those of the steps first … end - 1. */
static bool route_circuits(struct tables *tables, size_t first, size_t end, uint64_t row, struct err *err)
{
    const struct schedule *schedule = tables->schedule;
    char time[SCHEDULE_TIME_TEXT];
    schedule_time_text(schedule, row + (schedule->model != MODEL_POSTAL), time);
    for (uint32_t port = 0; port < machine_ports(tables->machine); port++)
        tables->to[port] = MULTISTAGE_IDLE;
    for (size_t t = schedule->step[first].first; t < schedule_step_end(schedule, end - 1); t++) {
        struct transfer transfer = schedule->transfer[t];
        if (tables->to[transfer.source] != MULTISTAGE_IDLE)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: node %" PRIu32 " sends twice; expected a partial permutation", time,
                           transfer.source);
        tables->to[transfer.source] = transfer.destination;
    }
    struct err inner;
    if (!network_route(tables->router, tables->to, tables->setting, &inner))
        return err_set(err, inner.code, "%s: %.400s", time, inner.text);
    return true;
}

static void put_row(struct tables *tables, uint64_t row)
{
    for (uint32_t stage = 0; stage < machine_stages(tables->machine); stage++)
        for (uint32_t column = 0; column < tables->columns; column++)
            tables->table[((size_t)stage * tables->rows + row) * tables->columns + column] =
                tables->setting[stage * tables->columns + column];
}

/* Row by row with a window of steps, whose packets are under way; rows without any keep their zeros. A row
 * that differs in nothing from the one before has its settings, too. */
static bool route_rows(struct tables *tables, struct err *err)
{
    const struct schedule *schedule = tables->schedule;
    size_t first = 0, end = 0;
    for (uint64_t row = 0; row < tables->rows; row++) {
        size_t first_before = first, end_before = end;
        while (end < schedule->step_count && schedule_row(schedule, end) <= row)
            end++;
        while (first < end && schedule_row(schedule, first) + tables->packet_rows <= row)
            first++;
        bool same = first == first_before && end == end_before;
        if (first == end)
            continue;
        if (!same && !route_circuits(tables, first, end, row, err))
            return false;
        put_row(tables, row);
    }
    return true;
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

bool route_multistage(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    struct tables tables = {.schedule = schedule,
                            .machine = machine,
                            .rows = image->run.rows,
                            .columns = multistage_row_words(&machine->network),
                            .packet_rows = machine_packet_rows(&image->run)};
    size_t words = (size_t)machine_stages(machine) * tables.columns;
    tables.table = calloc(words * tables.rows + 1, sizeof *tables.table);
    tables.to = malloc(machine_ports(machine) * sizeof *tables.to);
    tables.setting = malloc(words * sizeof *tables.setting);
    bool routed = tables.table != NULL && tables.to != NULL && tables.setting != NULL;
    if (!routed)
        err_set(err, ERR_TOO_BIG,
                "route: no memory for %" PRIu32 " rows of settings; expected a smaller machine", tables.rows);
    tables.router = routed ? network_router_new(&machine->network, err) : NULL;
    routed = tables.router != NULL && route_rows(&tables, err) && append_tables(image, &tables, err);
    network_router_free(tables.router);
    free(tables.table);
    free(tables.to);
    free(tables.setting);
    return routed;
}
