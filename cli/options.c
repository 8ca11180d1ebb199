/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "cli/command.h"
#include "cli/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Options of every command. */
static const struct roundcast_field common[] = {
    {"json", 0, NULL, "report as JSON", ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FLAG,
     offsetof(struct options, json)},
    {"help", 'h', NULL, "print this help", ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FLAG,
     offsetof(struct options, help)},
};

/* --- the options of a command --------------------------------------------------------------- */

static void add(struct option_row option[], size_t *count, struct option_row row)
{
    if (*count < OPTIONS_MOST)
        option[(*count)++] = row;
}

/* Adds the fields of a request that the command uses; none has the name of one of its own. */
static void add_request(const struct command *command, enum roundcast_field_group group,
                        struct option_row option[], size_t *count)
{
    struct roundcast_field field;
    for (size_t row = 0; roundcast_field_at(row, &field); row++) {
        bool honoured = (field.commands & command->request) != 0;
        bool rejected = (field.rejected & command->request) != 0;
        if (field.group == group && (honoured || rejected))
            add(option, count, (struct option_row){field, row, OPTION_REQUEST, rejected});
    }
}

size_t options_of(const struct command *command, struct option_row option[OPTIONS_MOST])
{
    size_t count = 0;
    for (unsigned group = 0; group < ROUNDCAST_FIELD_GROUPS; group++) {
        add_request(command, (enum roundcast_field_group)group, option, &count);
        for (size_t which = 0; which < command->own_count; which++)
            if (command->own[which].group == group)
                add(option, &count, (struct option_row){command->own[which], 0, OPTION_OWN, false});
        for (size_t which = 0; which < sizeof common / sizeof *common; which++)
            if (common[which].group == group)
                add(option, &count, (struct option_row){common[which], 0, OPTION_COMMON, false});
    }
    return count;
}

/* Appends the replacement of `{name}` in a help text. */
static void append_mark(const struct command *command, const struct roundcast_field *field,
                        const char *name, char text[OPTIONS_HELP_TEXT])
{
    char room[300], option[ROUNDCAST_ERROR_OPTION];
    if (strcmp(name, "choices") == 0)
        roundcast_text_append(text, OPTIONS_HELP_TEXT, "%s",
                              roundcast_field_choices(field->choice, room, sizeof room));
    else
        roundcast_text_append(text, OPTIONS_HELP_TEXT, "%s", option_name(command, name, option));
}

const char *options_help_text(const struct command *command, const struct roundcast_field *field,
                              char text[OPTIONS_HELP_TEXT])
{
    text[0] = '\0';
    for (const char *at = field->help; *at != '\0';) {
        size_t plain = strcspn(at, "{"), length = strcspn(at + plain, "}");
        char name[ROUNDCAST_ERROR_FIELD];
        roundcast_text_append(text, OPTIONS_HELP_TEXT, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '\0')
            break;
        snprintf(name, sizeof name, "%.*s", (int)length - 1, at + 1);
        append_mark(command, field, name, text);
        at += length + 1;
    }
    return text;
}

/* --- parsing -------------------------------------------------------------------------------- */

/* The state of reading a command line, word by word. argv[at] is the next word; arguments read so
 * far are in argv[limit … argc). */
struct parser {
    const struct command *command;
    struct option_row option[OPTIONS_MOST];
    size_t count;
    int at, limit, argc;
    char **argv;
    struct options *options;
    void *own;
    struct roundcast_error *err;
};

/* Moves argv[from] after all other words. */
static void set_aside(struct parser *parser, int from)
{
    char *word = parser->argv[from];
    size_t after = (size_t)(parser->argc - 1 - from);
    memmove(&parser->argv[from], &parser->argv[from + 1], after * sizeof *parser->argv);
    parser->argv[parser->argc - 1] = word;
    parser->limit--;
}

static void keep_word(struct parser *parser, const char *word)
{
    struct options *options = parser->options;
    if (options->own_words < OPTIONS_OWN_WORDS)
        options->own_word[options->own_words++] = word;
}

