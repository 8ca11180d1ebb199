/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_random: runs of random tables, programs and packets, csim and RTL in lockstep.
 *
 * Compiled images reach few of the states of a machine: a switch that no round requires crossed
 * stays straight, and nodes that send no wrong packets raise no flags. Here a machine of each kind
 * (host_lab.h) has random words in all of its memories, of which few to most are valid, and runs
 * them: every packet length and kind of run that the machine supports, short rows and long rows,
 * with barriers and without. Some runs are reset before they end, some after they end, and after
 * some runs the next run starts without a reset. Registers are read during the run; after each run
 * packets, flags and some words of all memories, of one node or of all, are read, and at the end
 * all words. Further runs send packets on in the cycle in which they arrive, and have rows of up to
 * 2^15 cycles, or no rows. Each row of a network has packets of its own, so that the packets that
 * arrived over every path are read at the end. Routers with tables send over all outputs in all
 * rows, or over one or two in one row, and nodes that compute their sends send two packets again
 * and again. One machine reconfigures after drawn numbers of rows, and waits for up to 4 cycles at
 * each reconfiguration. Machines with computed programs also run streams, which the host stops in
 * drawn cycles. The endpoints of one machine combine packets, by drawn operators; those of another
 * split ranges, by drawn tables of splits; those of a third share their memories, and those of a
 * fourth combine what their node receives. One machine keeps what is received apart, and the host
 * writes packets between two runs. Some machines make so many runs that the bits of their number
 * change. Both engines must agree on every output in every cycle, and with the map where the
 * map is defined. The seed is printed. A quarter of the runs are made, unless every space is
 * exhausted or the test is run by `make coverage-rtl`.
 *
 * The faults of qa/mutants are applied to this test.
 *
 * Two neighbors of a self-timed hypercube have all packets: three packets of each tree overflow one
 * node's queue for those of the other node, except at node 0, into which no packet climbs.
 *
 * Counter-cases: a row of switches is inverted in one engine, and the run detects it; with two
 * packets in all no queue overflows.
 */
#include "sched/base/rng.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/host_lab.h"
#include "tests/support/host_runs.h"
#include "tests/support/running.h"
#include "tests/support/second_engine.h"

#include <inttypes.h>

#define RUNS 48
#define MANY_RUNS 96 /* if the packets that a node sends depend on those received */
#define FEW_RUNS 4   /* if there are many rows */
#define WORDS 600    /* read after a run */
#define LIST 5       /* slots of each node of a self-timed hypercube, for all but one ... */
#define LONG_LIST 32 /* ... or packets of one, if no other has any */
#define FORWARDS 8   /* runs for each number of flits */
#define FORWARD_ROWS 32
#define BUSY 16
#define FEW_OUTPUTS 128
#define OWN_PACKETS 8
#define REWRITES 64
#define FRAGMENTS 100
#define COUNTED 1024                                     /* runs of which each is counted */
enum { NONE_VALID = 6, MOST_VALID = 4, ALL_VALID = 14 }; /* for write_all: runs of such words */

/* Combinations of settings and programs that none of the lab's machines has. */
static const struct host_lab_shape more_shapes[] = {
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_TAGS, false, 16, 5, 1, 6},
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_MASKS, true, 16, 5, 1, 6},
    {"benes:4", "circulant", MACHINE_MULTISTAGE, MACHINE_INDEXED, false, 16, 5, 1, 6, true},
};
#define SHAPES (HOST_LAB_SHAPES + sizeof more_shapes / sizeof *more_shapes)

/* -- Words ------------------------------------------------------------------------------------- */

static uint32_t address_of(uint32_t region, uint32_t field)
{
    return machine_region_address((enum machine_region)region) | field;
}

/* Draws a word that is valid with probability `valid` in 8. Receive programs of runs with barriers
 * have no packets that `continue`. Small numbers often select a packet that has just arrived. */
static uint32_t draw_word(struct rng *rng, unsigned valid, bool continues, bool small)
{
    uint32_t word = (uint32_t)rng_next(rng) & ~(continues ? 0 : MACHINE_MORE);
    if (small)
        word &= UINT32_C(0x70070003);
    return rng_below(rng, 8) < valid ? word | MACHINE_VALID : word & ~MACHINE_VALID;
}

