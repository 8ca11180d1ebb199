/* SPDX-License-Identifier: Apache-2.0 */
/* test_command_errors: command lines that a command rejects before it reads a file.
 *
 * State space: each command with one argument too many, with an argument that it does not accept,
 * and with the suffix of another kind of file; flags that are joined. The message names the word
 * and what is expected. Counter-case: the same line without that word, which is rejected for the
 * file that does not exist.
 */
#include "cli/command.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

static void lines_are_rejected(void **state)
{
    (void)state;
    static const struct {
        const struct command *command;
        const char *line;
        enum err_code code;
        const char *message;
    } cases[] = {
        {&command_export, "export a b --to goal", ERR_OPTION,
         "b: one file too many; expected only a"},
        {&command_import, "import a b", ERR_OPTION, "b: one file too many; expected only a"},
        {&command_mpi, "mpi a b", ERR_OPTION, "b: one file too many; expected only a"},
        {&command_sweep, "sweep a b -o c.sqlite", ERR_OPTION,
         "b: one file too many; expected only a"},
        {&command_draw, "draw a b", ERR_OPTION, "b: one file too many; expected only a"},
        {&command_unpack, "unpack a b", ERR_OPTION, "b: one image too many; expected only a"},
        {&command_plot, "plot table a b --x p", ERR_OPTION,
         "b: one file too many; expected only a"},
        {&command_plan, "plan a", ERR_OPTION, "a: 'plan' accepts no argument"},
        {&command_bound, "bound a", ERR_OPTION, "a: 'bound' accepts no argument"},
        {&command_tune, "tune a", ERR_OPTION, "a: 'tune' accepts no argument"},
        {&command_bound, "bound -n 4 -m 2 -d 2 -t 1:2", ERR_RANGE,
         "time: '1:2'; expected a time P/Q or P, at least 0, P and Q at most 65535"},
        {&command_simulate, "simulate /nowhere --view a.csv", ERR_OPTION,
         "view: a.csv ends in .csv, but a page of HTML is written; expected .html, .htm or no "
         "suffix"},
        {&command_run, "run path -n 2 -m 1 --engine csim --view a.csv", ERR_OPTION,
         "view: a.csv ends in .csv, but a page of HTML is written; expected .html, .htm or no "
         "suffix"},
        {&command_run, "run --batch a --view b.html", ERR_OPTION,
         "view: each line would write b.html"},
        {&command_run, "run --batch a --waves b.fst", ERR_OPTION,
         "waves: each line would write b.fst"},
        {&command_run, "run path -n 2 -m 1 --jobs 2", ERR_OPTION, "jobs requires batch"},
        {&command_sweep, "sweep - -o c.sqlite --via slurm", ERR_OPTION,
         "-: jobs read the study, too; expected a file with via"},
        {&command_plan, "plan -n 4 -m 2 --planes 2 --with a", ERR_OPTION,
         "with: reconfigure and planes plan the cycles of traffic"},
        {&command_plan, "plan --reconfigure 2 --with a", ERR_OPTION,
         "with: reconfigure and planes plan the cycles of traffic"},
        {&command_import, "import /nowhere --expect cast", ERR_ALGORITHM,
         "collective: 'cast' does not exist"},
        {&command_schedule, "schedule ./nowhere -n 4 -m 2", ERR_ALGORITHM,
         "algorithm './nowhere' does not exist"},
        /* without the word */
        {&command_export, "export /nowhere --to goal", ERR_READ, "/nowhere: cannot open"},
        {&command_import, "import /nowhere", ERR_READ, "/nowhere: cannot open"},
        {&command_simulate, "simulate /nowhere --view a.html", ERR_READ, "cannot open"},
        {&command_plan, "plan --with /nowhere", ERR_READ, "/nowhere: cannot open"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err;
        print_message("%s\n", cases[k].line);
        assert_false(support_run_command(cases[k].command, cases[k].line, &err));
        support_error(&err, cases[k].code, cases[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_rejected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
