/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/words.h"

#include "cli/options_explain.h"

#include <stdlib.h>

struct words {
    void *input;
    struct err *err;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct words *words = state->input;
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = words->input;
    state->child_inputs[1] = words->err;
    return 0;
}

/* argp sorts the array, but leaves the texts as they are. */
bool words_parse(const struct argp *argp, const char *command, const char *const words[],
                 void *input, struct err *err)
{
    const struct argp_child children[] = {
        {argp, 0, NULL, 0}, {&options_explain_argp, 0, NULL, 0}, {0}};
    const struct argp all = {.parser = parse, .children = children};
    struct words inputs = {input, err};
    int count = 0;
    while (words != NULL && words[count] != NULL)
        count++;
    const char **copy = calloc((size_t)count + 2, sizeof *copy);
    if (copy == NULL)
        return err_no_memory(err, "%d words", count);
    copy[0] = command;
    for (int word = 0; word < count; word++)
        copy[word + 1] = words[word];
    error_t failed = argp_parse(&all, count + 1, (char **)copy,
                                ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &inputs);
    free(copy);
    return failed == 0;
}