/* Returns the word, changed so that a router's output sends from a source that exists, or the
 * result of the row. */
static uint32_t legal(const struct machine *machine, uint32_t address, uint32_t word)
{
    const struct machine_place place = machine_place_of(machine, address);
    if (place.region != MACHINE_TABLE || !machine_hops(machine) || machine_is_self_timed(machine) ||
        place.bank >= machine_routers(machine))
        return word;
    unsigned level = wiring_level(&machine->topology, place.bank);
    uint32_t sources = machine->topology.router_ports[level] * machine->reads;
    const uint32_t flags = machine->combines ? MACHINE_RESULT | MACHINE_OPERAND : 0;
    uint32_t source = (word >> 16 & (flags ? 0x1fff : 0x7fff)) % sources;
    return (word & (MACHINE_VALID | flags | 0xffff)) | source << 16;
}

/* Writes random packets; packets with headers are held as a whole, or not at all. */
static void write_packets(struct host_lab *lab, struct rng *rng, unsigned valid)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t flits = 1u << machine->log2_flits;
    uint32_t held = 0;
    for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, MACHINE_PACKET); field++) {
        uint32_t word = draw_word(rng, valid, true, false);
        if (!machine_is_self_timed(machine) || field % flits == 0)
            held = word & MACHINE_VALID;
        host_lab_write(lab, address_of(MACHINE_PACKET, field), (word & ~MACHINE_VALID) | held);
    }
}

/* Writes the lists: every processor has a few packets, a random number each or all the same number;
 * or one processor has many. The slots of the processors change from run to run. */
static void write_lists(struct host_lab *lab, struct rng *rng, unsigned which)
{
    const uint32_t processors = lab->map.nodes / lab->map.machine.topology.dimensions;
    const uint32_t lonely = rng_below(rng, processors), shift = rng_below(rng, processors);
    const uint32_t most = rng_below(rng, 2) ? LONG_LIST : rng_below(rng, LONG_LIST + 1);
    const unsigned valid = rng_below(rng, 3) == 0 ? 6 : 8;
    for (uint32_t processor = 0; processor < processors; processor++) {
        uint32_t first = (processor + shift) % processors * LIST,
                 length = which % 3 == 0 ? rng_below(rng, LIST + 1) : 1 + which / 3 % LIST;
        if (which % 3 == 1) {
            first = rng_below(rng, LIST * processors - LONG_LIST + 1);
            length = processor == lonely ? most : 0;
        }
        host_runs_list(lab, rng, valid, processor, first, length);
    }
}

/* Writes random words for run `which`, of which few to most are valid. */
static void write_all(struct host_lab *lab, struct rng *rng, unsigned which, bool streams)
{
    const unsigned valid = (which + 3) % 9;
    const bool small = which % 2;
    for (uint32_t region = MACHINE_TABLE; region < MACHINE_PACKET; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++) {
            const uint32_t address = address_of(region, field);
            host_lab_write(lab, address,
                           legal(&lab->map.machine, address,
                                 draw_word(rng, valid, streams || region != MACHINE_RECEIVE,
                                           small && region != MACHINE_TABLE)));
        }
    write_packets(lab, rng, valid);
    if (machine_is_autonomous(&lab->map.machine))
        write_lists(lab, rng, which);
}

