/* SPDX-License-Identifier: Apache-2.0 */
/* test_results_no_memory: databases of results while SQLite, or jansson, runs out of memory.
 *
 * State space: the number k of the allocation of SQLite that fails × whether only that one fails or
 * all after it too × the encoding of the text: UTF-8, or UTF-16, which SQLite converts. One run
 * opens a database, renumbers a row, merges another database, adds a row and prints all rows.
 * Exhaustive in k with ROUNDCAST_EXHAUSTIVE. Sampled: each allocation site, identified by its
 * callers, where it allocates first.
 *
 * A run reports that there is no memory, or it has stored and printed every value, because SQLite
 * can do without some memory. It leaves no memory. Counter-case: the rows that are printed without
 * a failure have the values that were given.
 */
#include "sweep/columns.h"
#include "sweep/results.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/results_lab.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <errno.h>
#include <execinfo.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3_mem_methods usual;
static uint64_t calls, failing; /* the number of the call that fails; 0: none */
static int64_t live;
static bool onwards;

#define CALLERS 24
#define SITES 16384

/* Where the calls came from, a sum over their callers' addresses, and whether the call was the
 * first from there. Recorded while no call fails. */
static uint64_t known[SITES];
static bool is_first[SITES];

static void note(uint64_t number)
{
    void *caller[CALLERS];
    int count = backtrace(caller, CALLERS);
    uint64_t sum = 1;
    for (int k = 0; k < count; k++)
        sum = (sum ^ (uintptr_t)caller[k]) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = sum >> 50;
    while (known[at] != 0 && known[at] != sum)
        at = (at + 1) % SITES;
    if (number < SITES)
        is_first[number] = known[at] == 0;
    known[at] = sum;
}

static bool fails(void)
{
    calls++;
    if (failing == 0)
        note(calls);
    return failing > 0 && (calls == failing || (onwards && calls > failing));
}

static void *allocate(int size)
{
    void *piece = fails() ? NULL : usual.xMalloc(size);
    live += piece != NULL;
    return piece;
}

static void *resize(void *piece, int size)
{
    return fails() ? NULL : usual.xRealloc(piece, size);
}

static void release(void *piece)
{
    live -= piece != NULL;
    usual.xFree(piece);
}

/* The databases need not survive a crash of this machine: without waiting for the disk, the test
 * takes seconds instead of minutes. */
int fsync(int descriptor)
{
    return descriptor < 0 ? -1 : 0;
}

int fdatasync(int descriptor)
{
    return descriptor < 0 ? -1 : 0;
}

static void copy(const char *from, const char *to)
{
    char block[1 << 16];
    FILE *input = fopen(from, "rb"), *output = fopen(to, "wb");
    assert_true(input != NULL && output != NULL);
    size_t size = fread(block, 1, sizeof block, input);
    assert_in_range(size, 1, sizeof block - 1);
    assert_int_equal(fwrite(block, 1, size, output), size);
    fclose(input);
    assert_int_equal(fclose(output), 0);
}

static const char report[] = "{\"holds\": true, \"rounds\": 3, \"time\": \"5/2\"}";

static bool change(struct results *results, struct err *err)
{
    enum results_state state;
    struct results_row row = results_lab_row("run b");
    row.json = report;
    row.size = sizeof report - 1;
    row.status = 1;
    err_set(&row.err, ERR_LOST, "a packet did not arrive");
    return results_find(results, "run a", 9, &state, err) && state == RESULTS_HOLDS &&
           results_merge(results, results_lab_theirs, err) && results_add(results, &row, err) &&
           results_keep(results, err);
}

/* Executes everything; the rows are printed to `text`. */
static bool run(char text[2000], struct err *err)
{
    FILE *to = fmemopen(text, 2000, "w");
    assert_non_null(to);
    struct results *results = results_open(results_lab_ours, "v1", err);
    bool held = results != NULL && change(results, err);
    results_close(results);
    held = held && results_print(results_lab_ours, to, "a.csv", err);
    fclose(to);
    return held;
}

/* The databases before a run. */
static char ours[100], theirs[100];

