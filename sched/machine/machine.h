/* SPDX-License-Identifier: Apache-2.0 */
/* machine: the properties with which a machine is built. machine_run.h describes the clocking of a
 * run, machine_address.h the address map.
 *
 * Nodes here are endpoints: the ports of a multistage network, the leaves of a tree, and in a
 * hypercube the endpoints of wiring.h, d for each processor. The routers of a fat tree are numbered
 * as in topology.h, from 0: router r is node r + n; the router of a hypercube's node has the node's
 * number. The ports of routers, and the columns of their tables, are those of wiring.h; self-timed
 * routers have no tables, and their endpoints have no receive program.
 */
#ifndef ROUNDCAST_MACHINE_H
#define ROUNDCAST_MACHINE_H

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/err.h"
#include "sched/machine/operators.h"
#include "sched/shape/multistage.h"
#include "sched/shape/topology.h"
#include "sched/shape/wiring.h"

#include <stdint.h>

#define MACHINE_MAX_WIDTH 512
/* the widest flit that fits in a word of 32 bits, together with its held bit */
#define MACHINE_WORD_WIDTH 31
#define MACHINE_MAX_PAD 64
#define MACHINE_MAX_SHARED UINT32_C(64)
#define MACHINE_MAX_PORTS UINT32_C(65536)
/* maximum number of ports of a multistage network in RTL, whose build then takes minutes */
#define MACHINE_MAX_RTL_PORTS UINT32_C(2048)
#define MACHINE_MAX_RTL_ENDPOINTS UINT32_C(1024) /* of routers */
#define MACHINE_MAX_LANES UINT32_C(65536)        /* between the stages of a Clos network */

enum machine_kind {
    MACHINE_MULTISTAGE, /* a multistage network: Beneš, omega, Clos or multicast */
    /* routers that follow a table, wired as a tree whose leaves are the nodes */
    MACHINE_FAT_TREE,
    MACHINE_FAT_TREE_AUTO, /* the same tree of self-timed routers, without tables */
    /* routers that follow a table, wired as a hypercube, one at each node */
    MACHINE_CUBE,
    /* the same hypercube; its nodes broadcast their packets without tables */
    MACHINE_CUBE_AUTO
};
#define MACHINE_KINDS 5

/* The properties of a kind of machine. No code tests the kind itself, except tables with a row for
 * each kind. */
struct machine_kind_row {
    /* name, syntax and description of the network; NULL: see network_rows.h */
    const char *name, *written, *what;
    const char *top;             /* module of the RTL, without rc_ */
    enum topology_kind topology; /* topology of the schedules that it can run */
    bool hops;                   /* made of routers, so a row is a hop */
    bool combines;               /* it can combine packets: endpoints and, with hops, routers */
    /* header flits that lead a packet through routers without tables; 0: routers have tables */
    uint32_t header_flits;
    /* nodes have a list of packets instead of programs, generate the control packets, and detect
     * the end of the run */
    bool autonomous;
    /* a machine of this kind that combines has a memory for each node in place of routers
     * (machine_has_node_memories) */
    bool node_memories;
};

extern const struct machine_kind_row machine_kind_rows[MACHINE_KINDS];

/* The sources of a row's settings in a multistage machine: name, text, description; whether the
 * setting index selects them, whether the setting index holds tags, whether rows of the tables are
 * masks. */
#define MACHINE_SETTINGS_TABLE(X)                                                                \
    X(FULL, "full", "the tables of the stages have a row for each row", false, false, false)     \
    X(INDEXED, "indexed", "the setting index says which row of the tables: each setting once",   \
      true, false, false)                                                                        \
    X(TAGS, "tags", "the stages compute them from a tag in the setting index: no tables", true,  \
      true, false)                                                                               \
    X(MASKS, "masks", "as indexed, but a row has a mask for a stage, which computes them", true, \
      false, true)

enum machine_settings {
#define MACHINE_SETTINGS_ENUM(name, text, what, setting_index, tags, masks) MACHINE_##name,
    MACHINE_SETTINGS_TABLE(MACHINE_SETTINGS_ENUM)
#undef MACHINE_SETTINGS_ENUM
        MACHINE_SETTINGS_KINDS
};

struct machine_settings_row {
    const char *text, *what;
    bool setting_index, tags, masks;
};

extern const struct machine_settings_row machine_settings_rows[MACHINE_SETTINGS_KINDS];

/* A machine as it is built. Its capacities of packets, flits, rows, settings and setting phases are
 * powers of two, at least 2.
 *
 * Row r is in setting phase (first + r) mod period of a run, and in period ⌊(first + r) / period⌋.
 * The setting index, which selects the settings of a row, has a word for each setting phase. If the
 * send and receive programs are computed, they also have a word for each phase: the numbers of
 * their packets then grow by `period` from period to period (machine_computed). */
