/* SPDX-License-Identifier: Apache-2.0 */
/* run: schedule, verify, route and simulate in one go. */
#include "cli/command.h"
#include "cli/options_collective.h"
#include "cli/options_machine.h"
#include "cli/options_simulate.h"
#include "cli/report.h"
#include "cli/run.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/verify/verify.h"

struct run_options {
    struct options_common common;
    struct options_collective collective;
    struct options_machine machine;
    struct options_simulate simulate;
    const char *algorithm;
    bool *known; /* to be set if each option is right for itself, and nothing else; NULL: run */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct run_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->collective;
        state->child_inputs[1] = &options->machine;
        state->child_inputs[2] = &options->simulate;
        state->child_inputs[3] = &options->common;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("algorithm", argument, &options->algorithm, options->common.err);
    case ARGP_KEY_END: /* it comes here before those that look at several options */
        if (options->known == NULL)
            return 0;
        *options->known = true;
        return ECANCELED;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&options_collective_argp, 0, NULL, 0},
                                             {&options_machine_argp, 0, NULL, 0},
                                             {&options_simulate_argp, 0, NULL, 0},
                                             {&options_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {.parser = parse,
                                 .children = children,
                                 .args_doc = "ALGORITHM",
                                 .doc = "Schedule a broadcast, verify it, route it, run it on "
                                        "hardware and check every arrival."};

static struct run_options defaults(struct err *err)
{
    return (struct run_options){.common.err = err,
                                .collective = OPTIONS_COLLECTIVE(err),
                                .machine = OPTIONS_MACHINE(err),
                                .simulate = OPTIONS_SIMULATE(err)};
}

/* A machine that waits when a setting changes, if that takes time. */
static void ask_machine(const struct options_collective *options,
                        const struct collective *collective, struct compile_request *request)
{
    request->machine.held = options->traffic.price.reconfigure != NULL;
    request->reconfigure = (uint32_t)collective->price;
}

/* Who schedules counts in packets, each of which takes a row. */
static void weigh_price(const struct machine *machine, const struct payload *payload,
                        struct collective *collective)
{
    collective->price =
        bits_divide_up(collective->price, machine_row_cycles(machine, payload->flits));
}

static bool run_all(struct run_options *options, const struct algorithm *algorithm,
                    struct bundle *bundle, FILE *to, struct err *err)
{
    struct collective collective;
    struct verify_report verified;
    struct machine machine;
    /* of nodes and trees as well as of bytes */
    options->collective.seed.value = options->machine.request.seed;
    options->simulate.seed = &options->machine.request.seed;
    options->collective.traffic.pays = true;
    if (!options_collective_of(&options->collective, algorithm, false, &collective))
        return false;
    ask_machine(&options->collective, &collective, &options->machine.request);
    if (!compile_machine(&options->machine.request, &collective, &machine, &bundle->payload, err))
        return false;
    weigh_price(&machine, &bundle->payload, &collective);
    return algorithm_build(algorithm, &collective, &bundle->schedule, err) &&
           verify_schedule(algorithm->name, &bundle->schedule, &verified, err) &&
           compile_schedule(&options->machine.request, &bundle->schedule, &bundle->payload,
                            &machine, &bundle->image, &options->machine.splitted, err) &&
           options_simulate_run(&options->simulate, bundle, options->common.json, to, err);
}

static bool run_to(struct run_options *options, int argc, char **argv, FILE *to, struct err *err)
{
    enum options_outcome outcome = options_parse(&argp, argc, argv, options, &options->common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options->algorithm == NULL)
        return err_set(err, ERR_OPTION, "run: no algorithm; expected one of 'roundcast list'");
    const struct algorithm *algorithm = algorithm_find(options->algorithm, err);
    if (algorithm == NULL)
        return false;
    struct bundle bundle = {0};
    bool held = run_all(options, algorithm, &bundle, to, err);
    bundle_free(&bundle);
    options_collective_free(&options->collective);
    return held;
}

bool run_report(int argc, char **argv, FILE *to, struct err *err)
{
    struct run_options options = defaults(err);
    bool held = run_to(&options, argc, argv, to, err);
    if (!held)
        report_failure(to, err);
    return held;
}

bool run_check(int argc, char **argv, struct err *err)
{
    bool known = false;
    struct err refusal = {0};
    struct run_options options = defaults(&refusal);
    options.known = &known;
    options_parse(&argp, argc, argv, &options, &options.common);
    options_collective_free(&options.collective);
    if (!known)
        *err = refusal;
    return known && (options.algorithm == NULL || algorithm_find(options.algorithm, err) != NULL);
}

static bool run(int argc, char **argv, struct err *err)
{
    struct run_options options = defaults(err);
    return run_to(&options, argc, argv, stdout, err);
}

const struct command command_run = {
    .name = "run",
    .arguments = "ALGORITHM -n N -m M [options]",
    .summary = "all of it: schedule, verify, route, simulate",
    .run = run,
};
