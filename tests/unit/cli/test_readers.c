/* SPDX-License-Identifier: Apache-2.0 */
/* test_readers: readers of schedules and images that were written from docs/formats.md, machine.md
 * and networks.md agree with the program.
 *
 * tests/readers has two readers that were written from these pages alone. They agree with
 * `verify` and `unpack` on valid files, and on the line and the code of the first mistake in files
 * that are not: schedules and images with a line left out, doubled or exchanged with the next, a
 * number changed, a byte inserted, the file cut anywhere. second_reader.h makes the mistakes, so
 * that neither side chooses them. Commands run as calls, and awk reads all cases of a test in one
 * process.
 *
 * Counter-case: a count that is wrong by one is reported as a difference.
 */
#define main program
#include "cli/main.c"
#undef main

#include "tests/support/cmocka_all.h"
#include "tests/support/second_reader.h"

#include <inttypes.h>
#include <stdarg.h>

#define GOLDEN "tests/golden/complete-graph.csv"
#define SCHEDULE "schedule.awk"
#define IMAGE "image.awk"

static char golden[1000][60];
static size_t rows;

/* Runs a command, formatted as by printf. */
static int command(const char *form, ...) __attribute__((format(printf, 1, 2)));
static int command(const char *form, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    return second_reader_command(program, text);
}

static void write_lines(const char *name, const char *const line[])
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (; *line != NULL; line++)
        fprintf(file, "%s\n", *line);
    fclose(file);
}

static void codes_are_met(const char *const code[])
{
    for (; *code != NULL; code++)
        if (!second_reader_met(*code))
            fail_msg("%s is not among the outcomes", *code);
}

static void test_broadcasts(void **state)
{
    (void)state;
    static const char *const names[] = {"binomial",  "path",     "binary-tree", "dary-trees",
                                        "fibonacci", "matching", "circulant",   "hypercube-trees"};
    static const unsigned nodes[] = {1, 2, 3, 5, 8, 13, 22}, packets[] = {1, 2, 7};
    for (size_t size = 0; size < 7; size++)
        for (size_t m = 0; m < 3; m++)
            for (size_t which = 0; which < 8; which++) {
                char name[60];
                snprintf(name, sizeof name, "%s-%u-%u.sched", names[which], nodes[size],
                         packets[m]);
                if (command("schedule %s -n %u -m %u -s %u -o %s", names[which], nodes[size],
                            packets[m], nodes[size] / 2, name) == 0)
                    second_reader_case(program, name, 0);
            }
    second_reader_agree(SCHEDULE, "broadcasts are read, and end where verify says", 20);
}

/* Counts from an independent program for other sizes: every seventh row of the file. */
static void test_golden(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"binomial", "binomial"},   {"path", "path"},
                                           {"binary", "binary-tree"},  {"bnks", "matching"},
                                           {"circulant", "circulant"}, {"ho", "hypercube-trees"},
                                           {"gft", "fibonacci"}};
    for (size_t row = 6; row < rows; row += 7) {
        char name[40], degree[40] = "", file[40];
        unsigned n, m, d;
        uint64_t rounds;
        if (sscanf(golden[row], "%39[^,],sr,%u,%u,,,%" SCNu64, name, &n, &m, &rounds) != 4) {
            if (sscanf(golden[row], "%39[^,],sr,%u,%u,%u,,%" SCNu64, name, &n, &m, &d, &rounds) !=
                5)
                continue;
            snprintf(degree, sizeof degree, "-d %u", d);
        }
        for (size_t which = 0; which < 7; which++)
            if (strcmp(name, names[which][0]) == 0 && n <= 64 && m <= 16) {
                snprintf(file, sizeof file, "golden-%zu.sched", row);
                assert_int_equal(command("schedule %s -n %u -m %u %s -o %s", names[which][1], n, m,
                                         degree, file),
                                 0);
                second_reader_counted(file, rounds);
            }
    }
    second_reader_agree(SCHEDULE, "the golden file's broadcasts end where it says", 10);
}

