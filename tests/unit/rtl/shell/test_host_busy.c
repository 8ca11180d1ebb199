/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_busy: machines in which every part is busy, or a single one, csim and RTL in lockstep
 * on the machines of host_lab.h.
 *
 * Routers with tables send over all outputs in all rows, or over one or two in one row, and nodes
 * that compute their sends send two packets again and again. Each row of a network has packets of
 * its own, so that the packets that arrived over every path are read at the end. Each endpoint of a
 * machine of routers sends alone, and each router sends last.
 */
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_runs.h"
#include "tests/support/host_words.h"
#include "tests/support/running.h"

#define BUSY 16
#define FEW_OUTPUTS 128
#define OWN_PACKETS 8

/* Reports whether routers follow tables. */
static bool has_tables(const struct host_lab_shape *shape)
{
    return shape->kind == MACHINE_FAT_TREE || shape->kind == MACHINE_CUBE;
}

static bool is_busy(const struct host_lab_shape *shape)
{
    return has_tables(shape) || shape->computed;
}

static bool has_rows_of_packets(const struct host_lab_shape *shape)
{
    return shape->kind == MACHINE_MULTISTAGE && shape->splits == 0;
}

/* Draws a run of all rows, with one flit in as few cycles as possible, or with all flits; with 2
 * packets if programs are computed. */
static struct run draw_busy(const struct machine *machine, unsigned which, struct rng *rng)
{
    const uint32_t flits = which % 8 == 7 ? 1u << machine->log2_flits : 1;
    struct run run = {.rows = 1u << machine->log2_rows,
                      .flits = flits,
                      .row_cycles = machine_row_cycles(machine, flits),
                      .operation = host_words_operator(machine, rng)};
    if (machine->computed) {
        run.period = 1 + rng_below(rng, 1u << machine->log2_period);
        run.first = rng_below(rng, run.period);
        run.packets = 2;
    }
    return run;
}

/* Nodes send the packets that they hold in all rows or most, and so does every output of every
 * router: each packet is sent on as it arrives. */
static void send_all(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * BUSY; k++) {
        const struct run run = draw_busy(&lab->map.machine, k, rng);
        host_words_write(lab, rng, k % 2 ? HOST_WORDS_MOST_VALID : HOST_WORDS_ALL_VALID, false);
        host_runs_run(lab, &run, rng);
        host_words_read_changed(lab);
    }
}

static void all_send(void **state)
{
    (void)state;
    host_lab_each(is_busy, send_all);
}

/* Every node sends and expects packet r in row r, so that the packet that arrives over any path
 * stays until it is read, and a word is missing where no packet arrives. */
static void send_rows(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t rows = 1u << machine->log2_packets, flits = 1u << machine->log2_flits;
    const struct run run = {.rows = rows,
                            .flits = flits,
                            .row_cycles = machine_row_cycles(machine, flits),
                            .period = machine_has_setting_period(machine) ? rows : 0,
                            .packets = machine->computed ? rows : 0};
    for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * OWN_PACKETS; k++) {
        host_words_write(lab, rng, HOST_WORDS_ALL_VALID, false);
        for (uint32_t row = 0; row < rows; row++)
            for (unsigned region = MACHINE_SEND; region <= MACHINE_RECEIVE; region++)
                host_lab_write(
                    lab,
                    MACHINE_ALL_NODES |
                        machine_program_address(machine, (enum machine_region)region, 0, row),
                    MACHINE_VALID | row);
        host_runs_run(lab, &run, rng);
        host_words_read_changed(lab);
    }
}

static void each_row_has_a_packet(void **state)
{
    (void)state;
    host_lab_each(has_rows_of_packets, send_rows);
}

/* Makes the words of one or two outputs of a router valid in a row, or invalid. */
static void set_outputs(struct host_lab *lab, uint32_t router, uint32_t row, const uint32_t port[2],
                        bool valid)
{
    const struct machine *machine = &lab->map.machine;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t address = machine_table_address(machine, router, row, port[k] * machine->reads);
        uint32_t word = host_map_read(&lab->map, address);
        host_lab_write(lab, address, valid ? word | MACHINE_VALID : word & ~MACHINE_VALID);
    }
}

/* Makes every node send the same packets in the first rows, and none in the others. */
static void send_from_all(struct host_lab *lab, struct rng *rng, uint32_t first, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++)
        host_lab_write(lab,
                       MACHINE_ALL_NODES |
                           machine_program_address(&lab->map.machine, MACHINE_SEND, 0, row),
                       (row < first ? MACHINE_VALID : 0) | rng_below(rng, 4));
}

