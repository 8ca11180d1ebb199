/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/machine.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/network_rows.h"

#include <inttypes.h>

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

/* The source in a table word has 15 bits. */
#define MAX_SOURCES 32768
/* That of a router that combines packets has 13. */
#define MAX_COMBINED_SOURCES 8192

static bool check_routers(const struct machine *machine, struct err *err)
{
    bool self_timed = machine_is_self_timed(machine);
    const uint32_t sources = machine->combines ? MAX_COMBINED_SOURCES : MAX_SOURCES;
    if (machine->reads < 1 || machine->reads > MACHINE_MAX_READS)
        return err_set(err, ERR_NETWORK,
                       "machine: %u packet%s read from a buffer at once; expected 1 … %u",
                       machine->reads, text_s(machine->reads), MACHINE_MAX_READS);
    for (unsigned level = 1; level <= machine_levels(machine); level++) {
        uint32_t ports = machine->topology.router_ports[level];
        if ((uint64_t)ports * machine->reads > sources)
            return err_set(err, ERR_NETWORK,
                           "machine: routers of level %u have %u port%s; expected at most %u",
                           level, ports, text_s(ports), sources / machine->reads);
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

/* Checks that a word holds a header. In a tree the header has two flits: the packet's slot, and its
 * destination below the bit for all leaves. In a hypercube it has one: two bits for the purpose,
 * and the slot. */
static bool check_header(const struct machine *machine, struct err *err)
{
    unsigned slot = machine->log2_packets, leaf = machine_node_bits(machine) + 1;
    unsigned needed = machine_is_autonomous(machine) ? slot + 2 : MAX(slot, leaf);
    return !machine_is_self_timed(machine) || machine->width >= needed ||
           err_set(err, ERR_NETWORK,
                   "{width}: %u bit%s; expected at least %u, which a header needs", machine->width,
                   text_s(machine->width), needed);
}

/* Tags stand for shifts and complements, which every Beneš network passes; masks stand for affine
 * maps of the bits of port numbers. */
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

/* Checks that ranges are possible: a multistage network, whose programs are not computed, and a
 * word that holds the two ends of a range. */
bool machine_check_ranges(const struct machine *machine, struct err *err)
{
    if (!machine->ranges)
        return true;
    if (machine_hops(machine) || machine->computed)
        return err_set(err, ERR_NETWORK,
                       "{programs}: ranges require endpoints of their own; expected a multistage "
                       "network");
    unsigned needed = 2 * machine_node_bits(machine);
    if (needed > 30 && machine->width > MACHINE_WORD_WIDTH)
        return err_set(err, ERR_NETWORK,
                       "{width}: %u bits; the two ends of a range have %u bits, and flits above 31 "
                       "bits begin with at most 30; expected fewer nodes",
                       machine->width, needed);
    return machine->width >= needed ||
           err_set(err, ERR_NETWORK,
                   "{width}: %u bit%s; expected at least %u, because the first flit of a packet "
                   "holds both ends of a range of nodes",
                   machine->width, text_s(machine->width), needed);
}

static bool check_splits(const struct machine *machine, struct err *err)
{
    return (machine->ranges
                ? machine->log2_splits >= 1 && machine->log2_splits <= machine->log2_rows
                : machine->log2_splits == 0) ||
           err_set(err, ERR_NETWORK,
                   "machine: 2^%u splits and 2^%u rows; expected at least 2 splits with ranges, "
                   "none without, and no more than rows",
                   machine->log2_splits, machine->log2_rows);
}

/* Checks that there is a setting index's memory only if it is used, and that it is not larger than
 * the rows. */
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

/* With reconfiguration each word of the setting index is one setting, so setting phases count
 * settings and not rows. */
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

bool machine_check_combines(const struct machine *machine, struct err *err)
{
    char network[MACHINE_NETWORK_TEXT];
    if (machine->combines && !machine_row(machine)->combines)
        return err_set(err, ERR_UNSUPPORTED,
                       "{network}: the routers of %s do not combine packets, because they have no "
                       "tables of what to combine; expected a multistage network, fat-tree or cube",
                       machine_network_name(machine, network));
    if (machine->operators > 0 &&
        (!machine->combines || machine->operators >= MACHINE_ALL_OPERATORS))
        return err_set(err, ERR_UNSUPPORTED,
                       "{operators}: set %" PRIu32 "; expected some of the operators of a machine "
                       "that combines packets, or 0 for all",
                       machine->operators);
    if (machine->keeps_own && (!machine->combines || machine_hops(machine)))
        return err_set(err, ERR_UNSUPPORTED,
                       "{network}: %s keeps one partial result of a packet; expected two only on a "
                       "multistage network whose endpoints combine packets",
                       machine_network_name(machine, network));
    if (machine->combines && machine->ranges)
        return err_set(err, ERR_UNSUPPORTED,
                       "{programs}: ranges split broadcasts, and no header says that a packet is "
                       "combined; expected {programs} stored");
    if (machine->combines && machine->shared > 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "machine: endpoints that share a packet memory do not combine packets; "
                       "expected one port for each node");
    return !machine->combines || !machine->computed ||
           err_set(err, ERR_UNSUPPORTED,
                   "{programs}: computed programs repeat packets, not whether they are combined; "
                   "expected {programs} stored");
}

static bool check_addresses(const struct machine *machine, struct err *err)
{
    unsigned banks = machine_hops(machine) ? machine_routers(machine) : machine_banks(machine);
    unsigned packet_bits = machine_node_bits(machine) + machine->log2_packets +
                           machine->log2_flits + machine_part_bits(machine);
    unsigned program_bits = machine_node_bits(machine) + machine->log2_rows;
    unsigned table_bits =
        (banks < 2 ? 1 : bits_log2_up(banks)) + machine->log2_rows + machine_column_bits(machine);
    return (packet_bits <= 28 && program_bits <= 28 && table_bits <= 28) ||
           err_set(err, ERR_NETWORK,
                   "machine: %u port%s, 2^%u packets of 2^%u flits%s and 2^%u rows need more than "
                   "28 bits of address; expected fewer packets, flits or rows",
                   machine_ports(machine), text_s(machine_ports(machine)), machine->log2_packets,
                   machine->log2_flits, machine_parts(machine) > 1 ? " of several words" : "",
                   machine->log2_rows);
}

/* Checks that endpoints that share a memory have stored programs, which name its members. */
static bool check_shared(const struct machine *machine, struct err *err)
{
    if (machine->shared == 0)
        return true;
    if (machine_hops(machine) || machine->computed || machine->ranges)
        return err_set(err, ERR_NETWORK,
                       "{programs}: the endpoints of a node share a memory; expected stored "
                       "programs on a multistage network");
    return (machine->shared > 1 && machine->shared <= MACHINE_MAX_SHARED &&
            machine->log2_packets + machine_member_bits(machine) < 30) ||
           err_set(err, ERR_NETWORK,
                   "machine: %" PRIu32 " endpoints share a memory; expected 2 … %" PRIu32,
                   machine->shared, MACHINE_MAX_SHARED);
}

bool machine_check_width(const struct machine *machine, struct err *err)
{
    if (machine->width < 1 || machine->width > MACHINE_MAX_WIDTH)
        return err_set(err, ERR_NETWORK, "{width}: %u bit%s; expected 1 … %u", machine->width,
                       text_s(machine->width), MACHINE_MAX_WIDTH);
    const bool at_arcs = machine->combines && machine->topology.dimensions > 0;
    const char *wants = at_arcs ? "nodes of hypercubes combine flits of one word"
                        : machine_is_self_timed(machine)
                            ? "self-timed routers read headers of one word"
                            : NULL;
    return machine->width <= MACHINE_WORD_WIDTH || wants == NULL ||
           err_set(err, ERR_UNSUPPORTED, "{width}: %u bits; %s; expected 1 … %u", machine->width,
                   wants, MACHINE_WORD_WIDTH);
}

bool machine_check(const struct machine *machine, struct err *err)
{
    if (!check_network(machine, err))
        return false;
    if (!machine_check_width(machine, err))
        return false;
    if (machine->log2_packets < 1 || machine->log2_flits < 1 || machine->log2_rows < 1)
        return err_set(err, ERR_NETWORK,
                       "machine: a memory of one word; expected 2 packets, flits and rows");
    return (!machine_hops(machine) ||
            (check_routers(machine, err) && check_header(machine, err))) &&
           machine_check_ranges(machine, err) && check_splits(machine, err) &&
           machine_check_reconfig(machine, err) && machine_check_combines(machine, err) &&
           check_setting_period(machine, err) && check_shared(machine, err) &&
           check_addresses(machine, err);
}
