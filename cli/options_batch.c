/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_batch.h"

#include "cli/options_keys.h"
#include "sweep/pool.h"

/* Note the words of the option that has just been read: its value may be in one of its own. */
static void note_words(struct options_batch *options, const struct argp_state *state,
                       const char *argument)
{
    char **last = &state->argv[state->next - 1];
    options->word[options->words++] = last[0];
    if (last[0] == argument)
        options->word[options->words++] = last[-1];
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options_batch *options = state->input;
    bool twice = key == KEY_BATCH ? options->file != NULL : options->jobs != 0;
    if (key != KEY_BATCH && key != KEY_JOBS)
        return ARGP_ERR_UNKNOWN;
    if (twice)
        return options_refuse(err_set(options->err, ERR_OPTION, "%s: given twice; expected it once",
                                      key == KEY_BATCH ? "--batch" : "--jobs"));
    note_words(options, state, argument);
    if (key == KEY_BATCH) {
        options->file = argument;
        return 0;
    }
    return options_refuse(
        options_number32("--jobs", argument, 1, POOL_MAX_WORKERS, &options->jobs, options->err));
}

static const struct argp_option batch_options[] = {
    {"batch", KEY_BATCH, "FILE", 0,
     "run each line of a file, the words behind `run`, side by side; options beside it are those "
     "of all lines, which may say otherwise",
     0},
    {"jobs", KEY_JOBS, "N", 0, "lines of a batch at once (one a core)", 0},
    {0},
};

const struct argp options_batch_argp = {.options = batch_options, .parser = parse};

bool options_batch_has(const struct options_batch *options, const char *word)
{
    bool has = false;
    for (size_t which = 0; which < options->words; which++)
        has = has || options->word[which] == word;
    return has;
}
