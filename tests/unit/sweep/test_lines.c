/* SPDX-License-Identifier: Apache-2.0 */
/* test_lines: lines are split into words as a shell splits them.
 *
 * Exhaustive: every line of up to 5 bytes (with ROUNDCAST_EXHAUSTIVE 6) made of a letter, a blank,
 * both quotes, a backslash and #, compared with the words that bash reads as an array; a line that
 * bash rejects because a quote is not closed is rejected here too. Lines that end with a backslash,
 * which bash joins with the next line, and bytes that no text contains are tried by hand.
 * Programs of a shell: found on PATH, absent, ended by a signal, without a pipe.
 * Counter-cases: splitting at blanks alone, and quotes that are no part of a word, do not agree
 * with bash.
 */
#include "sweep/lines.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM 64
#define NONE "none"     /* for a line without a word */
#define REFUSED "none!" /* for text that is not a valid line */

static const char letters[] = "a '\"\\#";

/* Prints a line for each line of standard input: each of its words after a <, and then a >. */
static const char bash[] = "while IFS= read -r line; do words=()\n"
                           "if eval \"words=($line\"$'\\n)' 2>/dev/null; then\n"
                           "if [ ${#words[@]} = 0 ]; then echo " NONE "; else\n"
                           "printf '<%s' \"${words[@]}\"; echo '>'; fi\n"
                           "else echo " REFUSED "; fi; done\n";

/* Splits a line with lines_read and prints its words in the same form. */
static void split(const char *line, char words[ROOM])
{
    struct lines lines = {0};
    struct err err = {0};
    char text[ROOM];
    int size = snprintf(text, sizeof text, "%s\n", line);
    FILE *from = fmemopen(text, (size_t)size, "r");
    assert_non_null(from);
    bool read = lines_read(from, "a.batch", &lines, &err);
    fclose(from);
    strcpy(words, err.code == ERR_CUT ? NONE : REFUSED);
    if (read) {
        assert_int_equal(lines.count, 1);
        assert_int_equal(lines.line[0].number, 1);
        words[0] = '\0';
        for (size_t word = 0; word < lines.line[0].count; word++)
            strcat(strcat(words, "<"), lines.line[0].word[word]);
        strcat(words, ">");
    }
    lines_free(&lines);
}

/* Counter-case: splits a line at blanks alone; # begins a comment. */
static void split_at_blanks(const char *line, char words[ROOM])
{
    char text[ROOM], *rest = NULL;
    snprintf(text, sizeof text, "%s", line);
    words[0] = '\0';
    for (char *word = strtok_r(text, " ", &rest); word != NULL && word[0] != '#';
         word = strtok_r(NULL, " ", &rest))
        strcat(strcat(words, "<"), word);
    strcat(words, words[0] == '\0' ? NONE : ">");
}

/* Writes the line of a number: each of its digits, from 1, is one of the letters. */
static void line_of(unsigned number, char line[ROOM])
{
    size_t length = 0;
    for (const unsigned base = sizeof letters - 1; number > 0; number = (number - 1) / base)
        line[length++] = letters[(number - 1) % base];
    line[length] = '\0';
}

static unsigned count_of(unsigned longest)
{
    unsigned count = 1;
    for (; longest > 0; longest--)
        count = count * (unsigned)(sizeof letters - 1) + 1;
    return count;
}

static void test_bash(void **state)
{
    (void)state;
    char path[] = "/tmp/roundcast-lines-XXXXXX", command[200], line[ROOM], seen[ROOM],
         reported[ROOM];
    unsigned count = count_of(running_exhaustive() ? 6 : 5), naive = 0, refused = 0;
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    assert_non_null(file);
    for (unsigned number = 0; number < count; number++) {
        line_of(number, line);
        fprintf(file, "%s\n", line);
    }
    fclose(file);
    setenv("ROUNDCAST_TEST_BASH", bash, 1);
    snprintf(command, sizeof command, "bash -c \"$ROUNDCAST_TEST_BASH\" <%s", path);
    FILE *from = popen(command, "r");
    assert_non_null(from);
    for (unsigned number = 0; number < count; number++) {
        line_of(number, line);
        running("%s", line);
        assert_non_null(fgets(reported, sizeof reported, from));
        reported[strcspn(reported, "\n")] = '\0';
        if (line[0] != '\0' && line[strlen(line) - 1] == '\\')
            continue;
        split(line, seen);
        assert_string_equal(seen, reported);
        refused += strcmp(reported, REFUSED) == 0;
        split_at_blanks(line, seen);
        naive += strcmp(seen, reported) != 0;
    }
    assert_int_equal(pclose(from), 0);
    remove(path);
    printf("# %u lines, %u of them refused, %u not split at blanks alone\n", count, refused, naive);
    assert_in_range(refused, count / 10, count / 2);
    assert_in_range(naive, count / 2, count);
}

static void expect(const char *line, const char *words)
{
    char seen[ROOM];
    running("%s", line);
    split(line, seen);
    assert_string_equal(seen, words);
}

