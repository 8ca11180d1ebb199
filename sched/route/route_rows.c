/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/route_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine)
{
    return (struct route_rows){
        .schedule = schedule,
        .ports = machine_ports(machine),
        .copies = multistage_copies(&machine->network),
        .packet_rows = model_has_times(schedule->model) ? schedule->lambda.denominator : 1,
        .rows = (uint32_t)schedule->end};
}

void route_rows_name(const struct route_rows *rows, char name[ROUTE_ROWS_NAME])
{
    char time[SCHEDULE_TIME_TEXT];
    schedule_time_text(rows->schedule, rows->row - 1 + !model_has_times(rows->schedule->model),
                       time);
    snprintf(name, ROUTE_ROWS_NAME, rows->held ? "setting from %s on" : "%s", time);
}

uint32_t route_rows_circuits(const struct schedule *schedule, size_t first, size_t end,
                             uint32_t ports, bool copies, uint32_t circuit[])
{
    for (uint32_t port = 0; port < ports; port++)
        circuit[port] = MULTISTAGE_IDLE;
    uint32_t twice = MULTISTAGE_IDLE;
    size_t behind = first < end ? schedule_step_end(schedule, end - 1) : 0;
    for (size_t t = first < end ? schedule->step[first].first : 0; t < behind; t++) {
        struct transfer transfer = schedule->transfer[t];
        uint32_t port = copies ? transfer.destination : transfer.source;
        if (circuit[port] == MULTISTAGE_IDLE)
            circuit[port] = copies ? transfer.source : transfer.destination;
        else if (twice == MULTISTAGE_IDLE)
            twice = port;
    }
    return twice;
}

static bool write_circuits(const struct route_rows *rows, uint32_t circuit[], struct err *err)
{
    uint32_t twice = route_rows_circuits(rows->schedule, rows->first, rows->end, rows->ports,
                                         rows->copies, circuit);
    if (twice == MULTISTAGE_IDLE)
        return true;
    char time[ROUTE_ROWS_NAME];
    route_rows_name(rows, time);
    return err_set(err, ERR_NOT_PERMUTATION, "%s: node %" PRIu32 " %s twice; expected %s", time,
                   twice, rows->copies ? "receives" : "sends",
                   rows->copies ? "at most one packet for each node" : "a partial permutation");
}

bool route_rows_next(struct route_rows *rows, uint32_t circuit[], struct err *err)
{
    const struct schedule *schedule = rows->schedule;
    size_t first = rows->first, end = rows->end;
    if (rows->row == rows->rows)
        return false;
    while (rows->end < schedule->step_count && schedule_row(schedule, rows->end) <= rows->row)
        rows->end++;
    while (rows->first < rows->end &&
           schedule_row(schedule, rows->first) + rows->packet_rows <= rows->row)
        rows->first++;
    rows->changed = rows->row == 0 || first != rows->first || end != rows->end;
    rows->idle = rows->first == rows->end;
    rows->row++;
    return !rows->changed || write_circuits(rows, circuit, err);
}

bool route_rows_numbers(const struct schedule *schedule, const struct machine *machine,
                        route_rows_number *give, void *self, uint32_t number[], struct err *err)
{
    struct route_rows rows = route_rows_begin(schedule, machine);
    uint32_t *circuit = malloc(rows.ports * sizeof *circuit);
    bool given = circuit != NULL || err_no_memory(err, "a row");
    for (uint32_t row = 0; given && row < rows.rows; row++) {
        given = route_rows_next(&rows, circuit, err);
        number[row] = row > 0 && !rows.changed ? number[row - 1] : 0;
        if (given && rows.changed && !rows.idle)
            given = give(self, &rows, circuit, &number[row], err);
    }
    free(circuit);
    return given;
}