struct machine {
    enum machine_kind kind;
    struct multistage network; /* of a multistage machine; zero on others */
    enum machine_settings settings;
    bool computed;
    /* endpoints have no programs: they split the ranges that arrive in their packets
     * (sched/schedule/ranges.h), by a table of splits that all of them share */
    bool ranges;
    unsigned log2_splits; /* of ranges: words of the table of splits; else 0 */
    /* a word of the setting index applies to several rows, and a change of settings may take
     * time */
    bool reconfigures;
    /* endpoints combine packets: a bit of the receive program, and a register in front of the
     * packet memory (rtl/shell/rc_endpoint.sv); so do routers, by two bits of their tables
     * (rtl/routers/rc_router.sv). Nodes of a hypercube do so in their memories
     * (machine_has_node_memories) */
    bool combines;
    /* of a machine that combines: the operators that are built (operators.h); 0: all */
    uint32_t operators;
    /* endpoints that combine keep what they receive apart from the node's own packets, so that a
     * node has two partial results of a packet (rtl/shell/rc_received_memory.sv) */
    bool keeps_own;
    /* adjacent endpoints that belong to a node and share its packet memory; 0: each endpoint has
     * its own */
    uint32_t shared;
    unsigned log2_settings; /* indexed, masks, reconfig: rows of the stages' tables; else 0 */
    unsigned log2_period;   /* of a setting index or of computed programs; else 0 */
    /* multistage: a pipeline register after every pipe-th stage; 0: none */
    unsigned pipe;
    unsigned pad;   /* further registers after the network; with routers: in every link */
    unsigned width; /* bits of a flit, 1 … MACHINE_MAX_WIDTH */
    unsigned log2_packets, log2_flits, log2_rows;

    /* For machines of routers; zero on others. Indices are levels 1 … h of a tree, 1 of a
     * hypercube. */
    struct topology topology;
    /* packets that each input's buffer holds, 1 … MACHINE_MAX_DEPTH */
    uint32_t depth[TOPOLOGY_MAX_HEIGHT + 1];
    /* self-timed: packets that each branch's queue holds, 1 … MACHINE_MAX_DEPTH */
    uint32_t queue[TOPOLOGY_MAX_HEIGHT + 1];
    /* maximum number of different packets that an input's buffer outputs in one row, 1 …
     * MACHINE_MAX_READS */
    uint32_t reads;
};

#define MACHINE_MAX_DEPTH UINT32_C(65535) /* 16 bits in a parameter of the RTL */
#define MACHINE_MAX_READS 12

/* Returns log2 of a power of two in 2 … 2^27, the range of sizes and capacities; 0 for any other
 * value. */
static inline unsigned machine_log2(uint64_t value)
{
    unsigned log2 = 1;
    while (log2 < 27 && UINT64_C(1) << log2 < value)
        log2++;
    return UINT64_C(1) << log2 == value ? log2 : 0;
}

static inline const struct machine_kind_row *machine_row(const struct machine *machine)
{
    return &machine_kind_rows[machine->kind];
}

/* Returns the set of operators with which the machine is built; 0 if it does not combine. */
static inline uint32_t machine_built_operators(const struct machine *machine)
{
    return !machine->combines       ? 0
           : machine->operators > 0 ? machine->operators
                                    : MACHINE_ALL_OPERATORS;
}

/* Returns the operator of a machine that combines until the host selects another one: the first one
 * that is built. */
static inline uint32_t machine_first_operator(const struct machine *machine)
{
    return (uint32_t)__builtin_ctz(machine->operators > 0 ? machine->operators : 1);
}

/* Reports whether the machine is made of routers, so that a row is a hop. */
static inline bool machine_hops(const struct machine *machine)
{
    return machine_row(machine)->hops;
}

/* Number of header flits of a packet: 2 in a tree of self-timed routers, 1 in a hypercube of them
 * or with ranges, 0 on other machines. */
static inline uint32_t machine_header_flits(const struct machine *machine)
{
    return machine->ranges ? 1 : machine_row(machine)->header_flits;
}

/* Reports whether the machine's routers find paths by themselves, without tables. */
static inline bool machine_is_self_timed(const struct machine *machine)
{
    return machine_row(machine)->header_flits > 0;
}

/* Reports whether endpoints have a receive program: else the header of a packet determines where
 * it is stored. */
static inline bool machine_has_receive_programs(const struct machine *machine)
{
    return machine_header_flits(machine) == 0;
}

/* Reports whether the nodes generate the control packets and detect the end of the run; the rows of
 * a run are then a limit. */
static inline bool machine_is_autonomous(const struct machine *machine)
{
    return machine_row(machine)->autonomous;
}

/* Reports whether a node combines what its endpoints receive: the memory of the node keeps a packet
 * of each arc apart from its own, and a word that leaves, or that the host reads, is the
 * combination of all of them. The machine then has no routers
 * (rtl/shell/rc_node_memory.sv). */
static inline bool machine_has_node_memories(const struct machine *machine)
{
    return machine->combines && machine_row(machine)->node_memories;
}

/* Reports whether endpoints keep what they receive apart from the node's own packets: in the memory
 * of the node, or in one of their own (keeps_own). */
