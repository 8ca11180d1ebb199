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

unsigned route_smallest_network(uint32_t nodes)
{
    return log2_ceiling(nodes, 1);
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
                   " rounds on 2^%u ports; expected fewer, the largest machine has 28 bits of address",
                   schedule->packets, flits, schedule->end, machine->log2_ports);
}

static bool check_fits(const struct schedule *schedule, const struct machine *machine,
                       const struct payload *payload, struct err *err)
{
    if (schedule->nodes > machine_ports(machine))
        return err_set(err, ERR_TOO_SMALL,
                       "--network: %" PRIu32 " ports for %" PRIu32 " nodes; expected benes:%u or larger",
                       machine_ports(machine), schedule->nodes,
                       1u << route_smallest_network(schedule->nodes));
    if (schedule->packets > 1u << machine->log2_packets || schedule->end > 1u << machine->log2_rows ||
        payload->flits > 1u << machine->log2_flits)
        return err_set(err, ERR_TOO_SMALL,
                       "machine: %u packets of %u flits, %u rows for %" PRIu32 " packets of %" PRIu32
                       " flits, %" PRIu64 " rounds; expected a larger --capacity",
                       1u << machine->log2_packets, 1u << machine->log2_flits, 1u << machine->log2_rows,
                       schedule->packets, payload->flits, schedule->end);
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

static bool append_programs(struct image *image, const struct schedule *schedule, struct err *err)
{
    for (size_t k = 0; k < schedule->step_count; k++) {
        uint32_t row = (uint32_t)schedule->step[k].time - 1;
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            struct transfer transfer = schedule->transfer[t];
            uint32_t entry = MACHINE_VALID | (transfer.packet - 1);
            if (!image_append(image,
                              machine_program_address(&image->machine, MACHINE_SEND, transfer.source, row),
                              entry, err) ||
                !image_append(
                    image,
                    machine_program_address(&image->machine, MACHINE_RECEIVE, transfer.destination, row),
                    entry, err))
                return false;
        }
    }
    return true;
}

/* Settings of all rounds, in the order of the address map: table[stage][row][column]. */
struct tables {
    const struct machine *machine;
    uint32_t rows, columns;
    uint32_t *table;
    uint32_t *to;      /* to[ports]: the round's circuits */
    uint32_t *setting; /* setting[stages][columns]: of one round */
    struct benes_router *router;
};

static bool route_round(struct tables *tables, const struct schedule *schedule, size_t step, struct err *err)
{
    uint32_t ports = machine_ports(tables->machine);
    uint32_t row = (uint32_t)schedule->step[step].time - 1;
    for (uint32_t port = 0; port < ports; port++)
        tables->to[port] = BENES_IDLE;
    for (size_t t = schedule->step[step].first; t < schedule_step_end(schedule, step); t++) {
        struct transfer transfer = schedule->transfer[t];
        if (tables->to[transfer.source] != BENES_IDLE)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "round %" PRIu32 ": node %" PRIu32 " sends twice; expected a partial permutation",
                           row + 1, transfer.source);
        tables->to[transfer.source] = transfer.destination;
    }
    struct err inner;
    if (!benes_route(tables->router, tables->to, tables->setting, &inner))
        return err_set(err, inner.code, "round %" PRIu32 ": %.400s", row + 1, inner.text);
    for (uint32_t stage = 0; stage < machine_stages(tables->machine); stage++)
        for (uint32_t column = 0; column < tables->columns; column++)
            tables->table[((size_t)stage * tables->rows + row) * tables->columns + column] =
                tables->setting[stage * tables->columns + column];
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
    struct tables tables = {
        .machine = machine, .rows = image->run.rows, .columns = benes_row_words(machine->log2_ports)};
    size_t words = (size_t)machine_stages(machine) * tables.columns;
    tables.table = calloc(words * tables.rows + 1, sizeof *tables.table);
    tables.to = malloc(machine_ports(machine) * sizeof *tables.to);
    tables.setting = malloc(words * sizeof *tables.setting);
    bool routed = tables.table != NULL && tables.to != NULL && tables.setting != NULL;
    if (!routed)
        err_set(err, ERR_TOO_BIG,
                "route: no memory for %" PRIu32 " rows of settings; expected a smaller machine", tables.rows);
    tables.router = routed ? benes_router_new(machine->log2_ports, err) : NULL;
    routed = tables.router != NULL;
    for (size_t step = 0; routed && step < schedule->step_count; step++)
        routed = route_round(&tables, schedule, step, err);
    routed = routed && append_tables(image, &tables, err);
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
    image->run = (struct run){.rows = (uint32_t)schedule->end,
                              .flits = payload->flits,
                              .row_cycles = payload->flits + machine_latency(machine)};
    if (append_preamble(image, schedule, err) && route_tables(image, schedule, err) &&
        append_programs(image, schedule, err) && append_payload(image, schedule, payload, err))
        return true;
    image_free(image);
    return false;
}
