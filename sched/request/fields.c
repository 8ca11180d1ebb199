/* SPDX-License-Identifier: Apache-2.0 */
/* fields: the table of all fields of a request, and the readers of texts that have no plain
 * type. */
#include "sched/base/text.h"
#include "sched/decompose/planes.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/request/request.h"
#include "sched/schedule/schedule.h"
#include "sched/traffic/traffic_make.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_CLOCK 100000 /* in MHz */

/* --- names of values ------------------------------------------------------------------------ */

static const char *model_choice(unsigned which)
{
    return which < MODEL_COUNT ? model_name((enum model)which) : NULL;
}

/* Returns the name of a collective that can be requested by name, without sources or a matrix. */
static const char *collective_choice(unsigned which)
{
    unsigned kind = 0;
    for (;; kind++) {
        if (kind == COLLECTIVE_KINDS)
            return NULL;
        const struct collective_row *row = &collective_rows[kind];
        if (!row->listed && !row->weighed && which-- == 0)
            return row->name;
    }
}

static const char *pattern_choice(unsigned which)
{
    return traffic_patterns[which].syntax;
}

static const char *network_choice(unsigned which)
{
    static _Thread_local struct network_form form;
    return machine_network_form(which, &form) ? form.written : NULL;
}

static const char *settings_choice(unsigned which)
{
    return which < MACHINE_SETTINGS_KINDS ? machine_settings_rows[which].text : NULL;
}

static const char *name_of(const char *const names[], unsigned count, unsigned which)
{
    return which < count ? names[which] : NULL;
}

static const char *programs_choice(unsigned which)
{
    static const char *const names[] = {"stored", "computed", "ranges"};
    return name_of(names, 3, which);
}

static const char *ports_choice(unsigned which)
{
    static const char *const names[] = {"single", "multi"};
    return name_of(names, 2, which);
}

static const char *capacity_choice(unsigned which)
{
    static const char *const names[] = {"const", "exp"};
    return name_of(names, 2, which);
}

static const char *prefix_choice(unsigned which)
{
    static const char *const names[] = {"tree", "exchange"};
    return name_of(names, 2, which);
}

static const char *overlap_choice(unsigned which)
{
    static const char *const names[] = {"gather", "spread", "detect"};
    return name_of(names, 3, which);
}

const char *run_engine_name(unsigned engine)
{
    static const char *const names[RUN_ENGINES] = {
        [RUN_CSIM] = "csim", [RUN_RTL] = "rtl", [RUN_NETLIST] = "netlist", [RUN_BOTH] = "both"};
    return name_of(names, RUN_ENGINES, engine);
}

/* --- readers -------------------------------------------------------------------------------- */

/* Rejects an unknown name of a model or a collective, with E103 instead of E101. */
static bool reject_name(const char *field, const char *text, const char *(*choice)(unsigned which),
                        struct err *err)
{
    struct err unknown = {0};
    unsigned which;
    field_choose(field, text, choice, &which, &unknown);
    if (err != NULL)
        *err = unknown;
    if (err != NULL)
        err->code = ERR_ALGORITHM;
    return false;
}

static bool set_model(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    return model_parse(text, &request->problem.model) ||
           reject_name("model", text, model_choice, err);
}

static bool set_collective(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    enum collective_kind kind;
    if (!collective_parse(text, &kind) || collective_rows[kind].listed ||
        collective_rows[kind].weighed)
        return reject_name("collective", text, collective_choice, err);
    request->problem.collective = kind;
    return true;
}

/* Reads P/Q, P or a decimal number such as 2.5. */
static bool read_lambda(const char *text, struct rational *lambda)
{
    unsigned whole, part;
    int before = 0, point = 0, end = 0;
    if (rational_parse(text, lambda))
        return true;
    if (sscanf(text, "%5u%n.%n%4u%n", &whole, &before, &point, &part, &end) != 2 ||
        text[end] != '\0' || strspn(text, "0123456789") != (size_t)before ||
        strspn(text + point, "0123456789") != strlen(text + point))
        return false;
    uint32_t scale = 1;
    for (int digit = point; digit < end; digit++)
        scale *= 10;
    *lambda = rational_make(whole * scale + part, scale);
    return lambda->numerator <= RATIONAL_MAX && lambda->denominator <= RATIONAL_MAX;
}

static bool set_lambda(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    struct rational lambda;
    if (!read_lambda(text, &lambda) || lambda.numerator < lambda.denominator)
        return err_set(
            err, ERR_RANGE,
            "{lambda}: '%.40s'; expected P/Q, P or a decimal number, at least 1, P and Q "
            "at most %d",
            text, RATIONAL_MAX);
    request->problem.lambda = lambda;
    return true;
}