static void read_all(struct host_lab *lab)
{
    for (uint32_t region = MACHINE_REGISTER; region < HOST_MAP_REGIONS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_ask(lab, address_of(region, field));
    host_lab_idle(lab, 3);
}

/* Reads all words that a run may change. */
static void read_changed(struct host_lab *lab)
{
    for (uint32_t region = MACHINE_PACKET; region <= MACHINE_ROUTER_FLAGS; region++)
        for (uint32_t field = 0; field < 1u << host_map_bits(&lab->map, region); field++)
            host_lab_ask(lab, address_of(region, field));
}

/* Reads and writes random addresses: also addresses without a word, and registers, which the next
 * run sets again; 0 and 1 are as frequent as any other value. */
static void read_some(struct host_lab *lab, struct rng *rng)
{
    for (unsigned k = 0; k < WORDS; k++) {
        uint32_t region = rng_below(rng, HOST_MAP_REGIONS);
        uint32_t field = rng_below(rng, 1u << host_map_bits(&lab->map, region));
        bool kept = region >= MACHINE_TABLE && region <= MACHINE_PACKET;
        if (!kept && rng_below(rng, 4) == 0)
            host_lab_write(lab, address_of(region, field),
                           (uint32_t)rng_next(rng) & (rng_below(rng, 2) ? UINT32_MAX : 1));
        host_lab_ask(lab, address_of(region, field) | (rng_below(rng, 4) ? 0 : MACHINE_ALL_NODES));
    }
    host_lab_idle(lab, 3);
}

/* -- Runs -------------------------------------------------------------------------------------- */

/* Reports whether rows of packets of `flits` flits may have no barriers. */
static bool can_stream(const struct machine *machine, uint32_t flits)
{
    return !machine_hops(machine) && !machine->computed && !machine->reconfigures &&
           (!machine->combines || flits >= MACHINE_COMBINE_FLITS);
}

/* Returns 0 for a machine that does not combine. */
static uint32_t draw_operator(const struct machine *machine, struct rng *rng)
{
    if (!machine->combines)
        return 0;
    uint32_t which;
    do
        which = rng_below(rng, MACHINE_OPERATORS);
    while (!(machine_built_operators(machine) >> which & 1));
    return which;
}

/* Draws a run. In every four, one run has packets of maximum length, with barriers, and one packets
 * of minimum length in rows of minimum length. One in eight has all rows; half of the runs if
 * queues shall fill. */
static struct run draw_any(const struct machine *machine, unsigned which, struct rng *rng)
{
    const uint32_t least = machine_header_flits(machine) + 1, most = 1u << machine->log2_flits,
                   rows = 1u << machine->log2_rows;
    const bool all_rows = which % 8 == 2 || (machine_is_self_timed(machine) && which % 2);
    struct run run = {.rows = all_rows ? rows : rng_below(rng, rows + 1),
                      .flits = least + rng_below(rng, most),
                      .single_port = rng_below(rng, 1u + machine_hops(machine)),
                      .operation = draw_operator(machine, rng),
                      .reconfigure = machine->reconfigures ? rng_below(rng, 5) : 0};
    if (which % 4 < 2)
        run.flits = which % 4 == 0 ? most : least;
    run.row_cycles =
        machine_row_cycles(machine, run.flits) + (which % 4 == 1 ? 0 : rng_below(rng, 3));
    if (can_stream(machine, run.flits) &&
        (which % 4 == 1 || (which % 4 > 1 && rng_below(rng, 3) == 0)))
        run.row_cycles = which % 4 == 1 ? 1 : 1 + rng_below(rng, 4);
    /* The first flit of a packet follows the last flit of another: both are in an endpoint. */
    if (machine->combines && can_stream(machine, run.flits) && which % 8 == 3)
        run.row_cycles = run.flits;
    if (machine_has_setting_period(machine)) {
        run.period = 1 + rng_below(rng, 1u << machine->log2_period);
        run.first = rng_below(rng, run.period);
    }
    if (machine->computed) {
        run.packets = which % 4 == 1 ? 2 : 1 + rng_below(rng, 1u << machine->log2_packets);
        run.stream = rng_below(rng, 2);
    }
    return run;
}

static struct run draw_run(const struct machine *machine, unsigned which, struct rng *rng)
{
    struct run run;
    do
        run = machine->ranges ? host_runs_draw_ranges(machine, rng) : draw_any(machine, which, rng);
    while (!machine_check_run(machine, &run, "drawn", NULL));
    return run;
}

/* Without barriers, clears the sends of the last rows, so that all packets arrive in the run. */
static void end_quietly(struct host_lab *lab, const struct run *run)
{
    const struct machine *machine = &lab->map.machine;
    uint32_t quiet = machine_latency(machine) / run->row_cycles;
    for (uint32_t row = run->rows < quiet ? 0 : run->rows - quiet; row < run->rows; row++)
        host_lab_write(
            lab, MACHINE_ALL_NODES | machine_program_address(machine, MACHINE_SEND, 0, row), 0);
}

/* A finished run may be followed by another without a reset, unless its words remain in queues. */
static void run_and_reset(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    host_runs_registers(lab, run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
    if (rng_below(rng, 4) != 0) {
        host_runs_finish(lab, run, rng);
        read_changed(lab);
        read_some(lab, rng);
    } else {
        for (uint32_t k = rng_below(rng, run->rows * run->row_cycles + 1); k > 0; k--)
            host_runs_cycle(lab, rng);
    }
    if (!lab->outputs.done || machine_is_self_timed(&lab->map.machine) || rng_below(rng, 2))
        host_lab_reset(lab);
}

static void run_shape(const struct host_lab_shape *shape, uint64_t seed)
{
    struct host_lab lab = host_lab_open(shape);
    struct rng rng = {seed};
    print_message("seed %" PRIu64 "\n", rng.state);
    unsigned runs = machine_header_flits(&lab.map.machine) > 0 ? MANY_RUNS : RUNS;
    if (lab.map.machine.ranges)
        runs *= 4;
    if (lab.map.machine.log2_rows > 8)
        runs = FEW_RUNS;
    if (!running_exhaustive())
        runs = (runs + 3) / 4;
    for (unsigned k = 0; k < runs; k++) {
        const struct run run = draw_run(&lab.map.machine, k, &rng);
        const bool streams = machine_streams(&lab.map.machine, &run);
        write_all(&lab, &rng, k, streams);
        if (lab.map.machine.ranges)
            host_runs_ranges(&lab, &run, &rng);
        else if (streams)
            end_quietly(&lab, &run);
        if (run.stream)
            host_runs_stream(&lab, &run, &rng);
        run_and_reset(&lab, &run, &rng);
        read_some(&lab, &rng);
    }
    read_all(&lab);
    host_lab_close(&lab);
}

static void random_runs(void **state)
{
    (void)state;
    for (size_t which = 0; which < SHAPES; which++)
        if (host_lab_wanted(which))
            run_shape(which < HOST_LAB_SHAPES ? &host_lab_shapes[which]
                                              : &more_shapes[which - HOST_LAB_SHAPES],
                      HOST_LAB_SEED + which);
}

/* -- Special runs, which random draws are unlikely to reach ------------------------------------ */

/* Writes programs for rows of one cycle, in which packets of run->flits flits arrive one after
 * another and are sent on at the same time: flit f is read when flit f is written. The numbers of
 * the two slots differ in one bit, so that often the same slot is read and written. */
static void write_forwards(struct host_lab *lab, const struct run *run, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const uint32_t one = rng_below(rng, 1u << machine->log2_packets),
                   slots[] = {one, one ^ 1u << rng_below(rng, machine->log2_packets)};
    for (uint32_t node = 0; node < lab->map.nodes; node++) {
        uint32_t packet = 0;
        for (uint32_t row = 0; row < run->rows; row++) {
            const bool first = row % run->flits == 0, last = (row + 1) % run->flits == 0;
            const bool quiet = row + machine_latency(machine) >= run->rows;
            if (first)
                packet = rng_below(rng, 8) ? slots[rng_below(rng, 2)] | MACHINE_VALID : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_RECEIVE, node, row),
                           packet && !last ? packet | MACHINE_MORE : packet);
            const uint32_t member =
                machine->shared > 1 ? rng_below(rng, machine->shared) << machine->log2_packets : 0;
            const uint32_t chosen = machine->keeps_own ? rng_below(rng, 4) << 29 : 0;
            host_lab_write(lab, machine_program_address(machine, MACHINE_SEND, node, row),
                           quiet ? 0 : MACHINE_VALID | chosen | member | slots[rng_below(rng, 2)]);
        }
    }
}