static inline bool machine_keeps_received(const struct machine *machine)
{
    return machine_has_node_memories(machine) || machine->keeps_own;
}

/* Number of levels with buffers and queues. The nodes of a self-timed hypercube queue their packets
 * even if there are no routers. */
static inline unsigned machine_levels(const struct machine *machine)
{
    return machine_is_autonomous(machine) ? 1 : machine->topology.router_levels;
}

/* Number of endpoints. */
static inline uint32_t machine_ports(const struct machine *machine)
{
    return machine_hops(machine) ? wiring_endpoints(&machine->topology) : machine->network.ports;
}

/* Number of endpoints of each processor. */
static inline uint32_t machine_node_endpoints(const struct machine *machine)
{
    return machine_hops(machine) ? machine->topology.endpoints : 1;
}

/* Reports whether rounds with equal settings share their table entries. */
static inline bool machine_shares_settings(const struct machine *machine)
{
    return machine_settings_rows[machine->settings].setting_index;
}

/* Reports whether a setting index selects the settings of a row. */
static inline bool machine_has_setting_index(const struct machine *machine)
{
    return machine_shares_settings(machine) || machine->reconfigures;
}

/* Reports whether the stages compute settings from a tag, without tables. */
static inline bool machine_has_tags(const struct machine *machine)
{
    return machine_settings_rows[machine->settings].tags;
}

/* Reports whether the stages compute settings from masks, which are the rows of their tables. */
static inline bool machine_has_masks(const struct machine *machine)
{
    return machine_settings_rows[machine->settings].masks;
}

/* Reports whether the settings or the programs have a period. */
static inline bool machine_has_setting_period(const struct machine *machine)
{
    return machine_has_setting_index(machine) || machine->computed;
}

/* Reports whether a run has a number of packets: for computed programs and for ranges. */
static inline bool machine_has_run_packets(const struct machine *machine)
{
    return machine_has_setting_period(machine) || machine->ranges;
}

/* Reports whether the setting index selects rows of the tables. */
static inline bool machine_is_indexed(const struct machine *machine)
{
    return machine_has_setting_index(machine) && !machine_has_tags(machine);
}

/* Number of bits of the offset of a computed program's entry, in two's complement, and of the base
 * that is added to it: enough for one period more than the packets. */
static inline unsigned machine_offset_bits(const struct machine *machine)
{
    return MAX(machine->log2_packets, machine->log2_period) + 2;
}

/* Number of bits of an endpoint's number among those that share its memory; 0 if none do. */
static inline unsigned machine_member_bits(const struct machine *machine)
{
    return machine->shared > 1 ? bits_log2_up(machine->shared) : 0;
}

/* Number of bits of a node's number. */
static inline unsigned machine_node_bits(const struct machine *machine)
{
    uint32_t ports = machine_ports(machine);
    return ports < 3 ? 1 : bits_log2_up(ports);
}

/* Number of words of 32 bits in which the host reads and writes a flit, its parts: part k has bits
 * 32k … 32k + 31 of the flit, and the last part also the held bit, in bit 31. */
#define MACHINE_MAX_PARTS (MACHINE_MAX_WIDTH / 32 + 1)
static inline uint32_t machine_parts(const struct machine *machine)
{
    return machine->width / 32 + 1;
}

/* Number of bits of a part's number in an address; 0 for a flit of one word. */
static inline unsigned machine_part_bits(const struct machine *machine)
{
    return bits_log2_up(machine_parts(machine));
}

static inline uint32_t machine_routers(const struct machine *machine)
{
    return machine_hops(machine) ? machine->topology.routers : 0;
}

/* Number of stages of a multistage network. */
static inline unsigned machine_stages(const struct machine *machine)
{
    return multistage_stages(&machine->network);
}

/* Reports whether the machine is wired as the topology. A complete graph requires a multistage
 * network; a tree or a hypercube requires routers of exactly its shape. */
bool machine_has_topology(const struct machine *machine, const struct topology *topology);

/* -- Checks ------------------------------------------------------------------------------------ */

/* Checks that a machine can be built. */

/* Checks the width of a flit, and that the machine supports it: operators inside a network and the
 * headers of self-timed routers are defined for flits of one word. E401, E208. */
bool machine_check_width(const struct machine *machine, struct err *err);

/* Checks that the stages of the machine's network can compute its settings. E401. */
bool machine_check_settings(const struct machine *machine, struct err *err);

/* Checks that a machine with reconfiguration can be built. E401. */
bool machine_check_reconfig(const struct machine *machine, struct err *err);

/* Checks that a machine that combines packets can be built. E208. */
bool machine_check_combines(const struct machine *machine, struct err *err);

/* Checks that endpoints of the machine can split ranges, if it has ranges. E401. */
bool machine_check_ranges(const struct machine *machine, struct err *err);

/* Checks that a machine can be built and that the address map has room for it. E401 with the
 * parameter. */
bool machine_check(const struct machine *machine, struct err *err);

#endif
