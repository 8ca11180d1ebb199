/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_schedule.h"

#include "cli/options_value.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_schedule *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->collective;
        state->child_inputs[1] = &options->collective.seed;
        state->child_inputs[2] = &options->round;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("algorithm", argument, &options->algorithm, options->err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child schedule_children[] = {{&options_collective_argp, 0, NULL, 0},
                                                      {&options_seed_argp, 0, NULL, 0},
                                                      {&options_round_argp, 0, NULL, 0},
                                                      {0}};

const struct argp options_schedule_argp = {.parser = parse, .children = schedule_children};

/* Is there something to draw from a seed? */
static bool check_seed(const struct options_schedule *options, const struct algorithm *algorithm,
                       const struct collective *collective)
{
    bool draws = options_collective_draws(&options->collective) ||
                 (algorithm->draws != NULL && algorithm->draws(collective->method));
    return options_seed_check(&options->collective.seed, draws);
}

const struct algorithm *options_schedule_of(struct options_schedule *options,
                                            struct collective *collective)
{
    if (options->algorithm == NULL) {
        err_set(options->err, ERR_OPTION,
                "schedule: no algorithm; expected one of 'roundcast list'");
        return NULL;
    }
    const struct algorithm *algorithm =
        options_collective_find(&options->collective, options->algorithm);
    bool right = algorithm != NULL &&
                 options_collective_of(&options->collective, algorithm, true, collective) &&
                 check_seed(options, algorithm, collective) &&
                 options_round_set(&options->round, collective);
    return right ? algorithm : NULL;
}