/* Reads a processor, or LEVEL:INDEX, a router of a tree. */
static bool set_source(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    const char *colon = strchr(text, ':');
    uint64_t level = 0, index;
    char before[8] = "";
    if (colon != NULL && (size_t)(colon - text) < sizeof before) {
        memcpy(before, text, (size_t)(colon - text));
        if (!field_number("source", before, 1, TOPOLOGY_MAX_HEIGHT, &level, err))
            return false;
    }
    if (!field_number("source", level > 0 ? colon + 1 : text, 0, SCHEDULE_MAX_NODES - 1, &index,
                      err))
        return false;
    request->problem.source = (uint32_t)index;
    request->problem.source_level = (unsigned)level;
    return true;
}

/* Reads a number of ports, or the name of a model of trees and hypercubes. */
static bool set_ports(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    uint64_t ports;
    unsigned which;
    if (text[0] >= '0' && text[0] <= '9') {
        if (!field_number("ports", text, 1, SCHEDULE_MAX_PORTS, &ports, err))
            return false;
        request->problem.ports = (uint32_t)ports;
        return true;
    }
    if (!field_choose("ports", text, ports_choice, &which, err))
        return false;
    request->problem.model = which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
    request_mark(request, problem.model);
    return true;
}

static bool set_network(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    request->machine.has_latency = strchr(text, ',') != NULL;
    return machine_parse_network(text, &request->machine.machine, err);
}

static bool set_programs(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    unsigned which;
    if (!field_choose("programs", text, programs_choice, &which, err))
        return false;
    request->machine.machine.computed = which == 1;
    request->machine.machine.ranges = which == 2;
    return true;
}

/* Reads the optional `,depth=D`, the buffer depth of all routers. */
static bool read_depth(const char *text, struct machine *machine)
{
    unsigned depth;
    int end = 0;
    if (*text == '\0')
        return true;
    if (sscanf(text, ",depth=%9u%n", &depth, &end) != 1 || text[end] != '\0' || depth < 1 ||
        depth > MACHINE_MAX_DEPTH)
        return false;
    for (unsigned level = 1; level <= TOPOLOGY_MAX_HEIGHT; level++)
        machine->depth[level] = depth;
    return true;
}

static bool set_memory(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    struct machine *machine = &request->machine.machine;
    unsigned packets, flits, rows;
    int end = 0;
    int fields = sscanf(text, "packets=%9u,flits=%9u,rows=%9u%n", &packets, &flits, &rows, &end);
    if (fields == 3 && read_depth(text + end, machine)) {
        machine->log2_packets = machine_log2(packets);
        machine->log2_flits = machine_log2(flits);
        machine->log2_rows = machine_log2(rows);
        if (machine->log2_packets && machine->log2_flits && machine->log2_rows)
            return true;
    }
    return err_set(err, ERR_OPTION,
                   "{memory}: '%.60s'; expected packets=K,flits=F,rows=R[,depth=D], K, F and R "
                   "powers of two from 2, D 1 … %" PRIu32,
                   text, MACHINE_MAX_DEPTH);
}

static bool set_waves(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    size_t length = strlen(text);
    request->run.waves = text;
    return (length > 4 && strcmp(text + length - 4, ".fst") == 0) ||
           err_set(err, ERR_OPTION, "{waves}: '%.200s'; expected a name that ends in .fst", text);
}

