/* SPDX-License-Identifier: Apache-2.0 */
/* test_no_memory: commands that run out of memory at each of their allocations in turn.
 *
 * State space: a command line × the number k of the call that fails × whether only that call fails
 * or all calls after it too. Commands: every algorithm, network and way to store settings, every
 * report in both forms, every reader and writer. Exhaustive in k with ROUNDCAST_EXHAUSTIVE.
 * Sampled: each allocation site, identified by its callers, in the first command that reaches it.
 *
 * judge_no_memory.h defines how each run must end. Help is not among the commands, because it
 * allocates no memory.
 *
 * Counter-cases: the judge rejects a run that leaves memory, a descriptor or a file, and a run that
 * prints no error or another error.
 *
 * tags: long no-memory
 */
#define main program
#include "cli/main.c"
#undef main

#include "tests/support/cmocka_all.h"
#include "tests/support/judge_no_memory.h"
#include "tests/support/no_memory.h"
#include "tests/support/no_memory_commands.h"
#include "tests/support/running.h"
#include "tests/support/seen.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-no-memory-XXXXXX";

static unsigned runs;

static unsigned try_one(const char *command, const struct seen *whole, uint64_t before,
                        uint64_t number, bool on)
{
    running("%s, call %" PRIu64 "%s", command, number, on ? " and all after it" : "");
    static struct seen seen;
    seen_run(program, command, number, on, &seen);
    runs++;
    const char *complaint = judge_no_memory(command, &seen, whole, before);
    if (complaint != NULL)
        printf("# %s, call %" PRIu64 " of %" PRIu64 "%s: %s: exit %d, %" PRIi64 " pieces left, "
               "standard error: %sstandard output: %.1200s\n",
               command, number, whole->calls, on ? " and all after it" : "", complaint, seen.status,
               seen.left, seen.error, seen.output);
    return complaint != NULL;
}

/* Returns whether this place allocates memory for the first time. */
static bool is_new(uint64_t place)
{
    static uint64_t known[1 << 16];
    static size_t count;
    size_t at = place & 0xffff;
    for (; known[at] != 0; at = (at + 1) & 0xffff)
        if (known[at] == place)
            return false;
    assert_true(++count < 1 << 15);
    known[at] = place;
    return true;
}

static unsigned try_command(const char *command)
{
    static struct seen whole;
    seen_remove_made();
    uint64_t before = seen_files();
    bool refused = command[0] == '!';
    command += refused ? 2 : 0;
    seen_run(program, command, 0, false, &whole);
    if ((whole.status != 0) != refused)
        fail_msg("%s: exit %d: %s", command, whole.status, whole.error);
    assert_in_range(whole.calls, 0, NO_MEMORY_CALLS);
    unsigned faults = 0;
    bool all = running_exhaustive();
    for (uint64_t number = 1; number <= whole.calls; number++)
        if (all || is_new(no_memory_place(number)))
            for (unsigned on = 0; on <= 1; on++)
                faults += try_one(command, &whole, before, number, on != 0);
    return faults;
}

static void test_commands(void **state)
{
    (void)state;
    unsigned faults = 0;
    for (size_t which = 0; no_memory_tried[which] != NULL; which++)
        faults += try_command(no_memory_tried[which]);
    printf("# %u runs\n", runs);
    assert_int_equal(faults, 0);
}

