/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/network_rows.h"

#include <inttypes.h>

const struct machine_kind_row machine_kind_rows[MACHINE_KINDS] = {
    [MACHINE_MULTISTAGE] = {.top = "multistage_machine", .topology = TOPOLOGY_COMPLETE},
    [MACHINE_FAT_TREE] = {"fat-tree", "fat-tree[,pad=D]",
                          "the routers of the schedule's tree, which follow tables; at most 65536 "
                          "leaves (rtl: 1024)",
                          .top = "fat_tree_machine", .topology = TOPOLOGY_TREE, .hops = true},
    [MACHINE_FAT_TREE_AUTO] =
        {"fat-tree-auto", "fat-tree-auto[,pad=D]",
         "the same tree of self-timed routers: destination headers, queues, up first, children in "
         "turn",
         .top = "fat_tree_machine", .topology = TOPOLOGY_TREE, .hops = true, .header_flits = 2},
    [MACHINE_CUBE] = {"cube", "cube[,pad=D]",
                      "the routers of the schedule's hypercube, which follow tables; at most 12 "
                      "dimensions (rtl: 7)",
                      .top = "cube_machine", .topology = TOPOLOGY_HYPERCUBE, .hops = true},
    [MACHINE_CUBE_AUTO] = {
        "cube-auto", "cube-auto[,pad=D]",
        "the same hypercube, self-timed: it ranks its packets and broadcasts them by itself "
        "(cube-broadcast)",
        .top = "cube_auto_machine", .topology = TOPOLOGY_HYPERCUBE, .hops = true, .header_flits = 1,
        .autonomous = true}};

const struct machine_settings_row machine_settings_rows[MACHINE_SETTINGS_KINDS] = {
#define SETTINGS_ROW(name, text, what, setting_index, tags, masks) \
    {text, what, setting_index, tags, masks},
    MACHINE_SETTINGS_TABLE(SETTINGS_ROW)
#undef SETTINGS_ROW
};

unsigned machine_column_bits(const struct machine *machine)
{
    if (machine_hops(machine))
        return bits_log2_up(wiring_most_ports(&machine->topology) * machine->reads);
    return machine_has_masks(machine) ? 0 : bits_log2_up(multistage_row_words(&machine->network));
}

/* With so many flits packets take as long to arrive at a router of a tree as their headers to be
 * queued: these are looked at in the order of the ports, one in each cycle after flit 1; the rest
 * are the registers from there to a queue. */
static uint32_t machine_scan_flits(const struct machine *machine)
{
    return wiring_most_ports(&machine->topology) + 5;
}

/* In a tree lanes are filled one a cycle, when the row is complete and all headers are queued; the
 * rest are the registers from a queue to what is sent. */
unsigned machine_control_cycles(const struct machine *machine, uint32_t flits)
{
    uint32_t lanes = 0;
    if (!machine_is_self_timed(machine))
        return 0;
    if (machine_is_autonomous(machine))
        return machine->topology.dimensions + 2;
    for (unsigned level = 1; level <= machine->topology.height; level++)
        lanes = MAX(lanes, machine->topology.capacity[level]);
    uint32_t least = machine_scan_flits(machine);
    return (flits < least ? least - flits : 0) + lanes + 3;
}

static bool check_network(const struct machine *machine, struct err *err)
{
    uint32_t ports = machine_ports(machine);
    if (machine_hops(machine) && (ports < 2 || ports > MACHINE_MAX_PORTS))
        return err_set(err, ERR_NETWORK, "network: %u endpoints; expected 2 … %u", ports,
                       MACHINE_MAX_PORTS);
    if (!machine_hops(machine) && !network_row_check(&machine->network, err))
        return false;
    unsigned stages = machine_hops(machine) ? 0 : machine_stages(machine);
    if (machine->pipe > stages || machine->pad > MACHINE_MAX_PAD)
        return err_set(err, ERR_NETWORK,
                       "network: pipe=%u, pad=%u; expected pipe 0 … %u, pad 0 … %u", machine->pipe,
                       machine->pad, stages, MACHINE_MAX_PAD);
    return true;
}