/* --- the table ------------------------------------------------------------------------------ */

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
     FIELD_CHOICE, AT(problem.collective), .choice = collective_choice, .set = set_collective,
     .commands = PLANS | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"source", 's', "NODE",
     "send from this node or router L:I of a tree, or gather there (default: 0)", FIELD_PROBLEM,
     FIELD_NUMBER, AT(problem.source), RANGE(0, SCHEDULE_MAX_NODES - 1), .set = set_source,
     .commands = PROBLEMS},
    {"degree", 'd', "D", "set the degree of the algorithm's trees (default: the best one)",
     FIELD_PROBLEM, FIELD_NUMBER, AT(problem.degree), RANGE(1, SCHEDULE_MAX_NODES),
     .commands = PROBLEMS},
    {"method", 0, "NAME", "choose a method that 'roundcast list' names (default: the first)",
     FIELD_PROBLEM, FIELD_TEXT, AT(problem.method), .commands = BUILDS, .rejected = PLANS},
    {"by", 0, "ALGORITHM", "reverse this algorithm in a reduction (default: the best one)",
     FIELD_PROBLEM, FIELD_TEXT, AT(problem.by), .commands = FIELD_FOR_SCHEDULE, .rejected = PLANS},
    {"order", 0, NULL, "combine all packets in the same order, however many packets there are",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.order), .commands = FIELD_FOR_SCHEDULE | FIELD_FOR_PLAN},
    {"matrix", 0, "FILE",
     "read traffic; row i, column j: packets from node i to j; may be .gz or -", FIELD_PROBLEM,
     FIELD_FILE, AT(problem.matrix), .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"entries", 0, "FILE", "read traffic; each line: source, destination, packets; may be .gz or -",
     FIELD_PROBLEM, FIELD_FILE, AT(problem.entries), .commands = PROBLEMS | FIELD_FOR_TUNE},
    {"pattern", 0, "NAME:K", "generate traffic between the N processors: {choices}", FIELD_PROBLEM,
     FIELD_TEXT, AT(problem.pattern), .choice = pattern_choice,
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
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.stream), .commands = SCHEDULES,
     .rejected = FIELD_FOR_RUN},
    {"sources", 0, "V1,V2,…",
     "start packets at these nodes; adversary: at nodes that delay broadcasts", FIELD_PROBLEM,
     FIELD_TEXT, AT(problem.sources), .commands = PROBLEMS},
    {"random", 0, "K", "start a packet at each of K random nodes of the hypercube", FIELD_PROBLEM,
     FIELD_NUMBER, AT(problem.random), RANGE(0, TOPOLOGY_MAX_NODES), .commands = PROBLEMS},
    {"prefix", 0, "HOW", "compute ranks by {choices} (default: tree for cube-broadcast)",
     FIELD_PROBLEM, FIELD_CHOICE, AT(problem.prefix), .choice = prefix_choice, .commands = BUILDS,
     .rejected = PLANS},
    {"overlap", 0, "PHASE", "overlap the phases of cube-broadcast by {choices}", FIELD_PROBLEM,
     FIELD_CHOICE, AT(problem.overlap), .choice = overlap_choice, .commands = BUILDS,
     .rejected = PLANS},
    {"randomised", 0, NULL, "draw the trees of cube-broadcast instead of ranking its packets",
     FIELD_PROBLEM, FIELD_FLAG, AT(problem.randomised), .commands = BUILDS, .rejected = PLANS},
    {"seed", 0, "S", "use this seed for all random choices (default: 1)", FIELD_PROBLEM,
     FIELD_NUMBER64, AT(problem.seed), RANGE(0, UINT64_MAX),
     .commands = PROBLEMS | FIELD_FOR_ROUTE | FIELD_FOR_TUNE},

    {"model", 0, "MODEL", "schedule in this model: {choices}", FIELD_TOPOLOGY, FIELD_CHOICE,
     AT(problem.model), .choice = model_choice, .set = set_model,
     .commands = PROBLEMS | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"lambda", 0, "P/Q", "set λ of the postal model, at least 1, such as 5/2 or 2.5",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.lambda), .set = set_lambda,
     .commands = PROBLEMS | FIELD_FOR_PLOT},
    {"tree", 0, "K1,…,KH", "use the leaves of a tree with K1 … KH children at levels 1 … H",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.tree), .commands = PROBLEMS | FIELD_FOR_PLOT},
    {"parents", 0, "P0,P1,…", "use the leaves of any tree, node I having parent PI; leaves first",
     FIELD_TOPOLOGY, FIELD_TEXT, AT(problem.parents), .commands = SCHEDULES,
     .rejected = FIELD_FOR_RUN},
    {"capacity", 0, "C1,…,CH",
     "set the links per branch of the tree, const or exp (default: const)", FIELD_TOPOLOGY,
     FIELD_TEXT, AT(problem.capacity), .choice = capacity_choice,
     .commands = PROBLEMS | FIELD_FOR_PLOT},
    {"half-duplex", 0, NULL, "let a link of the tree carry packets in one direction at a time",
     FIELD_TOPOLOGY, FIELD_FLAG, AT(problem.half_duplex), .commands = PROBLEMS},
    {"dim", 0, "D", "use a hypercube of 2^D processors", FIELD_TOPOLOGY, FIELD_NUMBER,
     AT(problem.dim), RANGE(1, TOPOLOGY_MAX_DIMENSIONS), .commands = PROBLEMS},
    {"torus", 0, "K1,…,KN", "use a torus of K1 × … × KN processors", FIELD_TOPOLOGY, FIELD_TEXT,
     AT(problem.torus), .commands = SCHEDULES, .rejected = FIELD_FOR_RUN},
    {"ports", 0, "PORTS", "use the model of single or multi ports, or this many (default: 1)",
     FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.ports), .choice = ports_choice, .set = set_ports,
     .commands = FIELD_FOR_RUN},
    {"ports", 0, "K", "give each node K ports, an endpoint each (default: 1)", FIELD_TOPOLOGY,
     FIELD_NUMBER, AT(problem.ports), RANGE(1, SCHEDULE_MAX_PORTS), .commands = FIELD_FOR_TUNE},
    {"ports", 0, "PORTS",
     "use a single-port or multiport model (single, multi); on a complete graph, send and "
     "receive this many packets at a time (default: 1)",
     FIELD_TOPOLOGY, FIELD_CHOICE, AT(problem.ports), .choice = ports_choice, .set = set_ports,
     .commands = SCHEDULES},

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
     "route on {choices}; ,pipe=P: "
     "register every P stages, ,pad=D: D more (default: the smallest Beneš that fits)",
     FIELD_MACHINE, FIELD_TEXT, AT(machine.machine.network), .choice = network_choice,
     .set = set_network, .commands = ROUTES | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"network", 0, "NETWORK",
     "with {reconfigure}: count the cycles of this network (default: as in run)", FIELD_MACHINE,
     FIELD_TEXT, AT(machine.machine.network), .choice = network_choice, .set = set_network,
     .commands = SCHEDULES},
    {"settings", 0, "HOW", "store settings as {choices} (default: full)", FIELD_MACHINE,
     FIELD_CHOICE, AT(machine.machine.settings), .choice = settings_choice, .commands = ROUTES},
    {"programs", 0, "HOW", "make endpoint programs {choices} (default: stored)", FIELD_MACHINE,
     FIELD_CHOICE, AT(machine.machine.computed), .choice = programs_choice, .set = set_programs,
     .commands = ROUTES},
    {"combine", 0, "OPERATOR", "reduce by {choices} (default: sum)", FIELD_MACHINE, FIELD_CHOICE,
     AT(machine.operation), .choice = machine_operator_name, .commands = ROUTES},
    {"split", 0, NULL, "split rounds that an omega network blocks", FIELD_MACHINE, FIELD_FLAG,
     AT(machine.split), .commands = ROUTES},
    {"width", 0, "W", "set the bits of a flit, 1 … 31 (default: 16)", FIELD_MACHINE, FIELD_NUMBER,
     AT(machine.machine.width), RANGE(1, MACHINE_MAX_WIDTH),
     .commands = ROUTES | FIELD_FOR_TUNE | FIELD_FOR_PLOT},
    {"flits", 0, "F", "set the flits of a packet (default: as the payload needs, or 4)",
     FIELD_MACHINE, FIELD_NUMBER, AT(machine.flits), RANGE(1, MACHINE_MAX_ROW_CYCLES),
     .commands = ROUTES},
    {"flits", 0, "F", "with {reconfigure}: set the flits of a packet (default: 4)", FIELD_MACHINE,
     FIELD_NUMBER, AT(machine.flits), RANGE(1, MACHINE_MAX_ROW_CYCLES), .commands = SCHEDULES},
    {"memory", 0, "SIZES", "set memories: packets=K,flits=F,rows=R[,depth=D] (default: as needed)",
     FIELD_MACHINE, FIELD_TEXT, AT(machine.machine.log2_packets), .set = set_memory,
     .commands = ROUTES},

    {"engine", 0, "ENGINE", "simulate on {choices}: csim and rtl (default: both)", FIELD_RUN,
     FIELD_CHOICE, AT(run.engine), .choice = run_engine_name, .commands = RUNS},
    {"payload", 0, "FILE", "send the bytes of this file (default: pseudo-random bytes)", FIELD_RUN,
     FIELD_FILE, AT(run.payload), .commands = ROUTES},
    {"payload", 0, "FILE", "send the bytes of this file (default: those of the folder)", FIELD_RUN,
     FIELD_FILE, AT(run.payload), .commands = FIELD_FOR_SIMULATE},
    {"waves", 0, "FILE.fst", "write a trace, and a save file for GTKWave next to it", FIELD_RUN,
     FIELD_FILE, AT(run.waves), .set = set_waves, .commands = RUNS},
    {"waves-from", 0, "ROUND", "begin the trace at this round or time (default: the first)",
     FIELD_RUN, FIELD_NUMBER, AT(run.waves_from), RANGE(1, UINT32_MAX), .commands = RUNS},
    {"waves-to", 0, "ROUND", "end the trace at this round or time (default: the last)", FIELD_RUN,
     FIELD_NUMBER, AT(run.waves_to), RANGE(1, UINT32_MAX), .commands = RUNS},
    {"view", 0, "FILE.html", "write a page that plays the run, also if a check fails", FIELD_RUN,
     FIELD_FILE, AT(run.view), .commands = RUNS},
};

const size_t request_field_count = sizeof request_fields / sizeof *request_fields;

_Static_assert(sizeof request_fields / sizeof *request_fields <= 64, "a bit for each row");