static void forward(const struct host_lab_shape *shape, uint64_t seed)
{
    struct host_lab lab = host_lab_open(shape);
    const struct machine *machine = &lab.map.machine;
    struct rng rng = {seed};
    for (uint32_t flits = machine->combines ? MACHINE_COMBINE_FLITS : 1;
         flits <= 1u << machine->log2_flits; flits++)
        for (unsigned k = 0; (machine_latency(machine) + 1) % flits == 0 && k < FORWARDS; k++) {
            const struct run run = {.rows = FORWARD_ROWS / flits * flits,
                                    .flits = flits,
                                    .row_cycles = 1,
                                    .period = machine_has_setting_period(machine)};
            write_all(&lab, &rng, k, true);
            write_forwards(&lab, &run, &rng);
            host_runs_registers(&lab, &run);
            host_lab_step(&lab, &(struct dut_inputs){.start = true});
            host_runs_finish(&lab, &run, &rng);
            read_changed(&lab);
        }
    host_lab_close(&lab);
}

static void packets_go_on_while_they_come(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        const struct host_lab_shape *shape = &host_lab_shapes[which];
        if (host_lab_wanted(which) && shape->kind == MACHINE_MULTISTAGE && !shape->computed &&
            shape->splits == 0 && shape->log2_rows <= 8)
            forward(shape, HOST_LAB_SEED + which);
    }
}

