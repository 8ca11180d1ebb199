/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_explain.h"

#include "sched/base/text.h"

#include <errno.h>
#include <string.h>

/* The option that a word of the command line names (`--name…`, or `-k` for short ones), in an argp
 * or its children; NULL if there is none or more than one begins so. */
static const struct argp_option *find_option(const struct argp *argp, const char *word,
                                             size_t length, unsigned *matches)
{
    const struct argp_option *found = NULL;
    for (const struct argp_option *option = argp->options; option != NULL && option->name != NULL;
         option++) {
        bool is_long = length >= 2 && word[1] == '-';
        bool named = is_long ? strncmp(option->name, word + 2, length - 2) == 0
                             : option->key == word[length - 1];
        if (named && is_long &&
            option->name[length - 2] == '\0') { /* in full, so those that begin so do not count */
            *matches = 1;
            return option;
        }
        if (named) {
            found = option;
            ++*matches;
        }
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL;
         child++) {
        const struct argp_option *option = find_option(child->argp, word, length, matches);
        if (option != NULL)
            found = option;
    }
    return found;
}

/* Look at all long options of an argp and its children. */
static void look_at_options(const struct argp *argp, const char *word, struct text_nearest *nearest)
{
    for (const struct argp_option *option = argp->options; option != NULL && option->name != NULL;
         option++)
        text_look(nearest, word, option->name);
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL;
         child++)
        look_at_options(child->argp, word, nearest);
}

static void refuse_unknown(const struct argp_state *state, const char *word, struct err *err)
{
    char name[TEXT_WORD + 1] = "", expected[TEXT_WORD + 16] = "";
    struct text_nearest nearest = {0};
    if (word[0] == '-' && word[1] == '-')
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    look_at_options(state->root_argp, name, &nearest);
    if (nearest.name != NULL)
        snprintf(expected, sizeof expected, "--%s, or another ", nearest.name);
    err_set(err, ERR_OPTION, "%.40s: no such option; expected %sone of 'roundcast %s --help'", word,
            expected, state->argv[0]);
}

/* Looks at one option, `--name…` or `-k`, with a value joined to it (NULL: none) and words after
 * it. Returns false, with the message, if argp refuses it; *takes_next says whether the next word
 * is its value. */
static bool look_at_option(const struct argp_state *state, const char *word, const char *value,
                           bool last, bool *takes_next, struct err *err)
{
    unsigned matches = 0;
    const struct argp_option *option =
        find_option(state->root_argp, word, strcspn(word, "="), &matches);
    *takes_next = option != NULL && option->arg != NULL && value == NULL;
    if (matches > 1)
        return err_set(err, ERR_OPTION, "%.40s: several options begin so; expected one in full",
                       word);
    if (option == NULL) {
        refuse_unknown(state, word, err);
        return false;
    }
    if (*takes_next && last)
        return err_set(err, ERR_OPTION, "%.40s: no value; expected %s", word, option->arg);
    return option->arg != NULL || value == NULL ||
           err_set(err, ERR_OPTION, "%.40s: takes no value; expected --%s alone", word,
                   option->name);
}

/* Looks at the letters of a word `-abc`: what follows one that takes a value is that value. */
static bool look_at_letters(const struct argp_state *state, const char *word, bool last,
                            bool *takes_next, struct err *err)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const char name[] = {'-', *letter, '\0'};
        bool takes_value;
        if (!look_at_option(state, name, NULL, last && letter[1] == '\0', &takes_value, err))
            return false;
        *takes_next = takes_value && letter[1] == '\0';
        if (takes_value)
            return true;
    }
    return true;
}

/* argp refuses an option for which we have no message, and does not tell which: look at the words
 * as getopt does, from the first on. They may stand in another order, as words that are no options
 * have moved behind those that are. */
static void explain(const struct argp_state *state, struct err *err)
{
    bool held = true, takes_next = false;
    for (int which = 1; held && which < state->argc; which += 1 + takes_next) {
        const char *word = state->argv[which];
        bool last = which + 1 == state->argc;
        takes_next = false;
        if (word[0] != '-' || word[1] == '\0')
            continue;
        if (strcmp(word, "--") == 0)
            return;
        held = word[1] == '-'
                   ? look_at_option(state, word, strchr(word, '='), last, &takes_next, err)
                   : look_at_letters(state, word, last, &takes_next, err);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct err *err = state->input;
    switch (key) {
    case ARGP_KEY_ARG: /* nobody took it */
        err_set(err, ERR_OPTION, "%.40s: no option; expected options only", argument);
        return EINVAL;
    case ARGP_KEY_ERROR:
        if (err->code == ERR_NONE)
            explain(state, err);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp options_explain_argp = {.parser = parse};
