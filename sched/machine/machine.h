/* SPDX-License-Identifier: Apache-2.0 */
/* machine: the parameters of a machine, the timing of a run, and the address map.
 *
 * The compiler writes images over the map, which is described at enum machine_region; csim decodes
 * it, and the testbench reads back through it; the RTL decodes it by itself
 * (rtl/shell/rc_host_port.sv has the same picture). docs/machine.md has all of it for software that
 * drives a machine.
 *
 * Nodes here are endpoints: the ports of a multistage network, the leaves of a tree, and in a
 * hypercube the endpoints of wiring.h, d for each processor. The routers of a fat tree are numbered
 * as in topology.h, from 0: router r is node r + n; the router of a hypercube's node has the node's
 * number. Their ports, and the columns of their tables, are those of wiring.h; self-timed routers
 * have no tables, and their endpoints no receive program.
 */
#ifndef ROUNDCAST_MACHINE_H
#define ROUNDCAST_MACHINE_H

#include "sched/base/err.h"
#include "sched/base/rational.h"
#include "sched/shape/multistage.h"
#include "sched/shape/topology.h"
#include "sched/shape/wiring.h"

#include <stdint.h>

#define MACHINE_MAX_WIDTH 31
#define MACHINE_MAX_PAD 64
#define MACHINE_MAX_ROW_CYCLES 65535 /* 16 bits in the sequencer */
/* minimum of a row if settings are held: the number of rows of a setting is read with its first
 * row */
#define MACHINE_RECONFIG_CYCLES 2
#define MACHINE_MAX_PORTS UINT32_C(65536)
/* of a multistage network: its build takes minutes */
#define MACHINE_MAX_RTL_PORTS UINT32_C(2048)
#define MACHINE_MAX_RTL_ENDPOINTS UINT32_C(1024) /* of routers */
#define MACHINE_MAX_LANES UINT32_C(65536)        /* between the stages of a Clos network */

enum machine_kind {
    MACHINE_MULTISTAGE, /* a multistage network: Beneš, omega, Clos or multicast */
    /* routers that follow a table, wired as a tree; the nodes are its leaves */
    MACHINE_FAT_TREE,
    MACHINE_FAT_TREE_AUTO, /* the same tree of routers that follow rules of their own */
    /* routers that follow a table, wired as a hypercube; each is at a node */
    MACHINE_CUBE,
    /* the same hypercube with nodes that broadcast their packets without tables */
    MACHINE_CUBE_AUTO
};
#define MACHINE_KINDS 5

/* The properties of a kind of machine. No code asks for the kind itself, except tables with a row
 * for each kind. */
struct machine_kind_row {
    /* name, syntax and description of the network; NULL: see network_rows.h */
    const char *name, *written, *what;
    const char *top;             /* the RTL's module, without rc_ */
    enum topology_kind topology; /* of the schedules that it can run */
    bool hops;                   /* made of routers; a row is a hop */
    /* header flits that lead a packet through routers without tables; 0: routers have tables */
    uint32_t header_flits;
    /* nodes have a list of packets and no programs, generate the control packets, and detect
       the end of the run */
    bool autonomous;
};

extern const struct machine_kind_row machine_kind_rows[MACHINE_KINDS];

/* The sources of the settings of a row in a multistage machine: name, text, description; whether
 * the setting index selects them, whether it holds tags, whether rows of the tables are masks. */
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

/* A machine as it is built. Its memories of packets, flits, rows, settings and setting phases are
 * powers of two, at least 2.
 *
 * Row r is in setting phase (first + r) mod period of a run, and in period ⌊(first + r) / period⌋.
 * The setting index, which selects the settings of a row, has a word for each setting phase. If the
 * send and receive programs are computed, they also have a word for each phase: their packets then
 * move on by `period` from period to period (machine_computed). */
struct machine {
    enum machine_kind kind;
    struct multistage network; /* of a multistage machine, zero in others */
    enum machine_settings settings;
    bool computed;
    /* a word of the setting index applies to several rows, and a change of settings may take
     * time */
    bool reconfigures;
    unsigned log2_settings; /* indexed, masks, reconfig: rows of the stages' tables; else 0 */
    unsigned log2_period;   /* of a setting index or of computed programs; else 0 */
    /* multistage: a pipeline register after every pipe-th stage; 0: none */
    unsigned pipe;
    unsigned pad;   /* further registers after the network; of routers: in every link */
    unsigned width; /* bits of a word, 1 … MACHINE_MAX_WIDTH */
    unsigned log2_packets, log2_flits, log2_rows;

