/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_machine.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/base/text.h"
#include "sched/machine/machine_network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    struct machine *machine = &options->request.machine;
    if (fields == 3 && parse_depth(text + end, machine)) {
        machine->log2_packets = machine_log2(packets);
        machine->log2_flits = machine_log2(flits);
        machine->log2_rows = machine_log2(rows);
    }
    options->request.has_memory =
        machine->log2_packets && machine->log2_flits && machine->log2_rows;
    if (options->request.has_memory)
        return true;
    return err_set(options->err, ERR_OPTION,
                   "--memory: '%.60s'; expected packets=K,flits=F,rows=R[,depth=D], K, F and R "
                   "powers of two from 2, "
                   "D 1 … %" PRIu32,
                   text, MACHINE_MAX_DEPTH);
}

static bool parse_settings(const char *text, struct machine *machine, struct err *err)
{
    const char *name[MACHINE_SETTINGS_KINDS];
    unsigned which;
    for (which = 0; which < MACHINE_SETTINGS_KINDS; which++)
        name[which] = machine_settings_rows[which].text;
    return options_choice("--settings", text, name, MACHINE_SETTINGS_KINDS, &which, err) &&
           machine_parse_settings(text, &machine->settings);
}

static bool parse_programs(const char *text, struct machine *machine, struct err *err)
{
    static const char *const name[] = {"stored", "computed"};
    unsigned which;
    if (!options_choice("--programs", text, name, 2, &which, err))
        return false;
    machine->computed = which == 1;
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_machine *options = state->input;
    switch (key) {
    case KEY_NETWORK:
        options->request.has_network = true;
        options->request.has_latency = strchr(argument, ',') != NULL;
        return options_refuse(
            machine_parse_network(argument, &options->request.machine, options->err));
    case KEY_WIDTH:
        return options_refuse(options_number32("--width", argument, 1, MACHINE_MAX_WIDTH,
                                               &options->request.machine.width, options->err));
    case KEY_FLITS:
        return options_refuse(options_number32("--flits", argument, 1, MACHINE_MAX_ROW_CYCLES,
                                               &options->request.flits, options->err));
    case KEY_MEMORY:
        return options_refuse(parse_memory(argument, options));
    case KEY_SETTINGS:
        return options_refuse(parse_settings(argument, &options->request.machine, options->err));
    case KEY_SPLIT:
        options->request.split = true;
        return 0;
    case KEY_PROGRAMS:
        return options_refuse(parse_programs(argument, &options->request.machine, options->err));
    case KEY_PAYLOAD:
        options->request.payload = argument;
        return 0;
    case KEY_SEED:
        return options_refuse(options_number("--seed", argument, 0, UINT64_MAX,
                                             &options->request.seed, options->err));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option machine_options[] = {
    {"network", KEY_NETWORK, "NETWORK", 0,
     " (the smallest network that fits): pipe=P, a register every P stages (1; 0: none); pad=D, D "
     "more "
     "behind "
     "them, or in every link between routers; `roundcast list` says what each is",
     0},
    {"width", KEY_WIDTH, "W", 0, "bits of a flit, 1 … 31 (16)", 0},
    {"flits", KEY_FLITS, "F", 0, "flits of a packet (as many as the payload needs, or 4)", 0},
    {"memory", KEY_MEMORY, "packets=K,flits=F,rows=R[,depth=D]", 0,
     "what the machine's memories hold, powers of two; D packets in a router's buffers (what the "
     "schedule "
     "needs, rounded up)",
     0},
    {"settings", KEY_SETTINGS, "HOW", 0,
     "of a multistage network: full, a row of tables for each round (this unless given); indexed, "
     "each "
     "setting once; tags, "
     "computed in the stages of a Beneš network from a number a round, of cyclic shifts and "
     "complements; "
     "masks, each once, computed in the stages of benes:2^K from K bits each, of rounds that are "
     "affine in "
     "the "
     "bits of port numbers",
     0},
    {"programs", KEY_PROGRAMS, "HOW", 0,
     "of the endpoints of a multistage network: stored, an entry for each round (this unless "
     "given), or "
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
    char *whole = NULL;
    size_t size;
    FILE *to = key == KEY_NETWORK ? open_memstream(&whole, &size) : NULL;
    if (to == NULL)
        return (char *)text;
    for (unsigned k = 0; machine_network_form(k, &form); k++)
        fprintf(to, "%s%s", k > 0 ? ", " : "", form.written);
    fputs(text, to);
    if (fclose(to) == 0)
        return whole;
    free(whole);
    return (char *)text;
}

const struct argp options_machine_argp = {
    .options = machine_options, .parser = parse, .help_filter = help};
