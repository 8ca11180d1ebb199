/* SPDX-License-Identifier: Apache-2.0 */
/* test_options: parses command lines, and checks which word an error names.
 *
 * Command lines with one mistake, in each position: alone, before and after valid options, as a
 * letter within a word, as the value of another option. Each message must name the mistake and a
 * correction: the nearest name, the candidates of an ambiguous name, the value that is missing.
 * Counter-case: command lines that are valid so far cause no error about an option. Forms of an
 * option that mean the same are parsed alike, arguments keep their order, and every option of every
 * command has a help text that ends without a full stop and a place in its structure.
 */
#include "cli/options.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"run circulant -v --engine csim", "-v: unknown option"},
        {"run -v circulant -n 4 --engine csim", "-v: unknown option"},
        {"run circulant -n 4 -m 2 -v", "-v: unknown option"},
        {"run -v", "-v: unknown option"},
        {"run circulant -n 4 -v --engine", "-v: unknown option"},
        {"run circulant -vn 4 --engine csim", "-v: unknown option"},
        {"run circulant -xh --engine csim", "-x: unknown option"},
        {"run circulant -hx --engine csim", "-x: unknown option"},
        {"run circulant -hxn 4 --engine csim", "-x: unknown option"},
        {"run circulant -v=3 --engine csim", "-v: unknown option"},
        {"run circulant --engine csim -n", "-n: requires a value; expected N"},
        {"run circulant --engine csim -hn", "-n: requires a value; expected N"},
        {"run circulant -n 4 --engine", "--engine: requires a value; expected ENGINE"},
        {"run circulant --json=3 -n 4", "--json=3: accepts no value; expected --json alone"},
        {"run circulant -n 4 --verbose --engine csim", "--verbose: unknown option"},
        {"run circulant --verbose=2 --engine csim", "--verbose=2: unknown option"},
        {"run circulant -n 4 --pa -m 2",
         "--pa is ambiguous; expected one of --packets, --pattern, --packet-bytes, --parents, "
         "--payload"},
        {"run circulant --engin csim --frob", "--frob: unknown option"},
        {"run circulant --engine=csim -x", "-x: unknown option"},
        {"run circulant -n4 -m2 -x", "-x: unknown option"},
        /* words that look like options are values where a value is expected */
        {"run circulant --engine -v -n 4", "engine: '-v' does not exist"},
        {"run circulant -n -v -m 2", "nodes: '-v' is not a number"},
        {"run circulant --payload -v -x", "-x: unknown option"},
        {"run circulant -n 4 - -x", "-x: unknown option"},
        {"run circulant -n 4 -- -x", "-x: one algorithm too many"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err;
        assert_false(support_run_command(&command_run, cases[k].line, &err));
        support_error(&err, ERR_OPTION, cases[k].message);
    }
}

/* Correct beginnings: the commands report the missing input, not an option. */
static void no_mistakes(void **state)
{
    (void)state;
    static const char *const lines[] = {"run circulant", "run circulant --engin csim -m2",
                                        "run circulant -m2 --engine=csim --"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct err err;
        assert_false(support_run_command(&command_run, lines[k], &err));
        support_error(&err, ERR_OPTION, "nodes is required; expected the number of nodes");
    }
}

/* Reads a command line of `schedule` and returns its options. */
static struct options read_line(const char *line, char text[200], char *word[20])
{
    struct options options;
    struct roundcast_error error = {0};
    const char *unused[8] = {NULL}; /* room for the command's own structure */
    int count = 0;
    snprintf(text, 200, "%s", line);
    for (char *at = strtok(text, " "); at != NULL; at = strtok(NULL, " "))
        word[count++] = at;
    struct command other = command_schedule;
    other.own_count = 0;
    bool read = options_read(&other, count, word, &options, unused, &error);
    const struct err err = support_err(&error);
    support_true(read, &err);
    return options;
}