    /* Machines of routers have these, zero in others; indices are levels 1 … h of a tree, 1 of a
     * hypercube. */
    struct topology topology;
    /* packets that each input's buffer holds, 1 … MACHINE_MAX_DEPTH */
    uint32_t depth[TOPOLOGY_MAX_HEIGHT + 1];
    /* self-timed: packets that each branch's queue holds, the same */
    uint32_t queue[TOPOLOGY_MAX_HEIGHT + 1];
    /* different packets that an input's buffer can give in one row, 1 … MACHINE_MAX_READS */
    uint32_t reads;
};

#define MACHINE_MAX_DEPTH UINT32_C(65535) /* 16 bits in a parameter of the RTL */
#define MACHINE_MAX_READS 12

/* The timing of a run (docs/machine.md), in registers 8 … 10 of the machine. There are two kinds:
 *
 *     with barriers   row_cycles >= flits + latency. A packet takes one row; round r is row r-1.
 *     without         row_cycles divides flits and latency. A packet takes flits / row_cycles rows,
 *                     beginning with any row; it has an entry in each of them, and MACHINE_MORE in
 *                     all but the last of those in which it is received. All nodes send flit (cycle
 *                     of the run) mod flits, so a packet begins with the flit that is due then. The
 *                     last latency / row_cycles rows send nothing, so that everything has arrived
 *                     when the run ends.
 *
 * Without barriers, a packet that leaves from row t on can be sent on (flits + latency) /
 * row_cycles rows later: the postal model with lambda = 1 + latency / flits. */
struct run {
    uint32_t rows;        /* 0 … capacity */
    uint32_t flits;       /* of a packet, 1 … capacity */
    uint32_t row_cycles;  /* 1 … MACHINE_MAX_ROW_CYCLES */
    uint32_t single_port; /* routers: 1 if a router sends at most one packet per row, else 0 */

    /* Machines with a setting period have these; they are 0 in others. */
    uint32_t period;  /* setting phases, 1 … capacity */
    uint32_t first;   /* that of row 0, below period */
    uint32_t packets; /* computed: of the schedule; higher numbers become the last one */

    uint32_t reconfigure; /* reconfig: cycles that a change of settings takes; else 0 */
};

/* The address map.
 *
 *     address of a 32-bit word
 *     31      all nodes: a write goes to the memory of every node, a read shows every node's word
 *             on the observation port
 *     30..28  region
 *             0  register [3:0]
 *             1  table, multistage {stage, row, column}  fields of multistage.h; no bits of one
 *                                                        column
 *                   its index  {stages, phase, 0}    a row of the tables, or a tag (expand.h)
 *                   of masks   {stage, row, 0}       the stage's mask (expand.h)
 *                   held       {stages, phase, 0}     {rows - 1, a row of the tables, or a tag}
 *                   routers    {router, row, column} {valid, source[14:0], address[15:0]}
 *             2  send program      {node, row}         {valid, packet}
 *                   computed       {node, phase}      {valid, offset}
 *             3  receive program   {node, row}         {valid, more, packet}
 *                   computed       {node, phase}      {valid, offset}
 *             4  packet memory     {node, packet, flit} {held, word}
 *             5  flags             {node}              {missing, unexpected, not held}, read only
 *             6  router flags      {router}            {overflow, twice, not held}, read only
 *
 * Bit 31 of a word is its valid or held bit. Bit 30 of a receive program's word is set if the
 * packet continues in the next row, which occurs only in a run without barriers. Fields are as wide
 * as the capacities require, the last one in the lowest bits. Packet p of a schedule is in slot p-1
 * of the packet memory. A region, node, unit or column that a machine does not have reads as 0.
 *
 * Nodes of a self-timed hypercube have no programs: row i of a send program is the i-th packet that
 * starts at the node, and all endpoints of the node have the same list. A word that is not valid
 * empties the list; a valid word in row i makes it i + 1 long. No node knows the number of packets
 * before the run, so control packets, which the nodes make, are at the end of the packet memory,
 * the first of them in the last slot. */
enum machine_region {
    MACHINE_REGISTER,
    MACHINE_TABLE,
    MACHINE_SEND,
    MACHINE_RECEIVE,
    MACHINE_PACKET,
    MACHINE_FLAGS,
    MACHINE_ROUTER_FLAGS
};

