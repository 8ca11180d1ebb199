/* SPDX-License-Identifier: Apache-2.0 */
/* fields: the table of all fields of a request. */
#include "sched/decompose/decompose.h"
#include "sched/machine/machine_run.h"
#include "sched/request/field.h"
#include "sched/request/request.h"
#include "sched/schedule/schedule.h"

#define MAX_CLOCK 100000 /* in MHz */

#define AT(member) .offset = offsetof(struct request, member)
#define RANGE(low, high) .minimum = (low), .maximum = (high)
#define PLANS (FIELD_FOR_PLAN | FIELD_FOR_BOUND)
#define SCHEDULES (FIELD_FOR_SCHEDULE | PLANS)
#define PROBLEMS (SCHEDULES | FIELD_FOR_RUN)
#define ROUTES (FIELD_FOR_ROUTE | FIELD_FOR_RUN)
#define RUNS (FIELD_FOR_SIMULATE | FIELD_FOR_RUN)
#define BUILDS (FIELD_FOR_SCHEDULE | FIELD_FOR_RUN)

const struct field request_fields[] = {
    {"nodes", 'n', "N", "use N processors", FIELD_PROBLEM, FIELD_NUMBER, AT(problem.nodes),
     RANGE(1, SCHEDULE_MAX_NODES), .commands = PROBLEMS},
    {"nodes", 'n', "N", "use N processors, 2 or more", FIELD_PROBLEM, FIELD_NUMBER,
     AT(problem.nodes), RANGE(2, SCHEDULE_MAX_NODES), .commands = FIELD_FOR_TUNE},
    {"packets", 'm', "M", "send M packets (broadcast: in all; others: for each source or pair)",
     FIELD_PROBLEM, FIELD_NUMBER, AT(problem.packets), RANGE(1, SCHEDULE_MAX_PACKETS),
     .commands = PROBLEMS},
    {"collective", 0, "NAME",
     "choose the collective on a complete graph: {choices} (default: broadcast)", FIELD_PROBLEM,
     FIELD_CHOICE, AT(problem.collective), .choice = field_collective_choice,
     .set = field_set_collective, .commands = PLANS | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"source", 's', "NODE",
     "send from this node or router L:I of a tree, or gather there (default: 0)", FIELD_PROBLEM,
     FIELD_NUMBER, AT(problem.source), RANGE(0, SCHEDULE_MAX_NODES - 1), .set = field_set_source,
     .commands = PROBLEMS},
    {"degree", 'd', "D", "set the degree of the algorithm's trees (default: the best one)",
     FIELD_PROBLEM, FIELD_NUMBER, AT(problem.degree), RANGE(1, SCHEDULE_MAX_NODES),
     .commands = PROBLEMS},
    {"method", 0, "NAME", "choose a method that 'roundcast list' names (default: the first)",
     FIELD_PROBLEM, FIELD_TEXT, AT(problem.method), .commands = BUILDS, .rejected = PLANS},
    {"by", 0, "ALGORITHM", "reverse this algorithm in a reduction (default: the best one)",
     FIELD_PROBLEM, FIELD_TEXT, AT(problem.by), .commands = BUILDS, .rejected = PLANS},
    {"order", 0, NULL, "combine all packets in the same order, however many packets there are",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.order), .commands = BUILDS | FIELD_FOR_PLAN},
    {"matrix", 0, "FILE",
     "read traffic; row i, column j: packets from node i to j; may be .gz or -", FIELD_PROBLEM,
     FIELD_FILE, AT(problem.matrix), .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"entries", 0, "FILE", "read traffic; each line: source, destination, packets; may be .gz or -",
     FIELD_PROBLEM, FIELD_FILE, AT(problem.entries), .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"pattern", 0, "NAME:K",
     "generate traffic: uniform, permutation, hot, zipf, blocks, moe or halo:K", FIELD_PROBLEM,
     FIELD_TEXT, AT(problem.pattern), .choice = field_pattern_choice,
     .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"packet-bytes", 0, "B", "read traffic in bytes, B to a packet, such as 512, 4K or 64Ki",
     FIELD_PROBLEM, FIELD_BYTES, AT(problem.packet_bytes), RANGE(1, UINT32_MAX),
     .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"total", 0, "P", "read traffic as shares of P packets", FIELD_PROBLEM, FIELD_NUMBER64,
     AT(problem.total), RANGE(1, UINT32_MAX), .commands = PROBLEMS, .rejected = FIELD_FOR_TUNE},
    {"demands", 0, "FILE", "read the demand lines of a schedule and ignore its rounds",
     FIELD_PROBLEM, FIELD_FILE, AT(problem.demands), .commands = PROBLEMS},
    {"exact", 0, NULL, "find the fewest rounds for small demands with a SAT solver (general)",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.exact), .commands = BUILDS, .rejected = PLANS},
    {"stream", 0, NULL, "broadcast packets whose number the nodes do not know in advance",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.stream), .commands = PROBLEMS},
    {"sources", 0, "V1,V2,…",
     "start packets at these nodes; adversary: at nodes that delay broadcasts", FIELD_PROBLEM,
     FIELD_TEXT, AT(problem.sources), .commands = PROBLEMS},
    {"random", 0, "K", "start a packet at each of K random nodes of the hypercube", FIELD_PROBLEM,
     FIELD_NUMBER, AT(problem.random), RANGE(0, TOPOLOGY_MAX_NODES), .commands = PROBLEMS},
    {"prefix", 0, "HOW", "compute ranks by {choices} (default: tree for cube-broadcast)",
     FIELD_PROBLEM, FIELD_CHOICE, AT(problem.prefix), .choice = field_prefix_choice,
     .commands = BUILDS, .rejected = PLANS},
    {"overlap", 0, "PHASE", "overlap the phases of cube-broadcast by {choices}", FIELD_PROBLEM,
     FIELD_CHOICE, AT(problem.overlap), .choice = field_overlap_choice, .commands = BUILDS,
     .rejected = PLANS},
    {"randomised", 0, NULL, "draw the trees of cube-broadcast instead of ranking its packets",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.randomised), .commands = BUILDS, .rejected = PLANS},
    {"seed", 0, "S", "use this seed for all random choices (default: 1)", FIELD_PROBLEM,
     FIELD_NUMBER64, AT(problem.seed), RANGE(0, UINT64_MAX),
     .commands = PROBLEMS | FIELD_FOR_ROUTE | FIELD_FOR_TUNE},

    {"model", 0, "MODEL", "schedule in a model that 'roundcast list' names (default: the first)",
     FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.model), .choice = field_model_choice,
     .set = field_set_model, .commands = PROBLEMS | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"model", 0, "MODEL",
     "use the rules of this model (default: send-receive, or the model of the topology)",
     FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.model), .choice = field_model_choice,
     .set = field_set_model, .commands = FIELD_FOR_READING},
    {"lambda", 0, "P/Q", "set λ of the postal model, at least 1, such as 5/2 or 2.5",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.lambda), .set = field_set_lambda,
     .commands = PROBLEMS | FIELD_FOR_PLOT | FIELD_FOR_READING},
    {"tree", 0, "K1,…,KH", "use the leaves of a tree with K1 … KH children at levels 1 … H",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.tree),
     .commands = PROBLEMS | FIELD_FOR_PLOT | FIELD_FOR_READING},
    {"parents", 0, "P0,P1,…", "use the leaves of any tree, node I having parent PI; leaves first",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.parents), .commands = SCHEDULES | FIELD_FOR_READING,
     .rejected = FIELD_FOR_RUN},
    {"capacity", 0, "C1,…,CH",
     "set the links per branch of the tree, const or exp (default: const)", FIELD_TOPOLOGY,
     FIELD_TEXT, AT(problem.capacity), .choice = field_capacity_choice,
     .commands = PROBLEMS | FIELD_FOR_PLOT | FIELD_FOR_READING},
    {"half-duplex", 0, NULL, "let a link of the tree carry packets in one direction at a time",
     FIELD_TOPOLOGY, FIELD_FLAG, AT(problem.half_duplex), .commands = PROBLEMS | FIELD_FOR_READING},
    {"dim", 0, "D", "use a hypercube of 2^D processors", FIELD_TOPOLOGY, FIELD_NUMBER,
     AT(problem.dim), RANGE(1, TOPOLOGY_MAX_DIMENSIONS),
     .commands = PROBLEMS | FIELD_FOR_READING | FIELD_FOR_TUNE},
