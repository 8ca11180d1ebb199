#include "options_machine.h"

#include "route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_FLITS 4 /* of a packet, where no payload asks for more */

enum { KEY_NETWORK = 0x200, KEY_WIDTH, KEY_FLITS, KEY_CAPACITY, KEY_PAYLOAD, KEY_SEED };

static bool parse_capacity(const char *text, struct options_machine *options)
{
    unsigned packets, flits, rows;
    int end = 0;
    int fields = sscanf(text, "packets=%9u,flits=%9u,rows=%9u%n", &packets, &flits, &rows, &end);
    struct machine *machine = &options->machine;
    if (fields == 3 && text[end] == '\0') {
        machine->log2_packets = machine_log2(packets);
        machine->log2_flits = machine_log2(flits);
        machine->log2_rows = machine_log2(rows);
    }
    options->has_capacity = machine->log2_packets && machine->log2_flits && machine->log2_rows;
    if (options->has_capacity)
        return true;
    return err_set(options->err, ERR_OPTION,
                   "--capacity: '%.60s'; expected packets=K,flits=F,rows=R, each a power of two from 2",
                   text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_machine *options = state->input;
    switch (key) {
    case KEY_NETWORK:
        options->has_network = true;
        return options_refuse(machine_parse_network(argument, &options->machine, options->err));
    case KEY_WIDTH:
        return options_refuse(options_number32("--width", argument, 1, MACHINE_MAX_WIDTH,
                                               &options->machine.width, options->err));
    case KEY_FLITS:
        return options_refuse(
            options_number32("--flits", argument, 1, MACHINE_MAX_ROW_CYCLES, &options->flits, options->err));
    case KEY_CAPACITY:
        return options_refuse(parse_capacity(argument, options));
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
    {"network", KEY_NETWORK, "benes:N[,pipe=P][,pad=D]", 0,
     "N ports, a register every P stages (1; 0: none), D more behind (the smallest network that fits)", 0},
    {"width", KEY_WIDTH, "W", 0, "bits of a flit, 1 … 31 (16)", 0},
    {"flits", KEY_FLITS, "F", 0, "flits of a packet (as many as the payload needs, or 4)", 0},
    {"capacity", KEY_CAPACITY, "packets=K,flits=F,rows=R", 0,
     "what the machine's memories hold, powers of two (what the schedule needs, rounded up)", 0},
    {"payload", KEY_PAYLOAD, "FILE", 0, "what is broadcast (pseudo-random bytes)", 0},
    {"seed", KEY_SEED, "S", 0, "of the pseudo-random bytes (1)", 0},
    {0},
};

const struct argp options_machine_argp = {.options = machine_options, .parser = parse};

/* The most flits that a packet can have on this machine. */
static uint32_t max_flits(const struct options_machine *options, const struct schedule *schedule,
                          const struct machine *machine)
{
    struct machine probe = *machine;
    if (options->has_capacity)
        return UINT32_C(1) << options->machine.log2_flits;
    uint32_t flits = UINT32_C(1) << 15; /* a power of two whose round fits MACHINE_MAX_ROW_CYCLES */
    while (flits > 2 && !route_fit(schedule, flits, NULL, &probe, NULL))
        flits /= 2;
    return flits;
}

static bool read_payload(const struct options_machine *options, const struct schedule *schedule,
                         const struct machine *machine, struct payload *payload)
{
    uint32_t most = max_flits(options, schedule, machine);
    uint32_t flits = options->flits ? options->flits : most;
    if (options->flits > most)
        return err_set(options->err, ERR_RANGE,
                       "--flits: %" PRIu32 "; expected at most %" PRIu32 " on this machine", options->flits,
                       most);
    if (options->payload != NULL)
        return payload_read(options->payload, (size_t)flits * machine->width / 8 * schedule->packets, payload,
                            options->err) &&
               payload_cut(payload, schedule->packets, options->flits, most, machine->width, options->err);
    if (options->flits == 0)
        flits = most < DEFAULT_FLITS ? most : DEFAULT_FLITS;
    size_t bytes = (size_t)flits * machine->width / 8 * schedule->packets;
    return payload_random(options->seed, bytes ? bytes : 1, payload, options->err) &&
           payload_cut(payload, schedule->packets, flits, most, machine->width, options->err);
}

bool options_machine_fit(const struct options_machine *options, const struct schedule *schedule,
                         struct machine *machine, struct payload *payload)
{
    static const struct machine common = {.log2_packets = ROUTE_MIN_LOG2_PACKETS,
                                          .log2_flits = ROUTE_MIN_LOG2_FLITS,
                                          .log2_rows = ROUTE_MIN_LOG2_ROWS};
    *machine = options->machine;
    *payload = (struct payload){0};
    if (!options->has_network) {
        machine->log2_ports = route_smallest_network(schedule->nodes);
        machine->pipe = 1;
    }
    bool fits =
        read_payload(options, schedule, machine, payload) &&
        (options->has_capacity || route_fit(schedule, payload->flits, &common, machine, options->err) ||
         route_fit(schedule, payload->flits, NULL, machine, options->err)) &&
        machine_check(machine, options->err);
    if (!fits)
        payload_free(payload);
    return fits;
}