enum machine_register {
    MACHINE_ID = 0,
    MACHINE_PORTS = 1,
    MACHINE_WIDTH = 2,
    MACHINE_PACKETS = 3,
    MACHINE_FLITS = 4,
    MACHINE_ROWS = 5,
    MACHINE_LATENCY = 6,
    MACHINE_ROUTERS = 7, /* 0 in a multistage machine */
    MACHINE_RUN_ROWS = 8,
    MACHINE_RUN_FLITS = 9,
    MACHINE_RUN_ROW_CYCLES = 10,
    MACHINE_STATUS = 11,          /* {done, active} */
    MACHINE_RUN_SINGLE_PORT = 12, /* routers */
    MACHINE_RUN_RECONFIGURE = 12, /* held */
    /* routers: one past the last row of the run in which a packet moved; read only */
    MACHINE_STEPS = 13,
    MACHINE_RUN_PERIOD = 14, /* {first[15:0], period[15:0]} */
    MACHINE_RUN_PACKETS = 15
};

#define MACHINE_ID_WORD UINT32_C(0x526e6401) /* "Rnd", version 1 */
#define MACHINE_ALL_NODES UINT32_C(0x80000000)
#define MACHINE_VALID UINT32_C(0x80000000)
#define MACHINE_MORE UINT32_C(0x40000000)
#define MACHINE_MAX_PERIOD UINT32_C(65535)

/* Flags of an endpoint, in a flags word; shifted by MACHINE_OBS_FLAGS in an observation. */
#define MACHINE_NOT_HELD 1u
#define MACHINE_UNEXPECTED 2u
#define MACHINE_MISSING 4u

/* Flags of a router. */
#define MACHINE_ROUTER_NOT_HELD 1u /* it sends from a place that has received no packet */
#define MACHINE_ROUTER_TWICE 2u    /* it sends more than one packet in a row of a single-port run */
/* self-timed: a packet arrived at a full queue, or overwrote one that is still needed */
#define MACHINE_ROUTER_OVERFLOW 4u

/* An observation: {valid, missing, unexpected, not held, packet[27:0]}. */
#define MACHINE_OBS_FLAGS 28
#define MACHINE_OBS_PACKET UINT32_C(0x0fffffff)

static inline uint32_t machine_observed_flags(uint32_t observed)
{
    return observed >> MACHINE_OBS_FLAGS & 7;
}

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

/* Reports whether the machine is made of routers, whose hops are rows. */
static inline bool machine_hops(const struct machine *machine)
{
    return machine_row(machine)->hops;
}

/* Number of header flits of a packet: 2 in a tree, 1 in a hypercube, 0 on other machines. */
static inline uint32_t machine_header_flits(const struct machine *machine)
{
    return machine_row(machine)->header_flits;
}

/* Reports whether its routers find paths by themselves, without tables. */
static inline bool machine_is_self_timed(const struct machine *machine)
{
    return machine_header_flits(machine) > 0;
}

/* Reports whether the nodes make the control packets and detect the end of the run; its rows are
 * then a limit. */
