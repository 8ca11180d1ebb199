/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_schedule.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_schedule *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->collective;
        return 0;
    case KEY_SEED:
        options->has_seed = true;
        return options_refuse(options_number("--seed", argument, 0, UINT64_MAX,
                                             &options->collective.seed, options->err));
    case ARGP_KEY_ARG:
        return options_argument("algorithm", argument, &options->algorithm, options->err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option schedule_options[] = {
    {"seed", KEY_SEED, "S", 0, "of what --random and --randomised draw (1)", 1}, {0}};

static const struct argp_child schedule_children[] = {{&options_collective_argp, 0, NULL, 0}, {0}};

const struct argp options_schedule_argp = {
    .options = schedule_options, .parser = parse, .children = schedule_children};

/* Is there something to draw from a seed? */
static bool check_seed(const struct options_schedule *options, const struct algorithm *algorithm,
                       const struct collective *collective)
{
    bool draws = options->collective.cube.has_random ||
                 (algorithm->draws != NULL && algorithm->draws(collective->method));
    return draws || !options->has_seed ||
           err_set(options->err, ERR_OPTION,
                   "--seed: nothing is drawn; expected --random or --randomised with it");
}

const struct algorithm *options_schedule_of(struct options_schedule *options,
                                            struct collective *collective)
{
    if (options->algorithm == NULL) {
        err_set(options->err, ERR_OPTION,
                "schedule: no algorithm; expected one of 'roundcast list'");
        return NULL;
    }
    const struct algorithm *algorithm = algorithm_find(options->algorithm, options->err);
    bool right = algorithm != NULL &&
                 options_collective_of(&options->collective, algorithm, true, collective) &&
                 check_seed(options, algorithm, collective);
    return right ? algorithm : NULL;
}
