/* SPDX-License-Identifier: Apache-2.0 */
/* simulate: run an image on engines and check every arrival. */
#include "cli/command.h"
#include "cli/options_keys.h"
#include "cli/options_simulate.h"
#include "cli/run_report.h"

struct simulate_command {
    struct options_common common;
    struct options_simulate simulate;
    const char *payload;
    const char *directory;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct simulate_command *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->simulate;
        state->child_inputs[1] = &options->common;
        return 0;
    case KEY_PAYLOAD:
        options->payload = argument;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("folder", argument, &options->directory, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {
        {&options_simulate_argp, 0, NULL, 0}, {&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"payload", KEY_PAYLOAD, "FILE", 0, "broadcast this instead of the folder's payload", 1},
        {0}};
    static const struct argp argp = {
        .options = own,
        .parser = parse,
        .children = children,
        .args_doc = "DIR",
        .doc = "Run the image that `route` wrote and check every arrival."};
    struct simulate_command options = {.common.err = err, .simulate = OPTIONS_SIMULATE(err)};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options.directory == NULL)
        return err_set(err, ERR_OPTION,
                       "simulate: no folder; expected one that `roundcast route` wrote");
    struct run_report report = {.options = options.simulate.simulate};
    report.options.shows_progress = true;
    if (!bundle_read(options.directory, options.payload, &report.bundle, err))
        return false;
    bool holds = run_simulate(&report, err) &&
                 run_report_print(&report, options.simulate.page, options.common.json, stdout, err);
    run_report_free(&report);
    return holds;
}

const struct command command_simulate = {
    .name = "simulate",
    .arguments = "DIR [options]",
    .summary = "run an image and check every arrival",
    .run = run,
};