static inline bool machine_is_autonomous(const struct machine *machine)
{
    return machine_row(machine)->autonomous;
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

/* Reports whether the setting index selects rows of the tables. */
static inline bool machine_is_indexed(const struct machine *machine)
{
    return machine_has_setting_index(machine) && !machine_has_tags(machine);
}

/* Bits of the offset of a computed program's entry, two's complement, and of the base that is added
 * to it: enough for one period beyond the packets. */
static inline unsigned machine_offset_bits(const struct machine *machine)
{
    return MAX(machine->log2_packets, machine->log2_period) + 2;
}

/* Returns the word {valid, offset} of a computed program. */
static inline uint32_t machine_offset_word(const struct machine *machine, int32_t offset)
{
    return MACHINE_VALID | ((uint32_t)offset & ((UINT32_C(1) << machine_offset_bits(machine)) - 1));
}

/* Returns the word {valid, packet} of a stored program that corresponds to a computed entry when
 * `base` = number of the period · period is added. A packet before the first is none, and a packet
 * after the last of `packets` is the last. For any three values the packet is one of the memory,
 * because its number has no more bits (rtl/shell/rc_periodic_packet.sv). Precondition: base has
 * machine_offset_bits. */
static inline uint32_t machine_computed(const struct machine *machine, uint32_t entry,
                                        uint32_t base, uint32_t packets)
{
    unsigned unused = 32 - machine_offset_bits(machine);
    int32_t sum = ((int32_t)(entry << unused) >> unused) + (int32_t)base;
    if (!(entry & MACHINE_VALID) || sum < 0)
        return 0;
    uint32_t packet = (uint32_t)sum < packets ? (uint32_t)sum : packets - 1;
    return MACHINE_VALID | (packet & ((UINT32_C(1) << machine->log2_packets) - 1));
}

/* Number of bits of a node's number. */
static inline unsigned machine_node_bits(const struct machine *machine)
{
    uint32_t ports = machine_ports(machine);
    return ports < 3 ? 1 : bits_log2_up(ports);
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

/* Returns L, the cycles between a flit's departure from an endpoint and its arrival at another; in
 * machines of routers, at the next node. */
static inline unsigned machine_latency(const struct machine *machine)
{
    if (machine_hops(machine))
        return machine->pad;
    return (machine->pipe ? machine_stages(machine) / machine->pipe : 0) + machine->pad;
}

/* Number of cycles that routers without tables need to choose what they send in the next row, in
 * addition to those in which packets of `flits` flits arrive; 0 in other machines. O(h). */
unsigned machine_control_cycles(const struct machine *machine, uint32_t flits);

/* Minimum number of cycles of a row with barriers. A hop between routers is a row: store and
 * forward. O(h). */
static inline uint32_t machine_row_cycles(const struct machine *machine, uint32_t flits)
{
    uint32_t cycles = flits + machine_latency(machine) + machine_control_cycles(machine, flits);
    return machine->reconfigures && cycles < MACHINE_RECONFIG_CYCLES ? MACHINE_RECONFIG_CYCLES
                                                                     : cycles;
}

/* Reports whether a run has no barriers. Precondition: machine_check_run. */
static inline bool machine_streams(const struct machine *machine, const struct run *run)
{
    return run->row_cycles < run->flits + machine_latency(machine);
}

/* Number of rows that a packet takes. */
static inline uint32_t machine_packet_rows(const struct run *run)
{
    return run->row_cycles < run->flits ? run->flits / run->row_cycles : 1;
}

/* Returns λ = 1 + L/F of the postal model that a run without barriers implements with packets of
 * `flits` flits. */
static inline struct rational machine_lambda(const struct machine *machine, uint32_t flits)
{
    return rational_make(flits + machine_latency(machine), flits);
}

/* Returns the cycle in which the first flit of row `row` leaves, counted from the cycle in which
 * that of row 0 would leave if no setting took time. `setting_changes` is the number of settings
 * changed to, including the first and the row's own; 0 on a machine that holds none. Only this
 * function converts rows to cycles. */
static inline uint64_t machine_row_begin(const struct run *run, uint64_t row,
                                         uint64_t setting_changes)
{
    return row * run->row_cycles + setting_changes * run->reconfigure;
}

/* Returns the cycle at whose end a packet that leaves from that row on is complete. */
static inline uint64_t machine_arrival_cycle(const struct machine *machine, const struct run *run,
                                             uint64_t row, uint64_t setting_changes)
{
    return machine_row_begin(run, row, setting_changes) + run->flits - 1 + machine_latency(machine);
}

/* Checks that the stages of its network can compute its settings. E401. */
bool machine_check_settings(const struct machine *machine, struct err *err);

/* Checks that a machine that holds settings can. E401. */
bool machine_check_reconfig(const struct machine *machine, struct err *err);

/* Checks that the address map can hold the machine. Errors: E401 with the parameter. */
bool machine_check(const struct machine *machine, struct err *err);

/* Checks that the run fits the machine and is of one of the two kinds. `name` is the image in the
 * message. E205. */
bool machine_check_run(const struct machine *machine, const struct run *run, const char *name,
                       struct err *err);

/* Finds the word of register `which` in a run. Returns false if runs of this machine do not use
 * it. */
bool machine_run_word(const struct machine *machine, const struct run *run, uint32_t which,
                      uint32_t *word);

/* Reports whether the machine is wired as the topology. A complete graph requires a multistage
 * network; a tree or a hypercube requires routers of exactly its shape. */
bool machine_has_topology(const struct machine *machine, const struct topology *topology);

/* Reports whether a word can be written at the address. */
bool machine_has_address(const struct machine *machine, uint32_t address);

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"

#endif