/* Counts the cycles of a row in 16-bit registers, on every machine, for each bit. Row lengths are
 * even: a bit that flips whenever another one is set is inverted after an odd number of them. With
 * no row a run ends at once. Other rows are one cycle longer than a power of two. */
static void count_cycles(struct host_lab *lab, unsigned bit, uint32_t more, struct rng *rng)
{
    const uint32_t flits = 1u << lab->map.machine.log2_flits;
    const struct run run = {.rows = bit > 4,
                            .flits = flits,
                            .row_cycles = 1u << bit | more,
                            .period = machine_has_setting_period(&lab->map.machine),
                            .packets = machine_has_run_packets(&lab->map.machine)};
    host_runs_registers(lab, &run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
    host_runs_finish(lab, &run, rng);
    read_some(lab, rng);
}

/* A hypercube has rows of few bits, because it takes long to simulate. */
static void long_rows_and_none(void **state)
{
    static const size_t shapes[] = {0,
                                    1,
                                    HOST_LAB_TABLES,
                                    HOST_LAB_CUBE,
                                    HOST_LAB_COMBINES,
                                    HOST_LAB_RANGES,
                                    HOST_LAB_SHARED,
                                    HOST_LAB_CUBE_COMBINES,
                                    HOST_LAB_KEEPS_OWN};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        if (!host_lab_wanted(shapes[k]))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[shapes[k]]);
        struct rng rng = {HOST_LAB_SEED};
        const struct machine *machine = &lab.map.machine;
        const uint32_t least = machine_row_cycles(machine, 1u << machine->log2_flits);
        const unsigned bits = machine->kind == MACHINE_CUBE ? 11 : 16;
        write_all(&lab, &rng, 1, false);
        for (unsigned bit = 4; bit < bits; bit++)
            count_cycles(&lab, bit, (least + 1) & ~1u, &rng);
        for (unsigned bit = 5; bit < bits; bit++)
            count_cycles(&lab, bit, 1, &rng);
        host_lab_close(&lab);
    }
}

/* Runs with `length` packets at each of two nodes, which the trees share, and none elsewhere.
 * Returns the nodes whose queues have overflowed, as a bit each. */
static uint32_t overflows(struct host_lab *lab, uint32_t one, uint32_t other, uint32_t length)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {
        .rows = 1u << machine->log2_rows, .flits = 2, .row_cycles = machine_row_cycles(machine, 2)};
    struct rng rng = {HOST_LAB_SEED};
    uint32_t nodes = 0;
    for (uint32_t node = 0; node < machine->topology.nodes; node++)
        host_runs_list(lab, &rng, 8, node, node == other ? length : 0,
                       node == one || node == other ? length : 0);
    host_runs_registers(lab, &run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
    host_runs_finish(lab, &run, &rng);
    for (uint32_t node = 0; node < machine->topology.nodes; node++)
        if (host_lab_read(lab, machine_router_flags_address(node)) & MACHINE_ROUTER_OVERFLOW)
            nodes |= 1u << node;
    host_lab_reset(lab);
    return nodes;
}

/* In some tree a node other than 0 is its neighbor's parent, and sends its own packets first. */
static void neighbours_fill_queues(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_CUBE))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_CUBE]);
    const struct topology *cube = &lab.map.machine.topology;
    for (uint32_t one = 0; one < cube->nodes; one++)
        for (unsigned dimension = 0; dimension < cube->dimensions; dimension++) {
            const uint32_t other = one ^ 1u << dimension, both = 1u << one | 1u << other;
            if (other < one)
                continue;
            assert_int_equal(overflows(&lab, one, other, 9) & (both | 1), both & ~1u);
            assert_int_equal(overflows(&lab, one, other, 1), 0);
        }
    host_lab_close(&lab);
}