static void test_others(void **state)
{
    (void)state;
    expect("a\\", REFUSED);
    expect("a\\\\", "<a\\>");
    expect("'a\\'", "<a\\>");
    expect("a\tb", "<a<b>");
    expect("'a\tb'", "<a\tb>");
    expect("\"\\$x \\`\"", "<$x `>");
    expect("'\\$'", "<\\$>");
    expect("λ=5/2 '…'", "<λ=5/2<…>");
    expect("\xef\xbb\xbf"
           "a",
           REFUSED);
    expect("a\xef\xbc\x91", "<a\xef\xbc\x91>");
    expect("\xef\xbc\x91", "<\xef\xbc\x91>");
    for (char byte = 1; byte < ' '; byte++)
        if (byte != '\t' && byte != '\n')
            expect((char[]){'a', byte, 'b', '\0'}, REFUSED);
    expect("a\x7f", REFUSED);
}

/* Checks line numbers, a line longer than any buffer, and a file that is cut off. */
static void test_files(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    struct lines lines = {0};
    struct err err = {0};
    char *text = malloc(LONG + 100);
    assert_non_null(text);
    int size = sprintf(text, "# one\n\na # b\n  \nb '");
    memset(text + size, 'c', LONG);
    strcpy(text + size + LONG, "' d\n");
    FILE *from = fmemopen(text, strlen(text), "r");
    assert_true(lines_read(from, "a.batch", &lines, &err));
    fclose(from);
    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.line[0].number, 3);
    assert_int_equal(lines.line[1].number, 5);
    assert_int_equal(lines.line[1].count, 3);
    assert_int_equal(strlen(lines.line[1].word[1]), LONG);
    assert_null(lines.line[1].word[3]);
    lines_free(&lines);
    from = fmemopen(text, strlen(text) - 1, "r");
    assert_false(lines_read(from, "a.batch", &lines, &err));
    assert_int_equal(err.code, ERR_CUT);
    assert_memory_equal(err.text, "a.batch:5: ", 11);
    fclose(from);
    lines_free(&lines);
    free(text);
}

/* A word that is quoted for a shell is read back as the same single word. */
static void test_quoted(void **state)
{
    (void)state;
    static const char *const words[] = {"",   "a",  "a b", "it's", "'",
                                        "#a", "\"", "\\",  "$x",   "λ=5/2"};
    for (size_t which = 0; which < sizeof words / sizeof *words; which++) {
        char text[ROOM] = {0}, same[ROOM];
        FILE *to = fmemopen(text, sizeof text, "w");
        assert_non_null(to);
        shell_quote(to, words[which]);
        fclose(to);
        snprintf(same, sizeof same, "<%s>", words[which]);
        expect(text, same);
    }
}

static ssize_t read_nothing(void *cookie, char *bytes, size_t size)
{
    (void)cookie, (void)bytes, (void)size;
    errno = EIO;
    return -1;
}

static void test_unreadable(void **state)
{
    (void)state;
    struct lines lines = {0};
    struct err err = {0};
    FILE *from = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_nothing});
    assert_non_null(from);
    assert_false(lines_read(from, "a.batch", &lines, &err));
    support_error(&err, ERR_READ, "a.batch:1: cannot read: Input/output error; expected a line");
    fclose(from);
    lines_free(&lines);
}

/* -- Programs of a shell ----------------------------------------------------------------------- */

/* A program is found in a folder of PATH; an empty folder of PATH, which a shell takes for the
 * current one, is none. */
static void test_has(void **state)
{
    (void)state;
    char folder[] = "/tmp/roundcast-lines-XXXXXX", path[100], program[100];
    struct err err = {0};
    char *usual = strdup(getenv("PATH"));
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/gnu-parallel", folder);
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    fclose(file);
    snprintf(path, sizeof path, "::/nowhere:%s:", folder);
    setenv("PATH", path, 1);
    assert_false(shell_has("gnu-parallel", "parallel", &err)); /* it cannot be executed */
    support_error(&err, ERR_TOOL,
                  "gnu-parallel is not on PATH; expected it, of the package parallel");
    assert_int_equal(chmod(program, 0700), 0);
    assert_true(shell_has("gnu-parallel", "parallel", &err));
    assert_false(shell_has("gnu-parallels", "parallel", &err));
    unsetenv("PATH");
    assert_false(shell_has("gnu-parallel", "parallel", &err));
    assert_int_equal(chdir(folder), 0);
    setenv("PATH", "", 1);
    assert_false(shell_has("gnu-parallel", "parallel", &err));
    setenv("PATH", usual, 1);
    free(usual);
    assert_int_equal(chdir("/"), 0);
    unlink(program);
    rmdir(folder);
}

static void test_run(void **state)
{
    (void)state;
    char printed[8];
    struct rlimit usual, none;
    assert_int_equal(shell_run("printf ab; exit 3", printed, sizeof printed), 3);
    assert_string_equal(printed, "ab");
    assert_int_equal(shell_run("true", printed, sizeof printed), 0);
    assert_string_equal(printed, "");
    /* the rest is read, so that the program does not wait or end by a signal */
    assert_int_equal(shell_run("seq 100000 && exit 4", printed, sizeof printed), 4);
    assert_string_equal(printed, "1\n2\n3\n4");
    assert_int_equal(shell_run("printf abc; kill -KILL $$", printed, sizeof printed), -1);
    assert_string_equal(printed, "abc");
    /* no descriptor is left for a pipe */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = usual;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    int status = shell_run("true", printed, sizeof printed);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(status, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bash),       cmocka_unit_test(test_others),
        cmocka_unit_test(test_quoted),     cmocka_unit_test(test_files),
        cmocka_unit_test(test_unreadable), cmocka_unit_test(test_has),
        cmocka_unit_test(test_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
