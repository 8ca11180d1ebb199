/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_round.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"
#include "sched/machine/machine_network.h"
#include "sched/route/route.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_round *options = state->input;
    switch (key) {
    case KEY_NETWORK:
        options->request.has_network = true;
        return options_refuse(
            machine_parse_network(argument, &options->request.machine, options->err));
    case KEY_FLITS:
        return options_refuse(options_number32("--flits", argument, 1, MACHINE_MAX_ROW_CYCLES,
                                               &options->request.flits, options->err));
    case KEY_ROUND_CYCLES:
        return options_refuse(options_number32(
            "--round-cycles", argument, 1, MACHINE_MAX_ROW_CYCLES, &options->cycles, options->err));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option round_options[] = {
    {"network", KEY_NETWORK, "NETWORK", 0,
     "with --reconfigure: the network of the machine whose cycles are counted (default: as in "
     "`run`, the smallest Beneš network that fits)",
     0},
    {"flits", KEY_FLITS, "F", 0, "with --reconfigure: flits of a packet (default: 4, as in `run`)",
     0},
    {"round-cycles", KEY_ROUND_CYCLES, "C", 0,
     "with --reconfigure: cycles of a round, of no machine (default: those of the machine)", 0},
    {0},
};

const struct argp options_round_argp = {.options = round_options, .parser = parse};

/* The first option that was given; NULL if none was. */
static const char *given(const struct options_round *options)
{
    if (options->cycles != 0)
        return "--round-cycles";
    if (options->request.flits != 0)
        return "--flits";
    return options->request.has_network ? "--network" : NULL;
}

/* Those of the machine that `run` builds for the collective. */
static bool of_machine(const struct options_round *options, struct collective *collective)
{
    struct compile_request request = options->request;
    uint32_t cycles;
    request.machine.reconfigures = true;
    if (multistage_blocks(&request.machine.network))
        return err_set(options->err, ERR_NETWORK,
                       "--network: an omega network may block the rounds; expected one that passes "
                       "all, benes:N or clos:m,n,r");
    if (!compile_round_cycles(&request, collective, &cycles, options->err))
        return false;
    collective->cost.round = cycles;
    return true;
}

bool options_round_set(const struct options_round *options, struct collective *collective)
{
    const char *option = given(options);
    if (!collective->priced)
        return option == NULL ||
               err_set(options->err, ERR_OPTION,
                       "%s: without --reconfigure; expected the cycles of a change of settings, "
                       "which may be 0, with it",
                       option);
    if (options->cycles == 0)
        return of_machine(options, collective);
    collective->cost.round = options->cycles;
    return (options->request.flits == 0 && !options->request.has_network) ||
           err_set(options->err, ERR_OPTION,
                   "--round-cycles: with --network or --flits; expected the cycles of a round, or "
                   "the machine that has them");
}