static void forms(void **state)
{
    (void)state;
    static const char *const lines[] = {"schedule path -n 8 -m 3 --json",
                                        "schedule -n8 path -m3 --json",
                                        "schedule --nodes 8 --packets 3 --json path",
                                        "schedule --nodes=8 path --packets=3 --json",
                                        "schedule --no 8 --packets 3 --js path",
                                        "schedule -n 8 --json -m 3 -- path",
                                        "schedule -n 7 -n 8 -m 3 --json path"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        char text[200], *word[20];
        struct options options = read_line(lines[k], text, word);
        assert_int_equal(options.request.nodes, 8);
        assert_int_equal(options.request.packets, 3);
        assert_true(options.json && !options.help);
        assert_int_equal(__builtin_popcountll(options.request.given), 2);
        assert_int_equal(options.argument_count, 1);
        assert_string_equal(options.argument[0], "path");
    }
}

/* Arguments keep their order, whatever options are between them; `-` is an argument, and so is
 * every word after `--`. */
static void arguments(void **state)
{
    (void)state;
    static const char *const expected[] = {"a", "-", "b", "-x", "--json"};
    char text[200], *word[20];
    struct options options = read_line("schedule a -n 4 - b -m 1 -- -x --json", text, word);
    assert_int_equal(options.argument_count, sizeof expected / sizeof *expected);
    for (int k = 0; k < options.argument_count; k++)
        assert_string_equal(options.argument[k], expected[k]);
    assert_false(options.json);
}

/* Letters of flags are joined; the last letter may have a value, joined or in the next word. */
static void joined_letters(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t nodes;
    } cases[] = {
        {"schedule -h", 0}, {"schedule -hh", 0}, {"schedule -hn 8", 8}, {"schedule -hn8", 8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200], *word[20];
        struct options options = read_line(cases[k].line, text, word);
        assert_true(options.help);
        assert_int_equal(options.request.nodes, cases[k].nodes);
        assert_int_equal(options.argument_count, 0);
    }
}

/* Without a command, a field has its letter in a request, or else in any command. */
static void names_of_fields(void **state)
{
    (void)state;
    static const struct {
        const struct command *command;
        const char *field, *name;
    } cases[] = {{NULL, "nodes", "-n"},
                 {&command_run, "nodes", "-n"},
                 {NULL, "round", "-r"}, /* of unpack */
                 {&command_unpack, "round", "-r"},
                 {NULL, "lambda", "--lambda"},
                 {NULL, "nothing", "--nothing"},
                 {NULL, "algorithm", "ALGORITHM"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char name[ROUNDCAST_ERROR_OPTION];
        assert_string_equal(option_name(cases[k].command, cases[k].field, name), cases[k].name);
    }
}

/* A help text that states a default states it in the one form. */
static void check_help(const struct command *command, const struct roundcast_field *field)
{
    char text[OPTIONS_HELP_TEXT];
    options_help_text(command, field, text);
    if (text[0] == '\0' || text[strlen(text) - 1] == '.' || strstr(text, "{choices}") != NULL)
        fail_msg("%s --%s: %s", command->name, field->name, text);
    const char *bracket = strstr(text, "(default");
    if (bracket != NULL && strncmp(bracket, "(default: ", 10) != 0)
        fail_msg("%s --%s: %s", command->name, field->name, text);
}

/* No command has two options of the same name or letter; each option has a text, and each command
 * an example. */
static void tables(void **state)
{
    (void)state;
    for (size_t c = 0; c < command_count; c++) {
        struct option_row option[OPTIONS_MOST];
        size_t count = options_of(command_table[c], option);
        assert_in_range(count, 2, OPTIONS_MOST - 1);
        assert_non_null(command_table[c]->examples);
        for (size_t k = 0; k < count; k++) {
            const struct roundcast_field *field = &option[k].field;
            check_help(command_table[c], field);
            assert_true((field->argument == NULL) == (field->type == ROUNDCAST_FIELD_FLAG));
            for (size_t other = 0; other < k; other++) {
                assert_string_not_equal(option[other].field.name, field->name);
                assert_true(field->letter == 0 || option[other].field.letter != field->letter);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes),       cmocka_unit_test(no_mistakes),
        cmocka_unit_test(forms),          cmocka_unit_test(arguments),
        cmocka_unit_test(joined_letters), cmocka_unit_test(names_of_fields),
        cmocka_unit_test(tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