/* Sources have 15 bits in a table word. */
#define MAX_SOURCES 32768

static bool check_routers(const struct machine *machine, struct err *err)
{
    bool self_timed = machine_is_self_timed(machine);
    if (machine->reads < 1 || machine->reads > MACHINE_MAX_READS)
        return err_set(err, ERR_NETWORK,
                       "machine: %u packet%s read from a buffer at once; expected 1 … %u",
                       machine->reads, text_s(machine->reads), MACHINE_MAX_READS);
    for (unsigned level = 1; level <= machine_levels(machine); level++) {
        uint32_t ports = machine->topology.router_ports[level];
        if ((uint64_t)ports * machine->reads > MAX_SOURCES)
            return err_set(err, ERR_NETWORK,
                           "machine: routers of level %u have %u port%s; expected at most %u",
                           level, ports, text_s(ports), MAX_SOURCES / machine->reads);
        if (machine->depth[level] < 1 || machine->depth[level] > MACHINE_MAX_DEPTH)
            return err_set(
                err, ERR_NETWORK, "machine: buffers of %u packet%s at level %u; expected 1 … %u",
                machine->depth[level], text_s(machine->depth[level]), level, MACHINE_MAX_DEPTH);
        if (machine->queue[level] < self_timed || machine->queue[level] > MACHINE_MAX_DEPTH)
            return err_set(err, ERR_NETWORK,
                           "machine: queues of %u packet%s at level %u; expected %d … %u",
                           machine->queue[level], text_s(machine->queue[level]), level, self_timed,
                           MACHINE_MAX_DEPTH);
    }
    return true;
}

/* A header has two flits: the packet's slot, and its destination below a bit that says that there
 * is none. A hypercube's header has one: two bits of its kind, and the slot. */
static bool check_header(const struct machine *machine, struct err *err)
{
    unsigned slot = machine->log2_packets, leaf = machine_node_bits(machine) + 1;
    unsigned needed = machine_is_autonomous(machine) ? slot + 2 : MAX(slot, leaf);
    return !machine_is_self_timed(machine) || machine->width >= needed ||
           err_set(err, ERR_NETWORK,
                   "{width}: %u bit%s; expected at least %u, which a header needs", machine->width,
                   text_s(machine->width), needed);
}

/* Tags stand for shifts, which every Beneš network passes; masks stand for affine maps of the bits
 * of port numbers. */
bool machine_check_settings(const struct machine *machine, struct err *err)
{
    const struct multistage *net = &machine->network;
    bool computes = network_row_of(net)->computes;
    if (machine_has_tags(machine) && !computes)
        return err_set(err, ERR_NETWORK,
                       "{settings}: tags require another network; expected benes:N");
    return !machine_has_masks(machine) || (computes && bits_is_power(net->ports)) ||
           err_set(err, ERR_NETWORK,
                   "{settings}: masks require another network; expected benes:N, N a power of two");
}

/* Tables need rows; a setting index and computed programs need setting phases. */
static bool check_setting_period(const struct machine *machine, struct err *err)
{
    bool setting_period = machine_has_setting_period(machine),
         indexed = machine_is_indexed(machine);
    if ((machine->log2_period > 0) != setting_period || machine->log2_period > 16 ||
        machine->log2_period > machine->log2_rows || (machine->log2_settings > 0) != indexed ||
        machine->log2_settings > machine->log2_rows)
        return err_set(
            err, ERR_NETWORK,
            "machine: 2^%u phases, 2^%u settings; expected some of what is there only, and at "
            "most 2^16 phases",
            machine->log2_period, machine->log2_settings);
    if (setting_period && machine_hops(machine))
        return err_set(err, ERR_NETWORK,
                       "machine: phases of routers; expected a multistage network");
    return machine_check_settings(machine, err);
}

/* With reconfiguration a setting is a word of the setting index, whose setting phases are settings
 * and not rows. */