static bool store(struct parser *parser, const struct option_row *option, const char *value)
{
    switch (option->from) {
    case OPTION_OWN:
        return roundcast_field_parse(&option->field, parser->own, value, parser->err);
    case OPTION_REQUEST:
        return roundcast_set_row(&parser->options->request, option->row, value, parser->err);
    case OPTION_COMMON:
        break;
    }
    return roundcast_field_parse(&option->field, parser->options, value, parser->err);
}

/* Stores an option that was written as `written`. Its value is joined to it, is the next word, or
 * is missing. */
static bool take(struct parser *parser, const struct option_row *option, const char *written,
                 const char *joined)
{
    const struct roundcast_field *field = &option->field;
    char *word = parser->argv[parser->at];
    const char *value = joined;
    parser->at++;
    if (option->from == OPTION_OWN)
        keep_word(parser, word);
    if (field->argument == NULL && joined != NULL)
        return roundcast_error_set(parser->err, ROUNDCAST_E_OPTION,
                                   "%.40s: accepts no value; expected --%s alone", written,
                                   field->name);
    if (field->argument != NULL && joined == NULL) {
        if (parser->at >= parser->limit)
            return roundcast_error_set(parser->err, ROUNDCAST_E_OPTION,
                                       "%.40s: requires a value; expected %s", written,
                                       field->argument);
        value = parser->argv[parser->at++];
        if (option->from == OPTION_OWN)
            keep_word(parser, value);
    }
    return store(parser, option, value);
}

static bool reject_unknown(const struct parser *parser, const char *word)
{
    char name[ROUNDCAST_WORD + 1] = "", nearly[ROUNDCAST_WORD + 16] = "";
    struct roundcast_nearest nearest = {0};
    if (word[1] == '-')
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (size_t which = 0; which < parser->count; which++)
        roundcast_nearest_look(&nearest, name, parser->option[which].field.name);
    if (nearest.name != NULL)
        snprintf(nearly, sizeof nearly, "--%s, or another ", nearest.name);
    return roundcast_error_set(parser->err, ROUNDCAST_E_OPTION,
                               "%.40s: unknown option; expected %sone of 'roundcast %s --help'",
                               word, nearly, parser->command->name);
}

static bool reject_ambiguous(const struct parser *parser, const char *word, size_t length)
{
    char names[300] = "";
    for (size_t which = 0; which < parser->count; which++) {
        const char *name = parser->option[which].field.name;
        if (strncmp(name, word + 2, length) == 0)
            roundcast_text_append(names, sizeof names, "%s --%s", names[0] != '\0' ? "," : "",
                                  name);
    }
    return roundcast_error_set(parser->err, ROUNDCAST_E_OPTION,
                               "%.40s is ambiguous; expected one of%s", word, names);
}

/* Reads `--name`, `--name=value`, or an unambiguous prefix of a name. */
static bool take_long(struct parser *parser)
{
    const char *word = parser->argv[parser->at];
    size_t length = strcspn(word + 2, "=");
    const char *joined = word[2 + length] == '=' ? word + 3 + length : NULL;
    const struct option_row *found = NULL;
    unsigned matches = 0;
    for (size_t which = 0; which < parser->count; which++) {
        const struct option_row *option = &parser->option[which];
        if (strncmp(option->field.name, word + 2, length) != 0)
            continue;
        matches++;
        found = option;
        if (option->field.name[length] == '\0') { /* the full name */
            matches = 1;
            break;
        }
    }
    if (matches == 0)
        return reject_unknown(parser, word);
    return matches > 1 ? reject_ambiguous(parser, word, length) : take(parser, found, word, joined);
}

/* Reads `-abc`: flags; the last letter may have a value, joined or in the next word. */
static bool take_letters(struct parser *parser)
{
    const char *letter = parser->argv[parser->at] + 1;
    for (;; letter++) {
        const char name[] = {'-', *letter, '\0'};
        const struct option_row *found = NULL;
        for (size_t which = 0; which < parser->count && found == NULL; which++)
            if (parser->option[which].field.letter == *letter)
                found = &parser->option[which];
        if (found == NULL)
            return reject_unknown(parser, name);
        bool value = found->field.argument != NULL;
        if (value || letter[1] == '\0')
            return take(parser, found, name, value && letter[1] != '\0' ? letter + 1 : NULL);
        if (!store(parser, found, NULL))
            return false;
    }
}