/* -- Machines that are busy, and routers that are not ------------------------------------------ */

static bool has_tables(size_t which)
{
    return host_lab_wanted(which) && (host_lab_shapes[which].kind == MACHINE_FAT_TREE ||
                                      host_lab_shapes[which].kind == MACHINE_CUBE);
}

/* Draws a run of all rows, with one flit in as few cycles as possible, or with all flits; with 2
 * packets if programs are computed. */
static struct run draw_busy(const struct machine *machine, unsigned which, struct rng *rng)
{
    const uint32_t flits = which % 8 == 7 ? 1u << machine->log2_flits : 1;
    struct run run = {.rows = 1u << machine->log2_rows,
                      .flits = flits,
                      .row_cycles = machine_row_cycles(machine, flits),
                      .operation = draw_operator(machine, rng)};
    if (machine->computed) {
        run.period = 1 + rng_below(rng, 1u << machine->log2_period);
        run.first = rng_below(rng, run.period);
        run.packets = 2;
    }
    return run;
}

/* Nodes send the packets that they hold in all rows or most, and so does every output of every
 * router: each packet is sent on as it arrives. */
static void all_send(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!has_tables(which) && !(host_lab_shapes[which].computed && host_lab_wanted(which)))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * BUSY; k++) {
            const struct run run = draw_busy(&lab.map.machine, k, &rng);
            write_all(&lab, &rng, k % 2 ? MOST_VALID : ALL_VALID, false);
            host_runs_registers(&lab, &run);
            host_lab_step(&lab, &(struct dut_inputs){.start = true});
            host_runs_finish(&lab, &run, &rng);
            read_changed(&lab);
        }
        host_lab_close(&lab);
    }
}

/* Every node sends and expects packet r in row r, so that the packet that arrives over any path
 * stays until it is read, and a word is missing where no packet arrives. */
static void each_row_has_a_packet(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!host_lab_wanted(which) || host_lab_shapes[which].kind != MACHINE_MULTISTAGE ||
            host_lab_shapes[which].splits > 0)
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        const struct machine *machine = &lab.map.machine;
        const uint32_t rows = 1u << machine->log2_packets, flits = 1u << machine->log2_flits;
        const struct run run = {.rows = rows,
                                .flits = flits,
                                .row_cycles = machine_row_cycles(machine, flits),
                                .period = machine_has_setting_period(machine) ? rows : 0,
                                .packets = machine->computed ? rows : 0};
        struct rng rng = {HOST_LAB_SEED + which};
        for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * OWN_PACKETS; k++) {
            write_all(&lab, &rng, ALL_VALID, false);
            for (uint32_t row = 0; row < rows; row++)
                for (unsigned region = MACHINE_SEND; region <= MACHINE_RECEIVE; region++)
                    host_lab_write(
                        &lab,
                        MACHINE_ALL_NODES |
                            machine_program_address(machine, (enum machine_region)region, 0, row),
                        MACHINE_VALID | row);
            host_runs_registers(&lab, &run);
            host_lab_step(&lab, &(struct dut_inputs){.start = true});
            host_runs_finish(&lab, &run, &rng);
            read_changed(&lab);
        }
        host_lab_close(&lab);
    }
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
                            .operation = draw_operator(machine, rng)};
    const uint32_t router = rng_below(rng, machine_routers(machine)),
                   row = ROWS / 2 + rng_below(rng, ROWS / 2),
                   ports = machine->topology.router_ports[wiring_level(&machine->topology, router)],
                   port[2] = {rng_below(rng, ports), rng_below(rng, ports)};
    send_from_all(lab, rng, which % 3 ? row : 0, ROWS);
    set_outputs(lab, router, row, port, true);
    host_runs_registers(lab, &run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
    host_runs_finish(lab, &run, rng);
    for (uint32_t each = 0; each < machine_routers(machine); each++)
        host_lab_ask(lab, machine_router_flags_address(each));
    host_lab_ask(lab, MACHINE_STEPS);
    host_lab_idle(lab, 3);
    set_outputs(lab, router, row, port, false);
}

