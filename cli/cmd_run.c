/* SPDX-License-Identifier: Apache-2.0 */
/* run: schedule, verify, route and simulate in one go. */
#include "cli/command.h"
#include "cli/options_batch.h"
#include "cli/options_collective.h"
#include "cli/options_machine.h"
#include "cli/options_simulate.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/run_batch.h"
#include "sched/algorithms/algorithm.h"
#include "sched/route/machine_sizing.h"
#include "sched/verify/verify.h"

struct run_options {
    struct options_common common;
    struct options_collective collective;
    struct options_machine machine;
    struct options_simulate simulate;
    struct options_batch batch;
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
        state->child_inputs[3] = &options->batch;
        state->child_inputs[4] = &options->common;
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

static const struct argp_child children[] = {
    {&options_collective_argp, 0, NULL, 0}, {&options_machine_argp, 0, NULL, 0},
    {&options_simulate_argp, 0, NULL, 0},   {&options_batch_argp, 0, NULL, 0},
    {&options_common_argp, 0, NULL, 0},     {0}};
static const struct argp argp = {.parser = parse,
                                 .children = children,
                                 .args_doc = "ALGORITHM\n--batch=FILE",
                                 .doc = "Schedule a broadcast, verify it, route it, run it on "
                                        "hardware and check every arrival."};

static struct run_options defaults(struct err *err)
{
    return (struct run_options){.common.err = err,
                                .collective = OPTIONS_COLLECTIVE(err),
                                .machine = OPTIONS_MACHINE(err),
                                .simulate = OPTIONS_SIMULATE(err),
                                .batch = OPTIONS_BATCH(err)};
}

/* A machine that waits when a setting changes, if that takes time. */
static void ask_machine(const struct options_collective *options,
                        const struct collective *collective, struct compile_request *request)
{
    request->machine.reconfigures = options->traffic.price.reconfigure != NULL;
    request->reconfigure = (uint32_t)collective->cost.change;
}

/* What is asked for, its machine and its payload; the collective gets the cycles of a round. */
static bool prepare(struct run_options *options, const struct algorithm *algorithm,
                    struct collective *collective, struct machine *machine, struct payload *payload,
                    struct err *err)
{
    /* of nodes and trees as well as of bytes */
    options->collective.seed.value = options->machine.request.seed;
    options->simulate.seed = &options->machine.request.seed;
    options->collective.traffic.pays = true;
    if (!options_collective_of(&options->collective, algorithm, false, collective))
        return false;
    ask_machine(&options->collective, collective, &options->machine.request);
    if (!compile_machine(&options->machine.request, collective, machine, payload, err))
        return false;
    collective->cost.round = machine_row_cycles(machine, payload->flits);
    return true;
}

static bool run_all(struct run_options *options, const struct algorithm *algorithm,
                    struct bundle *bundle, FILE *to, struct err *err)
{
    struct collective collective;
    struct verify_report verified;
    struct machine machine;
    return prepare(options, algorithm, &collective, &machine, &bundle->payload, err) &&
           algorithm_build(algorithm, &collective, &bundle->schedule, err) &&
           verify_schedule(algorithm->name, &bundle->schedule, &verified, err) &&
           compile_schedule(&options->machine.request, &bundle->schedule, &bundle->payload,
                            &machine, &bundle->image, &options->machine.splitted, err) &&
           options_simulate_run(&options->simulate, bundle, options->common.json, to, err);
}

static const struct algorithm *find_algorithm(const struct run_options *options, struct err *err)
{
    if (options->algorithm != NULL)
        return options_collective_find(&options->collective, options->algorithm);
    err_set(err, ERR_OPTION, "run: no algorithm; expected one of 'roundcast list'");
    return NULL;
}

static bool run_one(struct run_options *options, FILE *to, struct err *err)
{
    const struct algorithm *algorithm = find_algorithm(options, err);
    if (algorithm == NULL)
        return false;
    struct bundle bundle = {0};
    bool held = run_all(options, algorithm, &bundle, to, err);
    bundle_free(&bundle);
    return held;
}

/* What is said for all lines is no file that each of them would write. */
static bool check_batch(const struct run_options *options, struct err *err)
{
    const char *waves = options->simulate.simulate.waves, *page = options->simulate.page;
    return (waves == NULL && page == NULL) ||
           err_set(
               err, ERR_OPTION,
               "%s: each line would write %.200s; expected it in a line, with a file of its own",
               waves != NULL ? "--waves" : "--view", waves != NULL ? waves : page);
}

static bool run_to(struct run_options *options, int argc, char **argv, FILE *to, struct err *err)
{
    enum options_outcome outcome = options_parse(&argp, argc, argv, options, &options->common);
    bool held = outcome == OPTIONS_HELPED;
    if (outcome == OPTIONS_PARSED && options->batch.file != NULL)
        held = check_batch(options, err) &&
               run_batch(&options->batch, argc, argv, options->common.json, err);
    else if (outcome == OPTIONS_PARSED && options->batch.jobs != 0)
        err_set(err, ERR_OPTION, "--jobs: of one run; expected --batch FILE with it");
    else if (outcome == OPTIONS_PARSED)
        held = run_one(options, to, err);
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

/* Are options, values and the algorithm right, each for itself? */
static bool is_known(struct run_options *options, int argc, char **argv, struct err *err)
{
    bool known = false;
    *options = defaults(err);
    options->known = &known;
    options_parse(&argp, argc, argv, options, &options->common);
    options_collective_free(&options->collective);
    options->known = NULL;
    if (known)
        *err = (struct err){0}; /* of having ended it */
    return known && (options->algorithm == NULL ||
                     options_collective_find(&options->collective, options->algorithm) != NULL);
}

bool run_check(int argc, char **argv, struct err *err)
{
    struct run_options options;
    return is_known(&options, argc, argv, err);
}

bool run_check_line(int argc, char **argv, struct run_files *files, struct err *err)
{
    struct run_options options;
    if (!is_known(&options, argc, argv, err))
        return false;
    *files = (struct run_files){options.simulate.simulate.waves, options.simulate.page};
    if (options.batch.file != NULL)
        return err_set(err, ERR_OPTION, "--batch: a batch in a batch; expected one run");
    if (options.common.help || options.common.manual != NULL)
        return err_set(err, ERR_OPTION, "--help: no run; expected one");
    return (!options.common.json && options.batch.jobs == 0) ||
           err_set(err, ERR_OPTION, "%s: of all lines; expected it beside --batch",
                   options.common.json ? "--json" : "--jobs");
}

static bool check_all(struct run_options *options, struct err *err)
{
    struct collective collective;
    struct machine machine;
    struct payload payload = {0};
    const struct algorithm *algorithm = find_algorithm(options, err);
    bool held = algorithm != NULL &&
                prepare(options, algorithm, &collective, &machine, &payload, err) &&
                algorithm_check(algorithm, &collective, err) &&
                machine_sizing_check_ports(collective.n, &machine, err);
    payload_free(&payload);
    return held;
}

bool run_check_all(int argc, char **argv, struct err *err)
{
    struct run_options options = defaults(err);
    bool held = options_parse(&argp, argc, argv, &options, &options.common) == OPTIONS_PARSED &&
                check_all(&options, err);
    options_collective_free(&options.collective);
    return held;
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