/* Runs with one or two outputs of a router that send in one row, and reads the flags. */
static void run_few(struct host_lab *lab, struct rng *rng, unsigned which)
{
    enum { ROWS = 8 };
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = ROWS,
                            .flits = 1,
                            .row_cycles = machine_row_cycles(machine, 1),
                            .single_port = which % 2,
                            .operation = host_words_operator(machine, rng)};
    const uint32_t router = rng_below(rng, machine_routers(machine)),
                   row = ROWS / 2 + rng_below(rng, ROWS / 2),
                   ports = machine->topology.router_ports[wiring_level(&machine->topology, router)],
                   port[2] = {rng_below(rng, ports), rng_below(rng, ports)};
    send_from_all(lab, rng, which % 3 ? row : 0, ROWS);
    set_outputs(lab, router, row, port, true);
    host_runs_run(lab, &run, rng);
    for (uint32_t each = 0; each < machine_routers(machine); each++)
        host_lab_ask(lab, machine_router_flags_address(each));
    host_lab_ask(lab, MACHINE_STEPS);
    host_lab_idle(lab, 3);
    set_outputs(lab, router, row, port, false);
}

/* The number of steps counts the last row in which any one endpoint sends. */
static void send_alone(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t flits = machine->combines ? MACHINE_COMBINE_FLITS : 1;
    const struct run run = {
        .rows = 8, .flits = flits, .row_cycles = machine_row_cycles(machine, flits)};
    host_words_write(lab, rng, HOST_WORDS_NONE_VALID, false);
    host_words_packets(lab, rng, 8);
    host_runs_registers(lab, &run);
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        const uint32_t row = 4 + node % 4,
                       address = machine_program_address(machine, MACHINE_SEND, node, row);
        host_lab_write(lab, address, MACHINE_VALID);
        host_runs_again(lab, &run, rng);
        host_lab_ask(lab, MACHINE_STEPS);
        host_lab_write(lab, address, 0);
    }
}

static void each_endpoint_sends_alone(void **state)
{
    (void)state;
    host_lab_each(has_tables, send_alone);
}

/* Makes each output of a router send the first packet of the next input in a row, or nothing. */
static void set_router(struct host_lab *lab, uint32_t router, uint32_t row, bool sends)
{
    const struct machine *machine = &lab->map.machine;
    const struct topology *topology = &machine->topology;
    const uint32_t ports = topology->router_ports[wiring_level(topology, router)];
    for (uint32_t column = 0; column < ports * machine->reads; column++) {
        const uint32_t source = (column + machine->reads) % (ports * machine->reads);
        host_lab_write(lab, machine_table_address(machine, router, row, column),
                       sends && column % machine->reads == 0 ? MACHINE_VALID | source << 16 : 0);
    }
}

/* The number of steps counts the last row in which any one router sends: the buffers of all fill in
 * the first rows. */
static void send_last(struct host_lab *lab, struct rng *rng)
{
    enum { ROWS = 8, FIRST = ROWS / 2 };
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = ROWS, .flits = 1, .row_cycles = machine_row_cycles(machine, 1)};
    host_words_write(lab, rng, HOST_WORDS_ALL_VALID, false);
    send_from_all(lab, rng, FIRST, ROWS);
    for (uint32_t router = 0; router < machine_routers(machine); router++)
        for (uint32_t row = FIRST; row < ROWS; row++)
            set_router(lab, router, row, false);
    host_runs_registers(lab, &run);
    for (uint32_t router = 0; router < machine_routers(machine); router++) {
        const uint32_t row = FIRST + 1 + router % (ROWS - FIRST - 1);
        set_router(lab, router, row, true);
        host_runs_again(lab, &run, rng);
        assert_int_equal(host_lab_read(lab, MACHINE_STEPS), row + 1);
        set_router(lab, router, row, false);
    }
}

static void each_router_sends_last(void **state)
{
    (void)state;
    host_lab_each(has_tables, send_last);
}

/* With few sending outputs no other flag hides that a packet is not held, that two are sent at
 * once, or that a packet has moved in the last row. */
static void send_few(struct host_lab *lab, struct rng *rng)
{
    host_words_write(lab, rng, HOST_WORDS_NONE_VALID, false);
    host_words_packets(lab, rng, 8);
    for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * FEW_OUTPUTS; k++)
        run_few(lab, rng, k);
}

static void few_outputs_send(void **state)
{
    (void)state;
    host_lab_each(has_tables, send_few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_send), cmocka_unit_test(each_row_has_a_packet),
        cmocka_unit_test(each_endpoint_sends_alone), cmocka_unit_test(each_router_sends_last),
        cmocka_unit_test(few_outputs_send)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