#define DIRECT_FIELD(enumerator, name, argument, help, ...) \
    {#name,                                                 \
     0,                                                     \
     argument,                                              \
     help,                                                  \
     FIELD_TOPOLOGY,                                        \
     FIELD_TEXT,                                            \
     AT(problem.direct[TOPOLOGY_##enumerator]),             \
     .commands = SCHEDULES | FIELD_FOR_READING,             \
     .rejected = FIELD_FOR_RUN},
    TOPOLOGY_DIRECT_TABLE(DIRECT_FIELD, )
#undef DIRECT_FIELD
        {"ports", 0, "PORTS", "use the model of single or multi ports, or this many (default: 1)",
         FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.ports), .choice = field_ports_choice,
         .set = field_set_ports, .commands = FIELD_FOR_RUN},
    {"ports", 0, "K", "give each node K ports, an endpoint each (default: 1)", FIELD_TOPOLOGY,
     FIELD_NUMBER, AT(problem.ports), RANGE(1, SCHEDULE_MAX_PORTS), .commands = FIELD_FOR_TUNE},
    {"ports", 0, "PORTS",
     "use a single-port or multiport model (single, multi); on a complete graph, send and "
     "receive this many packets at a time (default: 1)",
     FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.ports), .choice = field_ports_choice,
     .set = field_set_ports, .commands = SCHEDULES | FIELD_FOR_READING},

    {"reconfigure", 0, "D",
     "make a change of settings take D cycles, or a time (20us) with {clock}", FIELD_MACHINE,
     FIELD_TEXT, AT(problem.reconfigure), .commands = PROBLEMS | FIELD_FOR_ROUTE | FIELD_FOR_TUNE},
    {"clock", 0, "MHZ", "set the clock that turns {reconfigure} in ms, us or ns into cycles",
     FIELD_MACHINE, FIELD_NUMBER64, AT(problem.clock), RANGE(1, MAX_CLOCK),
     .commands = PROBLEMS | FIELD_FOR_ROUTE | FIELD_FOR_TUNE},
    {"round-cycles", 0, "C", "with {reconfigure}: set the cycles of a round (default: as in run)",
     FIELD_MACHINE, FIELD_NUMBER, AT(problem.round_cycles), RANGE(1, MACHINE_MAX_ROW_CYCLES),
     .commands = SCHEDULES},
    {"planes", 0, "S", "with {reconfigure}: use S networks side by side (default: 1)",
     FIELD_MACHINE, FIELD_NUMBER, AT(problem.planes), RANGE(1, PLANES_MAX),
     .commands = FIELD_FOR_PLAN},
    {"network", 0, "NETWORK",
     "route on a network of 'roundcast list', such as omega:8 (default: Beneš)", FIELD_MACHINE,
     FIELD_TEXT, AT(machine.machine.network), .choice = field_network_choice,
     .set = field_set_network, .commands = ROUTES | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"network", 0, "NETWORK",
     "with {reconfigure}: count the cycles of this network (default: as in run)", FIELD_MACHINE,
     FIELD_TEXT, AT(machine.machine.network), .choice = field_network_choice,
     .set = field_set_network, .commands = SCHEDULES},
    {"settings", 0, "HOW", "store settings as {choices} (default: full)", FIELD_MACHINE,
     FIELD_CHOICE, AT(machine.machine.settings), .choice = field_settings_choice,
     .commands = ROUTES},
    {"programs", 0, "HOW", "make endpoint programs {choices} (default: stored)", FIELD_MACHINE,
     FIELD_CHOICE, AT(machine.machine.computed), .choice = field_programs_choice,
     .set = field_set_programs, .commands = ROUTES},
    {"combine", 0, "OPERATOR", "reduce by {choices} (default: sum)", FIELD_MACHINE, FIELD_CHOICE,
     AT(machine.operation), .choice = machine_operator_name, .commands = ROUTES},
    {"operators", 0, "LIST",
     "build only these, such as max,or; the first is the default (default: all)", FIELD_MACHINE,
     FIELD_TEXT, AT(machine.machine.operators), .set = field_set_operators, .commands = ROUTES},
    {"split", 0, NULL, "split rounds that an omega network blocks", FIELD_MACHINE, FIELD_FLAG,
     AT(machine.split), .commands = ROUTES},
    {"width", 0, "W", "set the bits of a flit, 1 … 512 (default: 16)", FIELD_MACHINE, FIELD_NUMBER,
     AT(machine.machine.width), RANGE(1, MACHINE_MAX_WIDTH),
     .commands = ROUTES | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"flits", 0, "F", "set the flits of a packet (default: as the payload needs, or 4)",
     FIELD_MACHINE, FIELD_NUMBER, AT(machine.flits), RANGE(1, MACHINE_MAX_ROW_CYCLES),
     .commands = ROUTES},
    {"flits", 0, "F", "with {reconfigure}: set the flits of a packet (default: 4)", FIELD_MACHINE,
     FIELD_NUMBER, AT(machine.flits), RANGE(1, MACHINE_MAX_ROW_CYCLES), .commands = SCHEDULES},
    {"memory", 0, "SIZES", "set memories: packets=K,flits=F,rows=R[,depth=D] (default: as needed)",
     FIELD_MACHINE, FIELD_TEXT, AT(machine.machine.log2_packets), .set = field_set_memory,
     .commands = ROUTES},

    {"engine", 0, "ENGINE", "simulate on {choices} (default: both, csim and rtl)", FIELD_RUN,
     FIELD_CHOICE, AT(run.engine), .choice = run_engine_name, .commands = FIELD_FOR_RUN},
    {"engine", 0, "ENGINE", "simulate on csim, rtl, netlist or both (default: both, csim and rtl)",
     FIELD_RUN, FIELD_CHOICE, AT(run.engine), .choice = run_engine_name,
     .commands = FIELD_FOR_SIMULATE},
    {"payload", 0, "FILE", "send this file, or FILE/NODE.bin of each node (default: pseudo-random)",
     FIELD_RUN, FIELD_FILE, AT(run.payload), .commands = ROUTES},
    {"payload", 0, "FILE", "send this file, or FILE/NODE.bin of each node (default: the folder's)",
     FIELD_RUN, FIELD_FILE, AT(run.payload), .commands = FIELD_FOR_SIMULATE},
    {"stop-after", 0, "K", "stop the stream after K packets (default: send all)", FIELD_RUN,
     FIELD_NUMBER, AT(run.stop_after), RANGE(1, SCHEDULE_MAX_PACKETS), .commands = FIELD_FOR_RUN},
    {"waves", 0, "FILE.fst", "write a trace, and a save file for GTKWave next to it", FIELD_RUN,
     FIELD_FILE, AT(run.waves), .set = field_set_waves, .commands = RUNS},
    {"waves-from", 0, "ROUND", "begin the trace at this round or time (default: the first)",
     FIELD_RUN, FIELD_NUMBER, AT(run.waves_from), RANGE(1, UINT32_MAX), .commands = RUNS},
    {"waves-to", 0, "ROUND", "end the trace at this round or time (default: the last)", FIELD_RUN,
     FIELD_NUMBER, AT(run.waves_to), RANGE(1, UINT32_MAX), .commands = RUNS},
    {"view", 0, "FILE.html", "write a page that plays the run, also if a check fails", FIELD_RUN,
     FIELD_FILE, AT(run.view), .commands = RUNS},
};

const size_t request_field_count = sizeof request_fields / sizeof *request_fields;

_Static_assert(sizeof request_fields / sizeof *request_fields <= 64, "a bit for each row");