bool machine_check_reconfig(const struct machine *machine, struct err *err)
{
    if (machine->reconfigures && machine_hops(machine))
        return err_set(
            err, ERR_NETWORK,
            "{reconfigure}: routers have a table entry for each row and hold no settings; "
            "expected a multistage network");
    if (machine->reconfigures && machine->computed)
        return err_set(err, ERR_NETWORK,
                       "{reconfigure}: computed programs count rows and not settings; expected "
                       "{programs} stored");
    return machine_setting_index_word_bits(machine) <= 32 ||
           err_set(
               err, ERR_NETWORK,
               "{reconfigure}: 2^%u rows and %u bit%s for a setting do not fit in a word of the "
               "order; expected at most 32 bits together",
               machine->log2_rows, machine_setting_index_bits(machine),
               text_s(machine_setting_index_bits(machine)));
}

static bool check_addresses(const struct machine *machine, struct err *err)
{
    unsigned units = machine_hops(machine) ? machine_routers(machine) : machine_units(machine);
    unsigned packet_bits = machine_node_bits(machine) + machine->log2_packets + machine->log2_flits;
    unsigned program_bits = machine_node_bits(machine) + machine->log2_rows;
    unsigned table_bits =
        (units < 2 ? 1 : bits_log2_up(units)) + machine->log2_rows + machine_column_bits(machine);
    return (packet_bits <= 28 && program_bits <= 28 && table_bits <= 28) ||
           err_set(err, ERR_NETWORK,
                   "machine: %u port%s, 2^%u packets of 2^%u flits and 2^%u rows need more than 28 "
                   "bits of "
                   "address; expected fewer packets, flits or rows",
                   machine_ports(machine), text_s(machine_ports(machine)), machine->log2_packets,
                   machine->log2_flits, machine->log2_rows);
}

bool machine_check(const struct machine *machine, struct err *err)
{
    if (!check_network(machine, err))
        return false;
    if (machine->width < 1 || machine->width > MACHINE_MAX_WIDTH)
        return err_set(err, ERR_NETWORK, "{width}: %u bit%s; expected 1 … %u", machine->width,
                       text_s(machine->width), MACHINE_MAX_WIDTH);
    if (machine->log2_packets < 1 || machine->log2_flits < 1 || machine->log2_rows < 1)
        return err_set(err, ERR_NETWORK,
                       "machine: a memory of one word; expected 2 packets, flits and rows");
    return (!machine_hops(machine) ||
            (check_routers(machine, err) && check_header(machine, err))) &&
           machine_check_reconfig(machine, err) && check_setting_period(machine, err) &&
           check_addresses(machine, err);
}

/* Rows on barriers, or rows that follow each other. */
static bool row_cycles_fit(const struct machine *machine, const struct run *run)
{
    if (machine_is_self_timed(machine) && run->flits < 2)
        return false; /* no header */
    unsigned latency = machine_latency(machine);
    if (run->row_cycles >= machine_row_cycles(machine, run->flits))
        return run->row_cycles <= MACHINE_MAX_ROW_CYCLES;
    return !machine_hops(machine) && !machine->reconfigures && run->row_cycles > 0 &&
           run->flits % run->row_cycles == 0 && latency % run->row_cycles == 0;
}

/* Checks that computed programs have a last packet and that their bases fit in the bits of an
 * offset. */
static bool bases_fit(const struct machine *machine, const struct run *run)
{
    return run->packets >= 1 &&
           (uint64_t)run->first + run->rows <= UINT64_C(1) << machine_offset_bits(machine);
}

static bool setting_period_fit(const struct machine *machine, const struct run *run)
{
    if (!machine_has_setting_period(machine))
        return run->period == 0 && run->first == 0 && run->packets == 0;
    return run->period >= 1 && run->period <= UINT32_C(1) << machine->log2_period &&
           run->period <= MACHINE_MAX_PERIOD && run->first < run->period &&
           run->packets <= UINT32_C(1) << machine->log2_packets &&
           (!machine->computed || bases_fit(machine, run));
}

