/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_simulate.h"

#include "cli/options_keys.h"

#include <string.h>

static bool parse_engine(const char *name, struct options_simulate *options)
{
    struct simulate_options *simulate = &options->simulate;
    const char *known[ENGINE_COUNT + 1] = {[ENGINE_COUNT] = "both"};
    unsigned which;
    for (which = 0; which < ENGINE_COUNT; which++)
        known[which] = engine_name((enum engine_kind)which);
    if (!options_choice("--engine", name, known, ENGINE_COUNT + 1, &which, options->err))
        return false;
    bool both = which == ENGINE_COUNT;
    simulate->engine_count = both ? 2 : 1;
    simulate->engine[0] = both ? ENGINE_CSIM : (enum engine_kind)which;
    simulate->engine[1] = ENGINE_RTL;
    return true;
}

static bool parse_waves(const char *file, struct options_simulate *options)
{
    size_t length = strlen(file);
    options->simulate.waves = file;
    return (length > 4 && strcmp(file + length - 4, ".fst") == 0) ||
           err_set(options->err, ERR_OPTION, "--waves: '%.200s'; expected a name that ends in .fst",
                   file);
}

/* A part of a trace needs a trace. */
static bool check_range(const struct options_simulate *options)
{
    const struct simulate_options *simulate = &options->simulate;
    return simulate->waves != NULL || (simulate->waves_from == 0 && simulate->waves_to == 0) ||
           err_set(options->err, ERR_OPTION, "%s: of no trace; expected --waves FILE.fst with it",
                   simulate->waves_from != 0 ? "--waves-from" : "--waves-to");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_simulate *options = state->input;
    struct simulate_options *simulate = &options->simulate;
    switch (key) {
    case KEY_ENGINE:
        return options_refuse(parse_engine(argument, options));
    case KEY_WAVES:
        return options_refuse(parse_waves(argument, options));
    case KEY_FROM:
        return options_refuse(options_number("--waves-from", argument, 1, UINT32_MAX,
                                             &simulate->waves_from, options->err));
    case KEY_TO:
        return options_refuse(options_number("--waves-to", argument, 1, UINT32_MAX,
                                             &simulate->waves_to, options->err));
    case KEY_VIEW:
        options->page = argument;
        return options_refuse(output_check("--view", argument, OUTPUT_PAGE, options->err));
    case ARGP_KEY_END:
        return options_refuse(check_range(options));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option simulate_options[] = {
    {"engine", KEY_ENGINE, "ENGINE", 0,
     "csim, rtl, netlist, or both: csim and rtl in lockstep (both)", 0},
    {"waves", KEY_WAVES, "FILE.fst", 0, "write the trace, and a save file for GTKWave beside it",
     0},
    {"waves-from", KEY_FROM, "ROUND", 0,
     "the first round, or unit of time, of the trace (the first)", 0},
    {"waves-to", KEY_TO, "ROUND", 0, "the last one (the last)", 0},
    {"view", KEY_VIEW, "FILE.html", 0, "write a page that shows the run, also one that fails", 0},
    {0},
};

const struct argp options_simulate_argp = {.options = simulate_options, .parser = parse};
