#include "cli/options_machine.h"

#include "sched/image/header.h"
#include "sched/machine/clock.h"
#include "sched/machine/machine_network.h"
#include "sched/route/lower.h"
#include "sched/route/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FLITS 4 /* of a packet, where no payload asks for more */

enum {
    KEY_NETWORK = 0x200,
    KEY_WIDTH,
    KEY_FLITS,
    KEY_MEMORY,
    KEY_PAYLOAD,
    KEY_SEED,
    KEY_SETTINGS,
    KEY_SPLIT,
    KEY_PROGRAMS
};

/* `,depth=D` may follow: the buffers of all routers. */
static bool parse_depth(const char *text, struct machine *machine)
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

static bool parse_memory(const char *text, struct options_machine *options)
{
    unsigned packets, flits, rows;
    int end = 0;
    int fields = sscanf(text, "packets=%9u,flits=%9u,rows=%9u%n", &packets, &flits, &rows, &end);
    struct machine *machine = &options->machine;
    if (fields == 3 && parse_depth(text + end, machine)) {
        machine->log2_packets = machine_log2(packets);
        machine->log2_flits = machine_log2(flits);
        machine->log2_rows = machine_log2(rows);
    }
    options->has_memory = machine->log2_packets && machine->log2_flits && machine->log2_rows;
    if (options->has_memory)
        return true;
    return err_set(
        options->err, ERR_OPTION,
        "--memory: '%.60s'; expected packets=K,flits=F,rows=R[,depth=D], K, F and R powers of two from 2, "
        "D 1 … %" PRIu32,
        text, MACHINE_MAX_DEPTH);
}

static bool parse_settings(const char *text, struct machine *machine, struct err *err)
{
    if (machine_parse_settings(text, &machine->settings))
        return true;
    char expected[80];
    size_t used = 0;
    for (unsigned which = 0; which < MACHINE_SETTINGS_KINDS; which++)
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s",
                                 which == 0                            ? ""
                                 : which + 1 < MACHINE_SETTINGS_KINDS ? ", "
                                                                       : " or ",
                                 machine_settings_rows[which].text);
    return err_set(err, ERR_OPTION, "--settings: '%.40s'; expected %s", text, expected);
}