static bool parse(struct parser *parser)
{
    while (parser->at < parser->limit) {
        const char *word = parser->argv[parser->at];
        bool taken = true;
        if (word[0] != '-' || word[1] == '\0') {
            set_aside(parser, parser->at);
        } else if (strcmp(word, "--") == 0) {
            while (parser->limit > parser->at + 1)
                set_aside(parser, parser->at + 1);
            parser->at++;
        } else {
            taken = word[1] == '-' ? take_long(parser) : take_letters(parser);
        }
        if (!taken)
            return false;
    }
    parser->options->argument = parser->argv + parser->limit;
    parser->options->argument_count = parser->argc - parser->limit;
    return true;
}

bool options_read(const struct command *command, int argc, char **argv, struct options *options,
                  void *own, struct roundcast_error *err)
{
    struct parser parser = {.command = command,
                            .at = 1,
                            .limit = argc,
                            .argc = argc,
                            .argv = argv,
                            .options = options,
                            .own = own,
                            .err = err};
    *options = (struct options){0};
    roundcast_request_init(&options->request, ROUNDCAST_REQUEST_VERSION, NULL);
    options->request.strict = true;
    parser.count = options_of(command, parser.option);
    return parse(&parser);
}

enum options_outcome options_parse(const struct command *command, int argc, char **argv,
                                   struct options *options, void *own, struct roundcast_error *err)
{
    if (!options_read(command, argc, argv, options, own, err))
        return OPTIONS_REJECTED;
    if (!options->help)
        return OPTIONS_PARSED;
    help_command(command);
    return OPTIONS_HELPED;
}

/* --- what commands check of it --------------------------------------------------------------- */

bool options_one_argument(const struct options *options, const char *what, const char **argument,
                          struct roundcast_error *err)
{
    if (options->argument_count > 1)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "%.40s: one %s too many; expected only %.40s",
                                   options->argument[1], what, options->argument[0]);
    if (options->argument_count == 1)
        *argument = options->argument[0];
    return true;
}

bool options_no_argument(const struct options *options, const struct command *command,
                         struct roundcast_error *err)
{
    return options->argument_count == 0 ||
           roundcast_error_set(err, ROUNDCAST_E_OPTION,
                               "%.40s: '%s' accepts no argument; expected options only",
                               options->argument[0], command->name);
}

bool options_check_output(const struct options *options, const char *output, const char *what,
                          enum output_kind kind, struct roundcast_error *err)
{
    if (output == NULL)
        return true;
    if (options->json && strcmp(output, "-") == 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_OPTION,
            "{json}: standard output carries the %s; expected {output} FILE with it", what);
    return output_check("output", output, kind, err);
}

/* Names of algorithms in other tools. */
static const struct {
    const char *name, *answer;
} foreign[] = {
    {"ring", "expected path for a chain of nodes, or all-gather"},
    {"pipeline", "expected path, which sends packet after packet along a chain"},
    {"chain", "expected path"},
    {"tree", "expected binomial, binary-tree or dary-trees, or tree-broadcast on --tree"},
    {"hypercube", "expected hypercube-trees, or cube-broadcast on --dim"}};

bool algorithm_argument(struct options *options, bool schedules, struct roundcast_error *err)
{
    const char **name = &options->request.algorithm;
    if (!options_one_argument(options, "algorithm", name, err))
        return false;
    if (*name == NULL)
        return true;
    for (size_t which = 0; which < sizeof foreign / sizeof *foreign; which++)
        if (strcmp(*name, foreign[which].name) == 0)
            return roundcast_error_set(err, ROUNDCAST_E_ALGORITHM,
                                       "{algorithm}: '%s' does not exist; %s", *name,
                                       foreign[which].answer);
    /* names of algorithms contain neither a dot nor a slash */
    if (!schedules && strpbrk(*name, "./") != NULL && access(*name, F_OK) == 0)
        return roundcast_error_set(
            err, ROUNDCAST_E_ALGORITHM,
            "{algorithm}: %.60s is a file; expected an algorithm; 'roundcast run %.60s' "
            "runs a schedule",
            *name, *name);
    return true;
}
