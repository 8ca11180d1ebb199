/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/second_reader.h"
#include "tests/support/cmocka_all.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CASES "cases"
#define PRINTED "printed"
#define READ "read"
#define MOST_LINES 1000
#define MOST_WORDS 20

struct outcomes {
    char **of;
    size_t count;
};

static char root[PATH_MAX], folder[] = "/tmp/roundcast-reader-XXXXXX";
static struct outcomes last;
static unsigned made;

static void outcomes_free(struct outcomes *outcomes)
{
    for (size_t k = 0; k < outcomes->count; k++)
        free(outcomes->of[k]);
    free(outcomes->of);
    *outcomes = (struct outcomes){0};
}

void second_reader_begin(void)
{
    assert_non_null(getcwd(root, sizeof root));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

void second_reader_end(void)
{
    char command[sizeof folder + 20];
    outcomes_free(&last);
    assert_int_equal(chdir(root), 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* Appends to a file in the working folder. */
static FILE *append(const char *name)
{
    FILE *file = fopen(name, "a");
    assert_non_null(file);
    return file;
}

/* Runs the program with standard output and error appended to a file. */
static int printing_to(const char *name, second_reader_program *program, const char *command)
{
    char words[400], *argument[MOST_WORDS + 1] = {"roundcast"}, *rest = words;
    int argc = 1;
    assert_in_range(snprintf(words, sizeof words, "%s", command), 1, sizeof words - 1);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        assert_true(argc < MOST_WORDS);
        argument[argc++] = word;
    }
    int output = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600), kept[2] = {dup(1), dup(2)};
    assert_true(output >= 0 && kept[0] >= 0 && kept[1] >= 0);
    fflush(stdout);
    dup2(output, 1);
    dup2(output, 2);
    int status = program(argc, argument);
    fflush(stdout);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    close(output);
    close(kept[0]);
    close(kept[1]);
    return status;
}

int second_reader_command(second_reader_program *program, const char *command)
{
    return printing_to("/dev/null", program, command);
}

static void note(const char *file, uint32_t row)
{
    FILE *cases = append(CASES);
    fprintf(cases, row > 0 ? "%s %" PRIu32 "\n" : "%s\n", file, row - 1);
    fclose(cases);
}

static void note_status(int status)
{
    FILE *printed = append(PRINTED);
    fprintf(printed, "status %d\n", status);
    fclose(printed);
}

void second_reader_case(second_reader_program *program, const char *file, uint32_t row)
{
    char command[200];
    note(file, row);
    snprintf(command, sizeof command, row > 0 ? "unpack %s --round %" PRIu32 : "verify %s", file,
             row);
    note_status(printing_to(PRINTED, program, command));
}

void second_reader_counted(const char *file, uint64_t rounds)
{
    note(file, 0);
    FILE *printed = append(PRINTED);
    fprintf(printed, "rounds %" PRIu64 "\n", rounds);
    fclose(printed);
    note_status(0);
}

/* --- Files with a mistake
 * ----------------------------------------------------------------------------- */

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

/* The lines of a file, and the function that makes cases from its copies. */
struct copies {
    second_reader_program *program;
    uint32_t row;
    char *line[MOST_LINES];
    size_t count;
};

static void write_case(const struct copies *copies, const char *text, size_t size)
{
    char name[40];
    snprintf(name, sizeof name, "changed-%u", ++made);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    second_reader_case(copies->program, name, copies->row);
}

/* Writes a copy in which a text replaces the lines from … to; the lines are removed if it is
 * empty. */
static void put(const struct copies *copies, size_t from, size_t to, const char *text)
{
    char *copy = NULL;
    size_t size;
    FILE *file = open_memstream(&copy, &size);
    assert_non_null(file);
    for (size_t k = 0; k < copies->count; k++)
        if (k < from || k > to)
            fprintf(file, "%s\n", copies->line[k]);
        else if (k == from && text[0] != '\0')
            fprintf(file, "%s\n", text);
    fclose(file);
    write_case(copies, copy, size);
    free(copy);
}

/* Writes a copy in which `by` replaces `length` bytes of a line. */
static void change(const struct copies *copies, size_t k, size_t at, size_t length, const char *by)
{
    char text[2000];
    const char *line = copies->line[k];
    size_t end = strlen(line) < at + length ? strlen(line) : at + length;
    at = at < end ? at : end;
    assert_in_range(snprintf(text, sizeof text, "%.*s%s%s", (int)at, line, by, line + end), 0,
                    sizeof text - 1);
    put(copies, k, k, text);
}

static void change_numbers(const struct copies *copies, size_t k)
{
    const char *line = copies->line[k];
    for (size_t at = strcspn(line, "0123456789"); line[at] != '\0';) {
        size_t length = strspn(line + at, "0123456789");
        if (length <= 7) {
            char by[24];
            long number = strtol(line + at, NULL, 10);
            snprintf(by, sizeof by, "%ld", number + 1);
            change(copies, k, at, length, by);
            snprintf(by, sizeof by, "%ld", number - 1);
            change(copies, k, at, length, number > 0 ? by : "00");
            change(copies, k, at, length, "99999999999999999999");
        }
        at += length;
        at += strcspn(line + at, "0123456789");
    }
}

/* Writes a copy in which a line is enclosed by two texts. */
static void wrap(const struct copies *copies, size_t k, const char *before, const char *after)
{
    char text[2000];
    assert_in_range(snprintf(text, sizeof text, "%s%s%s", before, copies->line[k], after), 0,
                    sizeof text - 1);
    put(copies, k, k, text);
}

void second_reader_changes(second_reader_program *program, const char *file, uint32_t row)
{
    struct copies copies = {.program = program, .row = row};
    size_t size;
    char *text = read_file(file, &size), *rest = text, exchanged[2000];
    for (char *line; (line = strsep(&rest, "\n")) != NULL && rest != NULL;) {
        assert_true(copies.count < MOST_LINES);
        copies.line[copies.count++] = line;
    }
    for (size_t k = 0; k < copies.count; k++) {
        put(&copies, k, k, "");
        snprintf(exchanged, sizeof exchanged, "%s\n", copies.line[k]);
        wrap(&copies, k, exchanged, "");
        if (k + 1 < copies.count) {
            snprintf(exchanged, sizeof exchanged, "%s\n%s", copies.line[k + 1], copies.line[k]);
            put(&copies, k, k + 1, exchanged);
        }
        wrap(&copies, k, "", " 1");
        wrap(&copies, k, "", " # a comment");
        wrap(&copies, k, "?", "");
        wrap(&copies, k, "\n \t", "");
        change(&copies, k, 2, 1, "x");
        change_numbers(&copies, k);
    }
    free(text);
}

void second_reader_cuts(second_reader_program *program, const char *file, uint32_t row, size_t step)
{
    const struct copies copies = {.program = program, .row = row};
    size_t size;
    char *text = read_file(file, &size);
    for (size_t cut = 0; cut < size; cut += step)
        write_case(&copies, text, cut);
    free(text);
}

/* --- Outcomes
 * ----------------------------------------------------------------------------------------- */

/* Returns whether the line is output of the program that readers do not print. */
static bool is_left_out(const char *line)
{
    uint64_t round;
    char end;
    return strncmp(line, "# ", 2) == 0 || sscanf(line, "round %" SCNu64 "%c", &round, &end) == 1 ||
           strstr(line, ": holds: ") != NULL || strncmp(line, "  transfers", 11) == 0;
}

/* `LINE CODE` of a message `roundcast: FILE:LINE: … [CODE name]`, `rounds N`, or the line. */
static void append_what(FILE *outcome, const char *line)
{
    const char *at = strchr(line, ':'), *code = NULL;
    uint64_t number;
    if (sscanf(line, "  rounds %" SCNu64, &number) == 1) {
        fprintf(outcome, "|rounds %" PRIu64, number);
        return;
    }
    if (strncmp(line, "roundcast: ", 11) == 0 && (at = strchr(at + 1, ':')) != NULL &&
        isdigit((unsigned char)at[1]))
        for (const char *next = at; (next = strstr(next, " [E")) != NULL; next++)
            code = next + 2;
    if (code != NULL)
        fprintf(outcome, "|%llu %.*s", strtoull(at + 1, NULL, 10), (int)strcspn(code, " "), code);
    else
        fprintf(outcome, "|%s", line);
}

static struct outcomes outcomes_of(const char *name)
{
    struct outcomes outcomes = {0};
    char *line = NULL, *what = NULL;
    size_t room = 0, size;
    FILE *file = fopen(name, "r"), *outcome = open_memstream(&what, &size);
    assert_non_null(file);
    assert_non_null(outcome);
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "status ", 7) != 0) {
            if (!is_left_out(line))
                append_what(outcome, line);
            continue;
        }
        fclose(outcome);
        outcomes.of = realloc(outcomes.of, (outcomes.count + 1) * sizeof *outcomes.of);
        assert_non_null(outcomes.of);
        assert_true(asprintf(&outcomes.of[outcomes.count++], "%s%s", line + 7, what) > 0);
        free(what);
        what = NULL;
        outcome = open_memstream(&what, &size);
        assert_non_null(outcome);
    }
    fclose(outcome);
    assert_int_equal(size, 0); /* nothing after the last status */
    fclose(file);
    free(what);
    free(line);
    return outcomes;
}