static bool parse_programs(const char *text, struct machine *machine, struct err *err)
{
    machine->computed = strcmp(text, "computed") == 0;
    return machine->computed || strcmp(text, "stored") == 0 ||
           err_set(err, ERR_OPTION, "--programs: '%.40s'; expected stored or computed", text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_machine *options = state->input;
    switch (key) {
    case KEY_NETWORK:
        options->has_network = true;
        options->has_latency = strchr(argument, ',') != NULL;
        return options_refuse(machine_parse_network(argument, &options->machine, options->err));
    case KEY_WIDTH:
        return options_refuse(options_number32("--width", argument, 1, MACHINE_MAX_WIDTH,
                                               &options->machine.width, options->err));
    case KEY_FLITS:
        return options_refuse(
            options_number32("--flits", argument, 1, MACHINE_MAX_ROW_CYCLES, &options->flits, options->err));
    case KEY_MEMORY:
        return options_refuse(parse_memory(argument, options));
    case KEY_SETTINGS:
        return options_refuse(parse_settings(argument, &options->machine, options->err));
    case KEY_SPLIT:
        options->split = true;
        return 0;
    case KEY_PROGRAMS:
        return options_refuse(parse_programs(argument, &options->machine, options->err));
    case KEY_PAYLOAD:
        options->payload = argument;
        return 0;
    case KEY_SEED:
        return options_refuse(
            options_number("--seed", argument, 0, UINT64_MAX, &options->seed, options->err));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option machine_options[] = {
    {"network", KEY_NETWORK, "NETWORK", 0,
     " (the smallest network that fits): pipe=P, a register every P stages (1; 0: none); pad=D, D more behind "
     "them, or in every link between routers; `roundcast list` says what each is",
     0},
    {"width", KEY_WIDTH, "W", 0, "bits of a flit, 1 … 31 (16)", 0},
    {"flits", KEY_FLITS, "F", 0, "flits of a packet (as many as the payload needs, or 4)", 0},
    {"memory", KEY_MEMORY, "packets=K,flits=F,rows=R[,depth=D]", 0,
     "what the machine's memories hold, powers of two; D packets in a router's buffers (what the schedule "
     "needs, rounded up)",
     0},
    {"settings", KEY_SETTINGS, "HOW", 0,
     "of a multistage network: full, a row of tables for each round (this unless given); indexed, each "
     "setting once; tags, "
     "computed in the stages of a Beneš network from a number a round, of cyclic shifts and complements; "
     "masks, each once, computed in the stages of benes:2^K from K bits each, of rounds that are affine in "
     "the "
     "bits of port numbers",
     0},
    {"programs", KEY_PROGRAMS, "HOW", 0,
     "of the endpoints of a multistage network: stored, an entry for each round (this unless given), or "
     "computed from "
     "⌈log2 n⌉ entries, for circulant",
     0},
    {"split", KEY_SPLIT, NULL, 0, "let rounds that an omega network blocks become several", 0},
    {"payload", KEY_PAYLOAD, "FILE", 0, "what is broadcast (pseudo-random bytes)", 0},
    {"seed", KEY_SEED, "S", 0, "of the pseudo-random bytes, and of all else that is drawn (1)", 0},
    {0},
};

/* The text of --network begins with all forms of all networks. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    struct network_form form;
    char *all = key == KEY_NETWORK ? strdup("") : NULL;
    for (unsigned k = 0; all != NULL && machine_network_form(k, &form); k++) {
        char *longer;
        if (asprintf(&longer, "%s%s%s", all, k > 0 ? ", " : "", form.written) < 0)
            longer = NULL;
        free(all);
        all = longer;
    }
    char *whole;
    if (all == NULL || asprintf(&whole, "%s%s", all, text) < 0)
        whole = (char *)text;
    free(all);
    return whole;
}

const struct argp options_machine_argp = {
    .options = machine_options, .parser = parse, .help_filter = help};

/* The most flits that a packet can have on this machine: a power of two; 0 if its routers cannot be built. */
static uint32_t max_flits(const struct options_machine *options, const struct machine *machine,
                          uint32_t packets)
{
    if (options->has_memory)
        return UINT32_C(1) << options->machine.log2_flits;
    struct machine probe = *machine;
    for (unsigned level = 1; level <= machine_levels(&probe); level++)
        probe.depth[level] = probe.queue[level] = 1;
    probe.reads = 1;
    probe.log2_settings = machine_is_indexed(&probe);
    probe.log2_period = machine_has_phases(&probe);
    probe.log2_packets = route_log2_capacity(packets);
    probe.log2_rows = 1;
    probe.log2_flits = route_log2_capacity(ROUTE_MAX_FLITS);
    while (probe.log2_flits > 1 && !machine_check(&probe, NULL))
        probe.log2_flits--;
    if (machine_hops(&probe) && !machine_check(&probe, options->err))
        return 0;
    return UINT32_C(1) << probe.log2_flits;
}

/* Read the payload, if there is one, and say how many flits its packets need; else how many are usual. */
static bool read_payload(const struct options_machine *options, const struct machine *machine,
                         uint32_t packets, uint32_t most, struct payload *payload, uint32_t *needed)
{
    uint32_t flits = options->flits ? options->flits : most, least = machine_header_flits(machine) + 1;
    *needed = options->flits ? options->flits : most < DEFAULT_FLITS ? most : DEFAULT_FLITS;
    if (options->flits > most)
        return err_set(options->err, ERR_RANGE,
                       "--flits: %" PRIu32 "; expected at most %" PRIu32 " on this machine", options->flits,
                       most);
    if (options->flits != 0 && options->flits < least)
        return err_set(options->err, ERR_RANGE,
                       "--flits: %" PRIu32 "; expected at least %" PRIu32 ", the first %" PRIu32
                       " being the header",
                       options->flits, least, machine_header_flits(machine));
    if (options->payload == NULL)
        return true;
    if (!payload_read(options->payload, (size_t)flits * machine->width / 8 * packets, payload, options->err))
        return false;
    payload->header_flits = machine_header_flits(machine);
    if (!payload_cut(payload, packets, options->flits, most, machine->width, options->err))
        return false;
    *needed = payload->flits;
    return true;
}

/* Cut what was read, or pseudo-random bytes, into packets of `flits` flits. */
static bool cut_payload(const struct options_machine *options, const struct machine *machine,
                        uint32_t packets, uint32_t flits, uint32_t most, struct payload *payload)
{
    uint32_t header = machine_header_flits(machine);
    size_t bytes = flits > header ? (size_t)(flits - header) * machine->width / 8 * packets : 0;
    if (flits > most)
        return err_set(options->err, ERR_RANGE,
                       "--lambda: it takes %" PRIu32 " flits; expected at most %" PRIu32 " on this machine",
                       flits, most);
    if (options->payload == NULL && !payload_random(options->seed, bytes ? bytes : 1, payload, options->err))
        return false;
    payload->header_flits = header;
    return payload_cut(payload, packets, flits, most, machine->width, options->err);
}

/* Flits, registers and λ of the postal model, each given or made to fit the others. */
static bool fit_lambda(const struct options_machine *options, struct rational *lambda, uint32_t needed,
                       struct machine *machine, uint32_t *flits)
{
    bool shrink = options->payload == NULL;
    *flits = needed;
    if (lambda->denominator == 0)
        *lambda = machine_lambda(machine, needed);
    else if (options->has_latency)
        return clock_flits(machine, *lambda, needed, options->flits, flits, options->err);
    else
        return clock_registers(machine, *lambda, needed, options->flits, shrink, flits, options->err);
    return true;
}

/* Does the schedule of a topology run on machines of that kind? A hypercube's does on a multistage network, too, as one of a
 * complete graph (lower.h). */
static bool runs_on(enum topology_kind topology, const struct machine_kind_row *row)
{
    return row->topology == topology || (topology == TOPOLOGY_HYPERCUBE && row->topology == TOPOLOGY_COMPLETE);
}

/* The first kind of that topology, which is taken unless another is asked for. */
static enum machine_kind usual_kind(enum topology_kind topology)
{
    unsigned kind = 0;
    while (machine_kind_rows[kind].topology != topology)
        kind++;
    return (enum machine_kind)kind;
}

/* "fat-tree or fat-tree-auto", "cube, cube-auto, or a multistage network". Returns text. */
static const char *expected_networks(enum topology_kind topology, char text[MACHINE_NETWORKS_TEXT])
{
    if (topology == TOPOLOGY_COMPLETE)
        return machine_networks_text(true, text);
    size_t used = 0;
    bool more = topology == TOPOLOGY_HYPERCUBE;
    for (unsigned kind = 0; kind < MACHINE_KINDS; kind++)
        if (machine_kind_rows[kind].topology == topology)
            used += (size_t)snprintf(text + used, MACHINE_NETWORKS_TEXT - used, "%s%s",
                                     used == 0 ? "" : more ? ", " : " or ", machine_kind_rows[kind].name);
    snprintf(text + used, MACHINE_NETWORKS_TEXT - used, "%s", more ? ", or a multistage network" : "");
    return text;
}

/* The network that was asked for, or the smallest one of the schedule's topology. */
static bool choose_network(const struct options_machine *options, const struct collective *collective,
                           struct machine *machine)
{
    enum topology_kind kind = collective->topology != NULL ? collective->topology->kind : TOPOLOGY_COMPLETE;
    char expected[MACHINE_NETWORKS_TEXT];
    if (options->has_network && !runs_on(kind, machine_row(machine)))
        return err_set(options->err, ERR_NETWORK,
                       "--network: of another topology than the schedule's; expected %s",
                       expected_networks(kind, expected));
    if (!options->has_network)
        machine->kind = usual_kind(kind);
    if (machine_hops(machine) && machine_has_phases(machine))
        return err_set(options->err, ERR_NETWORK,
                       "--settings, --programs: of routers; expected a multistage network, or neither");
    if (machine_hops(machine)) {
        machine->topology = *collective->topology;
    } else if (!options->has_network) {
        uint32_t ports = UINT32_C(1) << route_log2_capacity(collective->n);
        bool copies = model_copies(collective->model);
        machine->network = copies ? multistage_multicast(ports) : multistage_benes(ports);
        machine->pipe = 1;
    }
    return machine_check_settings(machine, options->err);
}

bool options_machine_load(const struct options_machine *options, struct collective *collective,
                          struct machine *machine, struct payload *payload)
{
    *machine = options->machine;
    *payload = (struct payload){0};
    if (!choose_network(options, collective, machine))
        return false;
    uint64_t packets = collective_packets(collective);
    if (packets > SCHEDULE_MAX_PACKETS)
        return err_set(options->err, ERR_RANGE, "%" PRIu64 " packets; expected 1 … %" PRIu32, packets,
                       SCHEDULE_MAX_PACKETS);
    uint32_t count = packets == 0 ? 1 : (uint32_t)packets;
    uint32_t most = max_flits(options, machine, count), flits;
    bool loaded = most > 0 && read_payload(options, machine, count, most, payload, &flits) &&
                  (!model_has_times(collective->model) ||
                   fit_lambda(options, &collective->lambda, flits, machine, &flits)) &&
                  cut_payload(options, machine, count, flits, most, payload);
    if (!loaded)
        payload_free(payload);
    return loaded;
}

/* For the machine that was chosen. */
static bool lower_if_needed(const struct machine *machine, struct schedule *schedule, struct err *err)
{
    if (schedule->topology.kind != TOPOLOGY_HYPERCUBE || machine_hops(machine))
        return true;
    struct schedule lowered = {0};
    if (!lower_hypercube(schedule, &lowered, err))
        return false;
    schedule_free(schedule);
    *schedule = lowered;
    return true;
}

/* For an omega network, of which that is asked. */
static bool split_if_asked(struct options_machine *options, const struct machine *machine,
                           struct schedule *schedule)
{
    if (!options->split)
        return true;
    if (!multistage_blocks(&machine->network))
        return err_set(options->err, ERR_NETWORK,
                       "--split: of a network that passes all rounds; expected omega:N");
    if (!route_check_ports(schedule->nodes, machine, options->err))
        return false;
    struct schedule split = {0};
    if (!split_schedule(schedule, &machine->network, &split, &options->splitted, options->err))
        return false;
    schedule_free(schedule);
    *schedule = split;
    return true;
}

bool options_machine_fit(struct options_machine *options, struct schedule *schedule,
                         const struct payload *payload, struct machine *machine)
{
    if (!lower_if_needed(machine, schedule, options->err) || !split_if_asked(options, machine, schedule))
        return false;
    static const struct machine common = {.log2_packets = ROUTE_MIN_LOG2_PACKETS,
                                          .log2_flits = ROUTE_MIN_LOG2_FLITS,
                                          .log2_rows = ROUTE_MIN_LOG2_ROWS};
    if (machine_hops(machine) && options->has_memory &&
        !route_fit_routers(schedule, false, machine, options->err))
        return false;
    if (machine_has_phases(machine) && options->has_memory &&
        !route_fit_phases(schedule, false, machine, options->err))
        return false;
    return (options->has_memory || route_fit(schedule, payload->flits, &common, machine, NULL) ||
            route_fit(schedule, payload->flits, NULL, machine, options->err)) &&
           machine_check(machine, options->err);
}