bool machine_check_run(const struct machine *machine, const struct run *run, const char *name,
                       struct err *err)
{
    if (run->rows > UINT32_C(1) << machine->log2_rows || run->flits < 1 ||
        run->flits > UINT32_C(1) << machine->log2_flits || !row_cycles_fit(machine, run) ||
        run->single_port > machine_hops(machine) ||
        (run->reconfigure > 0 && !machine->reconfigures))
        return err_set(err, ERR_FIELD_RANGE,
                       "%.200s:3: a run of %u row%s of %u flit%s in %u cycle%s; expected at most "
                       "%u row%s, 1 … %u "
                       "flit%s, flits + latency … %u cycles or a divisor of flits and latency",
                       name, run->rows, text_s(run->rows), run->flits, text_s(run->flits),
                       run->row_cycles, text_s(run->row_cycles), 1u << machine->log2_rows,
                       text_s(1u << machine->log2_rows), 1u << machine->log2_flits,
                       text_s(1u << machine->log2_flits), MACHINE_MAX_ROW_CYCLES);
    if (!setting_period_fit(machine, run))
        return err_set(
            err, ERR_FIELD_RANGE,
            "%.200s:3: a run with period %u, first %u and %u packet%s; expected a period "
            "of at most %u, "
            "first below it, at most %u packet%s, with computed programs at least 1 and "
            "at most %u row%s "
            "from the first phase on, or none of them if the machine has no setting period",
            name, run->period, run->first, run->packets, text_s(run->packets),
            1u << machine->log2_period, 1u << machine->log2_packets,
            text_s(1u << machine->log2_packets), 1u << machine_offset_bits(machine),
            text_s(1u << machine_offset_bits(machine)));
    return true;
}

bool machine_run_word(const struct machine *machine, const struct run *run, uint32_t which,
                      uint32_t *word)
{
    switch (which) {
    case MACHINE_RUN_ROWS:
        *word = run->rows;
        return true;
    case MACHINE_RUN_FLITS:
        *word = run->flits;
        return true;
    case MACHINE_RUN_ROW_CYCLES:
        *word = run->row_cycles;
        return true;
    case MACHINE_RUN_SINGLE_PORT:
        *word = machine->reconfigures ? run->reconfigure : run->single_port;
        return machine_hops(machine) || machine->reconfigures;
    case MACHINE_RUN_PERIOD:
        *word = run->first << 16 | run->period;
        return machine_has_setting_period(machine);
    case MACHINE_RUN_PACKETS:
        *word = run->packets;
        return machine_has_setting_period(machine);
    default:
        return false;
    }
}

bool machine_has_topology(const struct machine *machine, const struct topology *topology)
{
    bool complete = topology_joins_all(topology);
    return machine_hops(machine) ? !complete && topology_same_links(topology, &machine->topology)
                                 : complete;
}

static bool has_setting(const struct machine *machine, uint32_t unit, uint32_t row, uint32_t column)
{
    if (unit >= machine_stages(machine))
        return unit < machine_units(machine) && row >> machine->log2_period == 0 && column == 0;
    return !machine_has_tags(machine) && row >> machine_log2_table_rows(machine) == 0 &&
           column < machine_columns(machine, unit);
}

static bool has_table_word(const struct machine *machine, const struct machine_place *at)
{
    if (!machine_hops(machine))
        return has_setting(machine, at->unit, at->row, at->column);
    if (machine_is_self_timed(machine) || at->unit >= machine_routers(machine))
        return false;
    unsigned level = wiring_level(&machine->topology, at->unit);
    return at->column < machine->topology.router_ports[level] * machine->reads;
}

bool machine_has_address(const struct machine *machine, uint32_t address)
{
    const struct machine_place at = machine_place_of(machine, address);
    const bool program = at.row >> machine_log2_program_rows(machine) == 0;
    uint32_t word;
    switch (at.region) {
    case MACHINE_REGISTER:
        return !at.all && machine_run_word(machine, &(struct run){0}, at.reg, &word);
    case MACHINE_TABLE:
        return !at.all && has_table_word(machine, &at);
    case MACHINE_RECEIVE:
        return !machine_is_self_timed(machine) && program && at.node < machine_ports(machine);
    case MACHINE_SEND:
        return program && at.node < machine_ports(machine);
    case MACHINE_PACKET:
        return at.node < machine_ports(machine);
    case MACHINE_FLAGS:
    case MACHINE_ROUTER_FLAGS:
        break;
    }
    return false;
}