static void test_changed_schedules(void **state)
{
    (void)state;
    assert_int_equal(command("schedule matching -n 6 -m 2 -s 1 -o good.sched"), 0);
    second_reader_changes(program, "good.sched", 0);
    second_reader_agree(SCHEDULE, "a schedule with one change", 40);
    codes_are_met((const char *const[]){"E203", "E204", "E205", "E206", "E209", "E210", "E301",
                                        "E302", "E303", NULL});
    second_reader_cuts(program, "good.sched", 0, 1);
    second_reader_agree(SCHEDULE, "a schedule that is cut anywhere", 15);
}

/* Schedules with comments, blanks, several demands, and rounds left out. */
static void test_odd_schedules(void **state)
{
    (void)state;
    static const char *const demands[][2] = {{"demand 1-2 3 *", "demand 3 0 1,2"},
                                             {"demand 1-2 3 1,2", "demand 3 0 1"},
                                             {"demand 1-2 3 1,2", "demand 3 0 1"},
                                             {"demand 1-2 3 2,2", "demand 3 0 1"}};
    for (unsigned which = 0; which < 4; which++) {
        char name[20];
        snprintf(name, sizeof name, "odd-%u", which);
        write_lines(name, (const char *const[]){
                              "roundcast-schedule 1 # c", "", "algorithm x  # y",
                              " topology\tcomplete 4", "#", "model send-receive", demands[which][0],
                              demands[which][1], "round 2", "3 0 1", "0 1 3", "round 7", "3 1 2",
                              which < 2 ? "0 2 1" : "3 2 1\n0 3 1", "end 7", "# behind", NULL});
        second_reader_case(program, name, 0);
    }
    second_reader_agree(SCHEDULE, "comments, blanks, several demands, rounds left out", 2);
}

static void test_other_models(void **state)
{
    (void)state;
    static const char *const schedules[] = {
        "matching -n 4 -m 2 --model telephone", "postal-bcast -n 4 -m 1 --lambda 2",
        "tree-broadcast --tree 2,2", "cube-single --dim 2 -m 1"};
    for (unsigned which = 0; which < 4; which++) {
        char name[20];
        snprintf(name, sizeof name, "other-%u", which);
        assert_int_equal(command("schedule %s -o %s", schedules[which], name), 0);
        second_reader_case(program, name, 0);
    }
    assert_int_equal(second_reader_count(SCHEDULE, 3, " other"), 4);
}

/* --- Images
 * ------------------------------------------------------------------------------------------- */

/* Routes a schedule into FOLDER/image.hex; returns the number of rows of the run. */
static uint32_t make_image(const char *folder, const char *network, const char *schedule)
{
    char name[60], line[200] = "";
    uint32_t count = 0;
    assert_int_equal(command("schedule %s -o routed.sched", schedule), 0);
    assert_int_equal(command("route routed.sched --network %s --flits 2 -o %s", network, folder),
                     0);
    snprintf(name, sizeof name, "%s/image.hex", folder);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "// run rows=%" SCNu32, &count) != 1)
        ;
    fclose(file);
    assert_true(count > 0);
    return count;
}

static void test_circuits(void **state)
{
    (void)state;
    static const char *const machines[][2] = {
        {"benes:2", "matching -n 2 -m 3"},        {"benes:3", "circulant -n 3 -m 3"},
        {"benes:5", "circulant -n 5 -m 4"},       {"benes:8", "matching -n 8 -m 5"},
        {"benes:8", "hypercube-trees -n 8 -m 3"}, {"benes:13", "matching -n 13 -m 4"},
        {"benes:32", "fibonacci -n 22 -m 4"},     {"benes:71", "matching -n 70 -m 2"},
        {"benes:128", "circulant -n 128 -m 2"}};
    for (unsigned which = 0; which < 9; which++) {
        char folder[20], name[40];
        snprintf(folder, sizeof folder, "machine-%u", which);
        snprintf(name, sizeof name, "%s/image.hex", folder);
        uint32_t count = make_image(folder, machines[which][0], machines[which][1]);
        for (uint32_t row = 1; row <= count; row++)
            second_reader_case(program, name, row);
    }
    second_reader_agree(IMAGE, "the circuits of all rows are those of unpack", 50);
}

