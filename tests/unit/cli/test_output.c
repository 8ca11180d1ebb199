/* SPDX-License-Identifier: Apache-2.0 */
/* test_output: the names that files of each kind may have, and output to a terminal.
 *
 * The product of all kinds and all suffixes of any kind: a kind accepts its own suffixes and those
 * without a meaning, and rejects the others. The suffixes of each kind are listed here
 * independently. Every command that writes a file is called with a name of another kind, which it
 * must reject before it writes. A pty stands in for the user's terminal; with a pipe in its place
 * the page is written.
 */
#include "cli/command.h"
#include "cli/output.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    enum output_kind kind;
    const char *suffix[4]; /* accepted; others here are rejected */
    bool text;             /* .txt */
} kinds[] = {{OUTPUT_SCHEDULE, {"sched"}, true},
             {OUTPUT_PAGE, {"html", "htm"}, false},
             {OUTPUT_DATABASE, {"sqlite", "sqlite3", "db"}, false},
             {OUTPUT_CSV, {"csv"}, true},
             {OUTPUT_COMMANDS, {"batch"}, true},
             {OUTPUT_DOT, {"dot", "gv"}, true},
             {OUTPUT_SVG, {"svg"}, false},
             {OUTPUT_PNG, {"png"}, false},
             {OUTPUT_PDF, {"pdf"}, false},
             {OUTPUT_GOAL, {"goal"}, true},
             {OUTPUT_C, {"c"}, true},
             {OUTPUT_XML, {"xml"}, true},
             {OUTPUT_JSON, {"json"}, true},
             {OUTPUT_SLICES, {"slices"}, true},
             {OUTPUT_FOLDER, {NULL}, false}};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool accepts(enum output_kind kind, const char *suffix, struct err *err)
{
    char path[40];
    struct roundcast_error error = {0};
    snprintf(path, sizeof path, "a.b/c.%s", suffix);
    bool accepted = output_check("output", path, kind, &error);
    *err = support_err(&error);
    return accepted;
}

static void product(void **state)
{
    (void)state;
    static const char *const foreign[] = {"gz", "jpg", "hex", "eps", "fst"};
    struct err err;
    unsigned rejected = 0;
    assert_int_equal(KINDS, OUTPUT_KINDS);
    for (size_t a = 0; a < KINDS; a++) {
        for (size_t b = 0; b < KINDS; b++)
            for (size_t k = 0; k < 4 && kinds[b].suffix[k] != NULL; k++) {
                assert_int_equal(accepts(kinds[a].kind, kinds[b].suffix[k], &err), a == b);
                rejected += a != b;
                if (a != b)
                    support_error(&err, ERR_OPTION, "output: a.b/c.", kinds[b].suffix[k],
                                  "no suffix");
            }
        assert_int_equal(accepts(kinds[a].kind, "txt", &err), kinds[a].text);
        for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
            assert_false(accepts(kinds[a].kind, foreign[k], &err));
    }
    assert_int_equal(rejected, 18 * (KINDS - 1));
    support_error(&err, ERR_OPTION, "ends in .fst, but a folder is written; expected no suffix");
    assert_false(accepts(OUTPUT_PAGE, "PNG", &err));
    support_error(
        &err, ERR_OPTION,
        "output: a.b/c.PNG ends in .PNG, but a page of HTML is written; expected .html, .htm or "
        "no suffix; 'roundcast draw' and 'roundcast plot' write PNG");
}

static void names_without_a_kind(void **state)
{
    (void)state;
    static const char *const names[] = {"x",         "a.png/x", ".png",  "x.",          "x.v12",
                                        "/dev/null", "run.1",   "x.out", "a.html/.csv", "x.sched~"};
    for (size_t a = 0; a < KINDS; a++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            struct roundcast_error error = {0};
            if (!output_check("output", names[k], kinds[a].kind, &error))
                fail_msg("%s", error.text);
            assert_int_equal(output_kind_of(names[k]), OUTPUT_KINDS);
        }
    assert_true(output_check("output", "x.png", OUTPUT_KINDS, NULL));
    assert_int_equal(output_kind_of("a/x.GV"), OUTPUT_DOT);
    assert_int_equal(output_kind_of_format("msccl"), OUTPUT_XML);
    assert_int_equal(output_kind_of_format("other"), OUTPUT_KINDS);
}

/* -- Commands ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/roundcast-output-XXXXXX";

static void commands(void **state)
{
    (void)state;
    static const struct {
        const struct command *command;
        const char *line, *name, *message;
    } cases[] = {
        {&command_draw, "draw p.sched -o x.pdf", "x.pdf", "'dot -Tpdf F.dot' makes it"},
        {&command_draw, "draw p.sched --format svg -o x.png", "x.png", "a picture in SVG"},
        {&command_view, "view p.sched -o x.png", "x.png", "a page of HTML"},
        {&command_view, "view --index p.html -o x.json", "x.json", "a page of HTML"},
        {&command_sweep, "sweep a.study -o x.csv", "x.csv", "'roundcast sweep --csv F.sqlite'"},
        {&command_sweep, "sweep --csv a.sqlite -o x.db", "x.db", "comma-separated values"},
        {&command_sweep, "sweep --list a.study -o x.csv", "x.csv", "a list of commands"},
        {&command_schedule, "schedule path -n 4 -m 2 -o x.json", "x.json", "a schedule is written"},
        {&command_import, "import p.xml --from msccl -o x.xml", "x.xml", "a schedule is written"},
        {&command_export, "export p.sched --to msccl -o x.sched", "x.sched", "a file of XML"},
        {&command_export, "export p.sched --mpi-c -o x.py", "x.py", "a source file of C"},
        {&command_route, "route p.sched -o x.hex", "x.hex", "a folder is written"},
        {&command_plot, "plot plan -n 4 -m 4 --format png -o x.svg", "x.svg", "a picture in PNG"},
        {&command_run, "run path -n 4 -m 2 --engine csim --view x.svg", "x.svg", "a page of HTML"},
    };
    struct err err;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(support_run_command(cases[k].command, cases[k].line, &err));
        support_error(&err, ERR_OPTION, cases[k].name, cases[k].message);
        assert_int_not_equal(access(cases[k].name, F_OK), 0);
    }
}

/* Writes a page to an output, a terminal or a pipe. Returns whether it was written. */
static bool view_to(int output, struct err *err)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_true(kept >= 0 && dup2(output, STDOUT_FILENO) >= 0);
    bool written = support_run_command(&command_view, "view p.sched", err);
    fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    return written;
}

static void terminals(void **state)
{
    (void)state;
    struct err err;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_false(view_to(terminal, &err));
    support_error(&err, ERR_OPTION,
                  "output: a page of HTML does not go to a terminal; expected F.html, or a pipe");
    close(terminal);
    close(master);

    int file = open("page", O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    support_true(view_to(file, &err), &err);
    assert_true(lseek(file, 0, SEEK_END) > 50000);
    close(file);
    unlink("page");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(product),
                                       cmocka_unit_test(names_without_a_kind),
                                       cmocka_unit_test(commands), cmocka_unit_test(terminals)};
    struct err err;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 ||
        !support_run_command(&command_schedule, "schedule path -n 4 -m 2 -o p.sched", &err))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink("p.sched");
    return rmdir(folder) != 0 || failed;
}