/* The number of steps counts the last row in which any one endpoint sends. */
static void each_endpoint_sends_alone(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!has_tables(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        const struct machine *machine = &lab.map.machine;
        const uint32_t flits = machine->combines ? MACHINE_COMBINE_FLITS : 1;
        const struct run run = {
            .rows = 8, .flits = flits, .row_cycles = machine_row_cycles(machine, flits)};
        struct rng rng = {HOST_LAB_SEED + which};
        write_all(&lab, &rng, NONE_VALID, false);
        write_packets(&lab, &rng, 8);
        host_runs_registers(&lab, &run);
        for (uint32_t node = 0; node < lab.map.nodes; node++) {
            const uint32_t row = 4 + node % 4,
                           address = machine_program_address(machine, MACHINE_SEND, node, row);
            host_lab_write(&lab, address, MACHINE_VALID);
            host_lab_step(&lab, &(struct dut_inputs){.start = true});
            host_runs_finish(&lab, &run, &rng);
            host_lab_ask(&lab, MACHINE_STEPS);
            host_lab_write(&lab, address, 0);
        }
        host_lab_close(&lab);
    }
}

/* With few sending outputs no other flag hides that a packet is not held, that two are sent at
 * once, or that a packet has moved in the last row. */
static void few_outputs_send(void **state)
{
    (void)state;
    for (size_t which = 0; which < HOST_LAB_SHAPES; which++) {
        if (!has_tables(which))
            continue;
        struct host_lab lab = host_lab_open(&host_lab_shapes[which]);
        struct rng rng = {HOST_LAB_SEED + which};
        write_all(&lab, &rng, NONE_VALID, false);
        write_packets(&lab, &rng, 8);
        for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * FEW_OUTPUTS; k++)
            run_few(&lab, &rng, k);
        host_lab_close(&lab);
    }
}

/* Runs without rows, and reads the number of each. */
static void count_runs(const struct host_lab_shape *shape, uint32_t runs)
{
    struct host_lab lab = host_lab_open(shape);
    const struct machine *machine = &lab.map.machine;
    struct rng rng = {HOST_LAB_SEED};
    const uint32_t flits = machine_header_flits(machine) + 1;
    const struct run run = {.flits = flits,
                            .row_cycles = machine_row_cycles(machine, flits),
                            .period = machine_has_setting_period(machine),
                            .packets = machine_has_run_packets(machine)};
    host_runs_registers(&lab, &run);
    for (uint32_t k = 1; k <= runs; k++) {
        host_lab_step(&lab, &(struct dut_inputs){.start = true});
        host_runs_finish(&lab, &run, &rng);
        host_lab_idle(&lab, 2);
        host_lab_ask(&lab, MACHINE_RUN_COUNT);
        host_lab_idle(&lab, 3);
        assert_int_equal(lab.outputs.host_rdata, k & 0xffff);
    }
    host_lab_close(&lab);
}

/* A run without rows ends at once. Every number of runs is read, in 1024 runs of the machines in
 * which a fault of the counter may be planted or, if every space is exhausted, on the smallest
 * until the 16 bits of the register wrap around. */
static void every_run_is_counted(void **state)
{
    static const size_t shapes[] = {0, HOST_LAB_COMBINES, HOST_LAB_RANGES, HOST_LAB_SHARED,
                                    HOST_LAB_KEEPS_OWN};
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (host_lab_wanted(shapes[k]))
            count_runs(&host_lab_shapes[shapes[k]],
                       running_exhaustive() && k == 0 ? UINT32_C(0x10001) : COUNTED);
}

/* Sends a packet of one source through settings that change within it, and reads all flags. Every
 * word that is held is a header of node 0. */
static void send_fragments(struct host_lab *lab, struct rng *rng)
{
    const struct machine *machine = &lab->map.machine;
    const struct run run = {.rows = 32, .flits = 4, .row_cycles = 2, .packets = 1};
    const uint32_t node = 1 + rng_below(rng, 3), last = node + 1 + rng_below(rng, 3),
                   address = machine_program_address(machine, MACHINE_SEND, node, 0);
    for (uint32_t row = 0; row < 8; row++)
        for (uint32_t stage = 0; stage < machine_stages(machine); stage++)
            host_lab_write(lab, machine_table_address(machine, stage, row, 0), rng_below(rng, 4));
    for (uint32_t flit = 1; flit < run.flits; flit++)
        host_lab_write(lab, MACHINE_ALL_NODES | machine_packet_address(machine, 0, 0, flit),
                       rng_below(rng, 4) ? MACHINE_VALID : 0);
    host_lab_write(lab, address, MACHINE_VALID | last);
    host_runs_registers(lab, &run);
    host_lab_step(lab, &(struct dut_inputs){.start = true});
    host_runs_finish(lab, &run, rng);
    host_lab_write(lab, address, 0);
    for (uint32_t each = 0; each < lab->map.nodes; each++)
        host_lab_ask(lab, machine_flags_address(each));
    host_lab_ask(lab, MACHINE_ERROR_CAUSE);
    host_lab_idle(lab, 3);
}

