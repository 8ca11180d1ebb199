/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_seed.h"

#include "cli/options_keys.h"
#include "cli/options_value.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_seed *options = state->input;
    if (key != KEY_SEED)
        return ARGP_ERR_UNKNOWN;
    options->given = true;
    return options_refuse(
        options_number("--seed", argument, 0, UINT64_MAX, &options->value, options->err));
}

static const struct argp_option seed_options[] = {
    {"seed", KEY_SEED, "S", 0,
     "of what is drawn: by --pattern, --random, --randomised, or in a search (1)", 1},
    {0}};

const struct argp options_seed_argp = {.options = seed_options, .parser = parse};

bool options_seed_check(const struct options_seed *options, bool draws)
{
    return draws || !options->given ||
           err_set(
               options->err, ERR_OPTION,
               "--seed: nothing is drawn; expected --pattern, --random or --randomised with it");
}
