#include "route.h"

#include "benes.h"

#include <inttypes.h>
#include <stdlib.h>

static unsigned log2_ceiling(uint64_t value, unsigned minimum)
{
    unsigned log2 = minimum;
    while (log2 < 40 && (UINT64_C(1) << log2) < value)
        log2++;
    return log2;
}

unsigned route_log2_capacity(uint64_t count)
{
    return log2_ceiling(count, 1);
}

bool route_check_ports(uint32_t nodes, const struct machine *machine, struct err *err)
{
    return nodes <= machine_ports(machine) ||
           err_set(err, ERR_TOO_SMALL,
                   "--network: %" PRIu32 " ports for %" PRIu32 " nodes; expected benes:%u or larger",
                   machine_ports(machine), nodes, 1u << route_log2_capacity(nodes));
}

bool route_fit(const struct schedule *schedule, uint32_t flits, const struct machine *minimum,
               struct machine *machine, struct err *err)
{
    machine->log2_packets = log2_ceiling(schedule->packets, minimum ? minimum->log2_packets : 1);
    machine->log2_flits = log2_ceiling(flits, minimum ? minimum->log2_flits : 1);
    machine->log2_rows = log2_ceiling(schedule->end, minimum ? minimum->log2_rows : 1);
    if (machine_check(machine, NULL))
        return true;
    return err_set(err, ERR_TOO_SMALL,
                   "route: %" PRIu32 " packets of %" PRIu32 " flits in %" PRIu64
                   " rows on 2^%u ports; expected fewer, the largest machine has 28 bits of address",
                   schedule->packets, flits, schedule->end, machine->log2_ports);
}

/* The machine is the postal model with λ = 1 + L/F (DESIGN section 5). */
static bool check_lambda(const struct schedule *schedule, const struct machine *machine, uint32_t flits,
                         struct err *err)
{
    struct rational lambda = machine_lambda(machine, flits);
    if (rational_equal(lambda, schedule->lambda))
        return true;
    char seen[RATIONAL_TEXT], expected[RATIONAL_TEXT];
    return err_set(err, ERR_NETWORK,
                   "--network: %" PRIu32 " flits through %u registers make λ = %s; expected λ = %s", flits,
                   machine_latency(machine), rational_text(lambda.numerator, lambda.denominator, seen),
                   rational_text(schedule->lambda.numerator, schedule->lambda.denominator, expected));
}

static bool check_fits(const struct schedule *schedule, const struct machine *machine,
                       const struct payload *payload, struct err *err)
{
    if (schedule->topology.kind != TOPOLOGY_COMPLETE)
        return err_set(err, ERR_UNSUPPORTED,
                       "route: a tree's schedule has no machine yet; expected one of a complete graph");
    if (!route_check_ports(schedule->nodes, machine, err))
        return false;
    if (schedule->packets > 1u << machine->log2_packets || schedule->end > 1u << machine->log2_rows ||
        payload->flits > 1u << machine->log2_flits)
        return err_set(err, ERR_TOO_SMALL,
                       "machine: %u packets of %u flits, %u rows for %" PRIu32 " packets of %" PRIu32
                       " flits, %" PRIu64 " rows; expected a larger --memory",
                       1u << machine->log2_packets, 1u << machine->log2_flits, 1u << machine->log2_rows,
                       schedule->packets, payload->flits, schedule->end);
    if (schedule->model == MODEL_POSTAL)
        return check_lambda(schedule, machine, payload->flits, err);
    if (payload->flits + machine_latency(machine) > MACHINE_MAX_ROW_CYCLES)
        return err_set(err, ERR_TOO_SMALL, "machine: rounds of %u cycles; expected at most %u",
                       payload->flits + machine_latency(machine), MACHINE_MAX_ROW_CYCLES);
    return true;
}

/* Run registers, and everything that an earlier image may have left where this one writes nothing. */
static bool append_preamble(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    const struct run *run = &image->run;
    bool fits = image_append(image, MACHINE_RUN_ROWS, run->rows, err) &&
                image_append(image, MACHINE_RUN_FLITS, run->flits, err) &&
                image_append(image, MACHINE_RUN_ROW_CYCLES, run->row_cycles, err);
    for (int program = MACHINE_SEND; program <= MACHINE_RECEIVE; program++)
        for (uint32_t row = 0; fits && row < run->rows; row++)
            fits = image_append(image,
                                MACHINE_ALL_NODES |
                                    machine_program_address(machine, (enum machine_region)program, 0, row),
                                0, err);
    for (uint32_t slot = 0; fits && slot < schedule->packets; slot++)
        for (uint32_t flit = 0; fits && flit < run->flits; flit++)
            fits = image_append(image, MACHINE_ALL_NODES | machine_packet_address(machine, 0, slot, flit), 0,
                                err);
    return fits;
}