/* No header names node 0, which is the first of every range: it receives only fragments of packets,
 * whose words look like headers. At other nodes the rest of a packet is missing. */
static void fragments_arrive(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_RANGES))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_RANGES]);
    struct rng rng = {HOST_LAB_SEED};
    for (unsigned k = 0; k < (running_exhaustive() ? 4 : 1) * FRAGMENTS; k++)
        send_fragments(&lab, &rng);
    host_lab_close(&lab);
}

/* A flit that the host writes has received nothing, and the others keep what they have: after a run
 * the host writes some flits, and the run is made again. */
static void written_flits_have_received_nothing(void **state)
{
    (void)state;
    if (!host_lab_wanted(HOST_LAB_KEEPS_OWN))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[HOST_LAB_KEEPS_OWN]);
    struct rng rng = {HOST_LAB_SEED};
    const uint32_t fields = 1u << host_map_bits(&lab.map, MACHINE_PACKET);
    for (unsigned k = 0; k < REWRITES; k++) {
        const struct run run = draw_run(&lab.map.machine, 0, &rng);
        write_all(&lab, &rng, k, false);
        host_runs_registers(&lab, &run);
        for (unsigned again = 0; again < 2; again++) {
            host_lab_step(&lab, &(struct dut_inputs){.start = true});
            host_runs_finish(&lab, &run, &rng);
            for (unsigned flit = 0; again == 0 && flit < fields / 16; flit++)
                host_lab_write(&lab, address_of(MACHINE_PACKET, rng_below(&rng, fields)),
                               draw_word(&rng, 8, true, false));
        }
        read_changed(&lab);
    }
    host_lab_close(&lab);
}

static bool look_away(void *self, uint64_t cycle, const uint32_t *obs, struct err *err)
{
    (void)self, (void)cycle, (void)obs, (void)err;
    return true;
}

/* Half of the nodes send and expect in a row, so that a different switch changes the packets that
 * arrive. */
static void a_setting_that_differs_shows(void **state)
{
    (void)state;
    if (!host_lab_wanted(1))
        return;
    struct host_lab lab = host_lab_open(&host_lab_shapes[1]);
    struct rng rng = {HOST_LAB_SEED};
    const struct run run = {.rows = 64, .flits = 8, .row_cycles = 20};
    const struct testbench_observer observer = {NULL, look_away};
    struct err err = {0};
    uint64_t cycles;
    write_all(&lab, &rng, 10, false);
    write_packets(&lab, &rng, 8);
    host_runs_registers(&lab, &run);
    second_engine_write(&lab.testbench, address_of(MACHINE_TABLE, 5),
                        ~host_map_read(&lab.map, address_of(MACHINE_TABLE, 5)));
    assert_false(testbench_run(&lab.testbench, &run, &observer, &cycles, &err));
    support_error(&err, ERR_DIVERGED, "csim and rtl differ");
    host_lab_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_runs),
                                       cmocka_unit_test(packets_go_on_while_they_come),
                                       cmocka_unit_test(long_rows_and_none),
                                       cmocka_unit_test(neighbours_fill_queues),
                                       cmocka_unit_test(all_send),
                                       cmocka_unit_test(each_row_has_a_packet),
                                       cmocka_unit_test(each_endpoint_sends_alone),
                                       cmocka_unit_test(few_outputs_send),
                                       cmocka_unit_test(every_run_is_counted),
                                       cmocka_unit_test(fragments_arrive),
                                       cmocka_unit_test(a_setting_that_differs_shows),
                                       cmocka_unit_test(written_flits_have_received_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