/* Runs that the judge must reject: each differs in one way from a run that failed correctly. */
static void test_judge(void **state)
{
    (void)state;
    static const char message[] = "roundcast: no memory for it [E104 too-big]\n";
    static struct seen whole = {.calls = 3, .files = 7, .printed = 3, .output = "ab\n"}, seen;
    static const struct {
        int status;
        int64_t left;
        unsigned open;
        uint64_t files;
        const char *output, *error, *complaint;
    } cases[] = {
        {2, 0, 0, 5, "", message, NULL},
        {2, 0, 0, 7, "a", message, NULL},
        {0, 0, 0, 7, "ab\n", "", NULL},
        {2, 0, 0, 5, "", "roundcast: x: Cannot allocate memory; y [E202 write]\n", NULL},
        {2, 0, 0, 5, "{\n  \"error\": {\n", message, NULL},
        {2, 0, 0, 5, "line  command\n1  path  no memory [E104 too-big]\n", message, NULL},
        {2, 0, 0, 5, "file            verdict\na.sched         E104     -\n", message, NULL},
        {2, 0, 0, 5, "{\n  \"schedules\": 2,\n \"code\": 104", message, NULL},
        {2, 1, 0, 5, "", message, "memory is left"},
        {2, -1, 0, 5, "", message, "memory is left"},
        {2, 0, 1, 5, "", message, "a descriptor is left"},
        {2, 0, 0, 6, "", message, "files are half written"},
        {2, 0, 0, 5, "b", message, "something else is printed"},
        {2, 0, 0, 5, "line  command\n1  path  ok\n", message, "something else is printed"},
        {2, 0, 0, 5, "file            verdict\na.sched         E204     -\n", message,
         "something else is printed"},
        {2, 0, 0, 5, "{\n  \"schedules\": 2,\n \"code\": 204", message,
         "something else is printed"},
        {2, 0, 0, 5, "ab\nc", message, "something else is printed"},
        {0, 0, 0, 7, "ac\n", "", "another exit status than 2"},
        {0, 0, 0, 6, "ab\n", "", "another exit status than 2"},
        {3, 0, 0, 5, "", message, "another exit status than 2"},
        {2, 0, 0, 5, "", "", "another message"},
        {2, 0, 0, 5, "", "roundcast: x [E102 range]\n", "another message"},
    };
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        seen = (struct seen){.status = cases[which].status,
                             .left = cases[which].left,
                             .open = cases[which].open,
                             .files = cases[which].files,
                             .printed = strlen(cases[which].output)};
        strcpy(seen.output, cases[which].output);
        strcpy(seen.error, cases[which].error);
        const char *complaint = judge_no_memory("schedule", &seen, &whole, 5);
        assert_string_equal(complaint ? complaint : "",
                            cases[which].complaint ? cases[which].complaint : "");
    }
}

/* Memory that is not freed is counted, and every kind of call fails when it is made to. */
static void test_allocator(void **state)
{
    (void)state;
    int64_t left;
    no_memory_begin(2, false);
    void *volatile first = malloc(1), *volatile second = calloc(1, 1),
                   *volatile third = strdup("a");
    assert_int_equal(no_memory_end(&left), 3);
    assert_int_equal(left, 2);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    no_memory_begin(1, true);
    assert_null(realloc(first, 2));
    void *volatile fourth = aligned_alloc(64, 64);
    assert_null(fourth);
    assert_null(fopen("/dev/null", "r"));
    free(first);
    free(third);
    no_memory_end(&left);
    assert_int_equal(left, -2);
}

static int prepare(void **state)
{
    (void)state;
    omp_set_num_threads(1);
    no_memory_prepare();
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    seen_prepare();
    assert_int_equal(mkdir("engines", 0777), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("ROUNDCAST_ENGINES");
    unsetenv("LD_PRELOAD"); /* the tools must not inherit a fault of qa/mutants */
    assert_int_equal(mkdir("roundcast", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef/rtl-one", 0777), 0);
    assert_int_equal(mkdir("roundcast/0123456789abcdef/rtl-two", 0777), 0);
    no_memory_write_files(folder);
    for (size_t which = 0; no_memory_prepared[which] != NULL; which++) {
        static struct seen seen;
        seen_run(program, no_memory_prepared[which], 0, false, &seen);
        if (seen.status != 0)
            fail_msg("%s: %s", no_memory_prepared[which], seen.error);
    }
    return 0;
}

static int tidy(void **state)
{
    (void)state;
    char command[1024];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocator),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_commands),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