/* Returns the report of the reader for all cases, from a single process. */
static struct outcomes read_cases(const char *reader)
{
    char command[PATH_MAX + 200];
    snprintf(command, sizeof command, "LC_ALL=C awk -f '%s/tests/readers/%s' %s >%s 2>&1", root,
             reader, CASES, READ);
    assert_int_equal(system(command), 0);
    return outcomes_of(READ);
}

static int compare(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Reads the outcomes of the program and of the reader, and forgets the cases. */
static void collect(const char *reader, struct outcomes *ours)
{
    *ours = read_cases(reader);
    outcomes_free(&last);
    last = outcomes_of(PRINTED);
    assert_int_equal(ours->count, last.count);
    unlink(CASES);
    unlink(PRINTED);
}

size_t second_reader_differing(const char *reader)
{
    struct outcomes ours;
    size_t count = 0;
    collect(reader, &ours);
    for (size_t k = 0; k < last.count; k++)
        count += strcmp(ours.of[k], last.of[k]) != 0;
    outcomes_free(&ours);
    return count;
}

void second_reader_agree(const char *reader, const char *text, size_t least)
{
    struct outcomes ours;
    size_t different = 0;
    collect(reader, &ours);
    for (size_t k = 0; k < last.count; k++)
        if (strcmp(ours.of[k], last.of[k]) != 0)
            fail_msg("%s: case %zu: reader '%s', roundcast '%s'", text, k + 1, ours.of[k],
                     last.of[k]);
    outcomes_free(&ours);
    print_message("%s: %zu cases\n", text, last.count);
    qsort(last.of, last.count, sizeof *last.of, compare);
    for (size_t k = 0; k < last.count; k++)
        different += k == 0 || strcmp(last.of[k - 1], last.of[k]) != 0;
    assert_true(different >= least);
}

size_t second_reader_count(const char *reader, int status, const char *part)
{
    struct outcomes ours = read_cases(reader);
    size_t count = 0;
    for (size_t k = 0; k < ours.count; k++)
        count += atoi(ours.of[k]) == status && strstr(ours.of[k], part) != NULL;
    outcomes_free(&ours);
    unlink(CASES);
    unlink(PRINTED);
    return count;
}

bool second_reader_met(const char *word)
{
    for (size_t k = 0; k < last.count; k++)
        if (strstr(last.of[k], word) != NULL)
            return true;
    return false;
}