/* A packet is in the programs of its sender and its receiver in each of its rows. */
static bool append_entries(struct image *image, const struct transfer *transfer, uint32_t first,
                           struct err *err)
{
    const struct machine *machine = &image->machine;
    uint32_t entry = MACHINE_VALID | (transfer->packet - 1);
    uint32_t last = first + machine_packet_rows(&image->run) - 1;
    for (uint32_t row = first; row <= last; row++) {
        uint32_t more = row < last ? MACHINE_MORE : 0;
        if (!image_append(image, machine_program_address(machine, MACHINE_SEND, transfer->source, row), entry,
                          err) ||
            !image_append(image,
                          machine_program_address(machine, MACHINE_RECEIVE, transfer->destination, row),
                          entry | more, err))
            return false;
    }
    return true;
}

static bool append_programs(struct image *image, const struct schedule *schedule, struct err *err)
{
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++)
            if (!append_entries(image, &schedule->transfer[t], (uint32_t)schedule_row(schedule, k), err))
                return false;
    return true;
}

/* Settings of all rows, in the order of the address map: table[stage][row][column]. */
struct tables {
    const struct schedule *schedule;
    const struct machine *machine;
    uint32_t rows, columns, packet_rows;
    uint32_t *table;
    uint32_t *to;      /* to[ports]: the row's circuits */
    uint32_t *setting; /* setting[stages][columns]: of one row */
    struct benes_router *router;
};

/* The circuits of the packets that are under way: those of the steps first … end - 1. */
static bool route_circuits(struct tables *tables, size_t first, size_t end, uint64_t row, struct err *err)
{
    const struct schedule *schedule = tables->schedule;
    char time[SCHEDULE_TIME_TEXT];
    schedule_time_text(schedule, row + (schedule->model != MODEL_POSTAL), time);
    for (uint32_t port = 0; port < machine_ports(tables->machine); port++)
        tables->to[port] = BENES_IDLE;
    for (size_t t = schedule->step[first].first; t < schedule_step_end(schedule, end - 1); t++) {
        struct transfer transfer = schedule->transfer[t];
        if (tables->to[transfer.source] != BENES_IDLE)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: node %" PRIu32 " sends twice; expected a partial permutation", time,
                           transfer.source);
        tables->to[transfer.source] = transfer.destination;
    }
    struct err inner;
    if (!benes_route(tables->router, tables->to, tables->setting, &inner))
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
    for (uint32_t stage = 0; stage < machine_stages(tables->machine); stage++)
        for (uint32_t row = 0; row < tables->rows; row++)
            for (uint32_t column = 0; column < tables->columns; column++)
                if (!image_append(
                        image, machine_table_address(tables->machine, stage, row, column),
                        tables->table[((size_t)stage * tables->rows + row) * tables->columns + column], err))
                    return false;
    return true;
}

static bool route_tables(struct image *image, const struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &image->machine;
    struct tables tables = {.schedule = schedule,
                            .machine = machine,
                            .rows = image->run.rows,
                            .columns = benes_row_words(machine->log2_ports),
                            .packet_rows = machine_packet_rows(&image->run)};
    size_t words = (size_t)machine_stages(machine) * tables.columns;
    tables.table = calloc(words * tables.rows + 1, sizeof *tables.table);
    tables.to = malloc(machine_ports(machine) * sizeof *tables.to);
    tables.setting = malloc(words * sizeof *tables.setting);
    bool routed = tables.table != NULL && tables.to != NULL && tables.setting != NULL;
    if (!routed)
        err_set(err, ERR_TOO_BIG,
                "route: no memory for %" PRIu32 " rows of settings; expected a smaller machine", tables.rows);
    tables.router = routed ? benes_router_new(machine->log2_ports, err) : NULL;
    routed = tables.router != NULL && route_rows(&tables, err) && append_tables(image, &tables, err);
    benes_router_free(tables.router);
    free(tables.table);
    free(tables.to);
    free(tables.setting);
    return routed;
}

static bool append_payload(struct image *image, const struct schedule *schedule,
                           const struct payload *payload, struct err *err)
{
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++)
            for (uint32_t flit = 0; flit < payload->flits; flit++)
                if (!image_append(image,
                                  machine_packet_address(&image->machine, demand->source, packet - 1, flit),
                                  MACHINE_VALID | payload_word(payload, packet, flit), err))
                    return false;
    }
    return true;
}

bool route_schedule(const struct schedule *schedule, const struct machine *machine,
                    const struct payload *payload, struct image *image, struct err *err)
{
    *image = (struct image){.machine = *machine};
    if (!check_fits(schedule, machine, payload, err))
        return false;
    uint32_t flits = payload->flits;
    image->run =
        (struct run){.rows = (uint32_t)schedule->end,
                     .flits = flits,
                     .row_cycles = schedule->model == MODEL_POSTAL ? flits / schedule->lambda.denominator
                                                                   : flits + machine_latency(machine)};
    if (append_preamble(image, schedule, err) && route_tables(image, schedule, err) &&
        append_programs(image, schedule, err) && append_payload(image, schedule, payload, err))
        return true;
    image_free(image);
    return false;
}
