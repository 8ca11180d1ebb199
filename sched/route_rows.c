#include "route_rows.h"

#include <inttypes.h>

struct route_rows route_rows_begin(const struct schedule *schedule, const struct machine *machine)
{
    return (struct route_rows){.schedule = schedule,
                               .ports = machine_ports(machine),
                               .packet_rows =
                                   schedule->model == MODEL_POSTAL ? schedule->lambda.denominator : 1,
                               .rows = (uint32_t)schedule->end};
}

void route_rows_name(const struct route_rows *rows, char time[SCHEDULE_TIME_TEXT])
{
    schedule_time_text(rows->schedule, rows->row - 1 + (rows->schedule->model != MODEL_POSTAL), time);
}

static bool refuse_twice(const struct route_rows *rows, uint32_t node, struct err *err)
{
    char time[SCHEDULE_TIME_TEXT];
    route_rows_name(rows, time);
    return err_set(err, ERR_NOT_PERMUTATION,
                   "%s: node %" PRIu32 " sends twice; expected a partial permutation", time, node);
}

static bool write_circuits(const struct route_rows *rows, uint32_t to[], struct err *err)
{
    const struct schedule *schedule = rows->schedule;
    for (uint32_t port = 0; port < rows->ports; port++)
        to[port] = MULTISTAGE_IDLE;
    if (rows->idle)
        return true;
    size_t behind = schedule_step_end(schedule, rows->end - 1);
    for (size_t t = schedule->step[rows->first].first; t < behind; t++) {
        struct transfer transfer = schedule->transfer[t];
        if (to[transfer.source] != MULTISTAGE_IDLE)
            return refuse_twice(rows, transfer.source, err);
        to[transfer.source] = transfer.destination;
    }
    return true;
}

bool route_rows_next(struct route_rows *rows, uint32_t to[], struct err *err)
{
    const struct schedule *schedule = rows->schedule;
    size_t first = rows->first, end = rows->end;
    if (rows->row == rows->rows)
        return false;
    while (rows->end < schedule->step_count && schedule_row(schedule, rows->end) <= rows->row)
        rows->end++;
    while (rows->first < rows->end && schedule_row(schedule, rows->first) + rows->packet_rows <= rows->row)
        rows->first++;
    rows->changed = rows->row == 0 || first != rows->first || end != rows->end;
    rows->idle = rows->first == rows->end;
    rows->row++;
    return !rows->changed || write_circuits(rows, to, err);
}