/* Allocation `number` fails, and all after it if `on`. */
static bool try_one(const char *whole, uint64_t number, bool on)
{
    char text[2000];
    struct err err = {0};
    running("allocation %" PRIu64 "%s", number, on ? " and all after it" : "");
    copy(ours, results_lab_ours);
    copy(theirs, results_lab_theirs);
    calls = 0;
    live = 0;
    failing = number;
    onwards = on;
    bool held = run(text, &err);
    failing = 0;
    const char *complaint = live != 0 ? "memory is left"
                            : held    ? strcmp(text, whole) != 0 ? "a value is lost" : NULL
                            : err.code == ERR_TOO_BIG                   ? NULL
                            : strstr(err.text, "out of memory")         ? NULL
                            : strstr(err.text, ": no memory; expected") ? NULL
                                                                        : "another error";
    if (complaint != NULL)
        printf("# allocation %" PRIu64 "%s: %s: %" PRIi64 " left, %s [E%d] %s\n", number,
               on ? " and all after it" : "", complaint, live, err.text, (int)err.code,
               held ? text : "");
    return complaint == NULL;
}

/* Makes a database with the row of a command. */
static void make(const char *path, const char *encoding, const char *command)
{
    char text[4000], table[COLUMNS_TABLE_ROOM];
    struct err err = {0};
    const struct results_row row = results_lab_row(command);
    unlink(path);
    snprintf(text, sizeof text,
             "PRAGMA encoding = '%s'; PRAGMA application_id = 1380144976; PRAGMA user_version = 1; "
             "%s",
             encoding, columns_table(table));
    results_lab_execute(path, text);
    struct results *results = results_lab_open(path, "v1");
    results_lab_add(results, &row);
    support_true(results_keep(results, &err), &err);
    results_close(results);
}

static void try_all(const char *encoding)
{
    static const char *const rows[] = {
        "\nrun b,1,1,601,a packet did not arrive,v1,here,1.5,path,7,,,,,,,,,,,5,1,3,5/2,,",
        "\nrun c,1,0,,,v1,here,1.5,path,7,,,,,,,,,,,5,,,,,",
        "\nrun a,9,0,,,v1,here,1.5,path,7,,,,,,,,,,,5,,,,,"};
    char whole[2000];
    struct err err = {0};
    make(ours, encoding, "run a");
    make(theirs, encoding, "run c");
    copy(ours, results_lab_ours);
    copy(theirs, results_lab_theirs);
    calls = 0;
    support_true(run(whole, &err), &err);
    for (size_t which = 0; which < sizeof rows / sizeof *rows; which++)
        if (strstr(whole, rows[which]) == NULL)
            fail_msg("%s is not in %s", rows[which], whole);
    unsigned count = (unsigned)calls, runs = 0, wrong = 0;
    assert_in_range(count, 500, SITES - 1);
    for (unsigned number = 1; number <= count; number++)
        for (unsigned on = 0; on <= 1 && (running_exhaustive() || is_first[number]); on++, runs++)
            wrong += !try_one(whole, number, on != 0);
    printf("# %s: %u allocations, %u runs\n", encoding, count, runs);
    assert_int_equal(wrong, 0);
    unlink(ours);
    unlink(theirs);
}

static void every_allocation(void **unused)
{
    (void)unused;
    snprintf(ours, sizeof ours, "%s/whole-ours", results_lab_folder);
    snprintf(theirs, sizeof theirs, "%s/whole-theirs", results_lab_folder);
    try_all("UTF-8");
    try_all("UTF-16");
}

static void *no_json(size_t size)
{
    (void)size;
    errno = ENOMEM;
    return NULL;
}

/* A report that cannot be read without memory is not taken for one that is cut off. */
static void reports(void **unused)
{
    (void)unused;
    struct err err = {0};
    struct results_row row = results_lab_row("run b");
    row.json = report;
    row.size = sizeof report - 1;
    results_lab_make(results_lab_ours);
    struct results *results = results_lab_open(results_lab_ours, "v1");
    json_set_alloc_funcs(no_json, free);
    bool added = results_add(results, &row, &err);
    json_set_alloc_funcs(malloc, free);
    assert_false(added);
    support_error(&err, ERR_TOO_BIG, "a report");
    results_lab_add(results, &row);
    results_close(results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation),
                                       cmocka_unit_test(reports)};
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
    sqlite3_mem_methods mine = usual;
    mine.xMalloc = allocate;
    mine.xRealloc = resize;
    mine.xFree = release;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) != SQLITE_OK)
        return 1;
    return cmocka_run_group_tests(tests, results_lab_begin, results_lab_end);
}