/* Writes the image with one digit changed in a line of the three-word tables. Returns false if the
 * line has no words of the tables. */
static bool write_flipped(const char *from, const char *to, unsigned line_number, unsigned digit)
{
    char line[2000];
    bool table = false, flipped = false;
    FILE *good = fopen(from, "r"), *bad = fopen(to, "w");
    assert_true(good != NULL && bad != NULL);
    for (unsigned at = 1; fgets(line, sizeof line, good) != NULL; at++) {
        if (line[0] == '@')
            table = line[1] == '1';
        if (at == line_number && table && line[0] != '@' && line[0] != '/') {
            char *word = line;
            for (unsigned k = 1; k < digit && word != NULL; k++)
                word = (word = strchr(word, ' ')) != NULL ? word + 1 : NULL;
            if (word != NULL && strlen(word) >= 8) {
                memcpy(word, strncmp(word, "00000000", 8) == 0 ? "00000001" : "00000000", 8);
                flipped = true;
            }
        }
        fputs(line, bad);
    }
    fclose(good);
    fclose(bad);
    return flipped;
}

/* If a word of the tables is changed, both readers follow it to the same packets. */
static void test_flipped(void **state)
{
    (void)state;
    uint32_t count = make_image("five", "benes:5", "matching -n 4 -m 2");
    for (unsigned digit = 1; digit <= 3; digit++)
        for (unsigned line = 1; line <= 200; line++) {
            char name[40];
            snprintf(name, sizeof name, "flipped-%u-%u", digit, line);
            if (!write_flipped("five/image.hex", name, line, digit))
                continue;
            for (uint32_t row = 1; row <= count; row++)
                second_reader_case(program, name, row);
        }
    second_reader_agree(IMAGE, "a word of the tables changed", 6);
    assert_true(second_reader_met("expects nothing") || second_reader_met("takes it for"));
}

static void test_changed_images(void **state)
{
    (void)state;
    make_image("good", "benes:5", "matching -n 4 -m 2");
    second_reader_changes(program, "good/image.hex", 2);
    second_reader_agree(IMAGE, "an image with one change", 20);
    codes_are_met((const char *const[]){"E203", "E204", "E205", "E207", "E401", "E406", NULL});
    second_reader_cuts(program, "good/image.hex", 2, 7);
    second_reader_agree(IMAGE, "an image that is cut anywhere", 3);
}

/* Counter-cases: counts that are wrong by one, next to a correct one. */
static void test_differing(void **state)
{
    (void)state;
    assert_int_equal(command("schedule path -n 4 -m 2 -o path.sched"), 0);
    for (uint64_t rounds = 3; rounds <= 5; rounds++)
        second_reader_counted("path.sched", rounds);
    assert_int_equal(second_reader_differing(SCHEDULE), 2);
}

static int begin(void **state)
{
    (void)state;
    FILE *file = fopen(GOLDEN, "r");
    if (file == NULL)
        return -1;
    while (rows < sizeof golden / sizeof *golden &&
           fgets(golden[rows], sizeof golden[0], file) != NULL)
        rows++;
    fclose(file);
    second_reader_begin();
    return 0;
}

static int end(void **state)
{
    (void)state;
    second_reader_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcasts),        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_changed_schedules), cmocka_unit_test(test_odd_schedules),
        cmocka_unit_test(test_other_models),      cmocka_unit_test(test_circuits),
        cmocka_unit_test(test_flipped),           cmocka_unit_test(test_changed_images),
        cmocka_unit_test(test_differing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
