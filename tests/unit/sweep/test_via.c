/* SPDX-License-Identifier: Apache-2.0 */
/* test_via: parts of a study, and rounds of jobs that this program plays.
 *
 * A study of six points, one of which is excluded, is divided into parts; the text of each part is
 * compared with one written by hand. The jobs of a round run here: all of them, the first one, or
 * none; so the number of rounds is known in advance. Each allocation fails in turn, alone. Faults:
 * folders that cannot be made, are too long, or contain something else; a study that is none; a
 * signal while rows are merged.
 * Counter-cases: each fault is preceded by a case without it.
 *
 * tags: no-memory
 */
#include "sched/base/interrupt.h"
#include "sweep/via.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/roundcast-via-XXXXXX";

/* Points 1 … 6 without 3. */
static const char study_of_all[] = "roundcast-study 1\nalgorithm circulant\nn 4\nm 1..6\n"
                                   "engine csim\nskip m=3\n";
#define POINTS 5
static const uint64_t numbers[POINTS] = {1, 2, 4, 5, 6};

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *head, const char *rest)
{
    char text[1000], expected[1000];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    snprintf(expected, sizeof expected, "%s%s", head, rest);
    assert_string_equal(text, expected);
}

static void read_study(const char *path, struct study *study)
{
    struct err err = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    *study = (struct study){0};
    support_true(study_read(file, path, study, &err), &err);
    fclose(file);
}

static struct results *open_results(const char *path)
{
    struct err err = {0};
    struct results *results = results_open(path, NULL, &err);
    support_true(results != NULL, &err);
    return results;
}

/* Plays the job of a part: a row for each point. With a status, the point has failed. */
static void play_job(const char *parts, unsigned part, int status)
{
    static const struct results_asked asked = {"algorithm", "circulant"};
    char path[200];
    struct study study;
    struct err err = {0};
    snprintf(path, sizeof path, "%s/%u.study", parts, part);
    read_study(path, &study);
    snprintf(path, sizeof path, "%s/%u.sqlite", parts, part);
    struct results *results = open_results(path);
    for (uint64_t number = study_next(&study, 1); number != 0;
         number = study_next(&study, number + 1)) {
        char *command = study_text(&study, number);
        const struct results_row row = {.command = command,
                                        .number = number,
                                        .status = status,
                                        .version = "1",
                                        .host = "here",
                                        .asked = &asked,
                                        .asked_count = 1};
        support_true(results_add(results, &row, &err), &err);
        free(command);
    }
    support_true(results_keep(results, &err), &err);
    results_close(results);
    study_free(&study);
    snprintf(path, sizeof path, "%s/%u.json", parts, part);
    put(path, "{}\n");
}

/* -- Parts ------------------------------------------------------------------------------------- */

static void parts_have_their_points(void **state)
{
    (void)state;
    static const struct {
        unsigned asked, made;
        const char *line[POINTS];
    } cases[] = {
        {1, 1, {"points 1..2 4..6\n"}},
        {2, 2, {"points 1..2\n", "points 4..6\n"}},
        {3, 3, {"points 1\n", "points 2 4\n", "points 5..6\n"}},
        {9, 5, {"points 1\n", "points 2\n", "points 4\n", "points 5\n", "points 6\n"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct parts parts = {.folder = "parts", .study = "a.study", .count = cases[k].asked};
        struct err err = {0};
        support_true(parts_write(&parts, numbers, POINTS, &err), &err);
        assert_int_equal(parts.count, cases[k].made);
        for (unsigned part = 1; part <= cases[k].made; part++) {
            char path[40];
            snprintf(path, sizeof path, "parts/%u.study", part);
            assert_text(path, study_of_all, cases[k].line[part - 1]);
        }
        parts_remove(&parts);
        assert_int_not_equal(access("parts/1.study", F_OK), 0);
    }
}

static void parts_cannot_be_written(void **state)
{
    (void)state;
    static char long_folder[4096]; /* only the names of the files in it are too long */
    memset(long_folder, '/', 4090);
    memcpy(long_folder, folder, strlen(folder));
    memcpy(long_folder + 4085, "parts", 5);
    assert_int_equal(mkdir("full", 0777), 0);
    assert_int_equal(mkdir("full/1.study", 0777), 0);
    const struct {
        struct parts parts;
        enum err_code code;
        const char *text;
    } cases[] = {
        {{.folder = "none/parts", .study = "a.study"},
         ERR_WRITE,
         "none/parts: No such file or directory; expected a folder that can be made"},
        {{.folder = long_folder, .study = "a.study"},
         ERR_WRITE,
         "…: the name is too long; expected less than 4096 bytes"},
        {{.folder = "full", .study = "a.study"}, ERR_WRITE, "full/1.study: cannot write"},
        {{.folder = "parts", .study = "none.study"}, ERR_READ, "none.study: "},
        {{.folder = "parts", .study = "."}, ERR_READ, ".: "},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct parts parts = cases[k].parts;
        struct err err = {0};
        running("case %zu", k);
        parts.count = 2;
        assert_false(parts_write(&parts, numbers, POINTS, &err));
        support_error(&err, cases[k].code, cases[k].text);
        assert_int_not_equal(access("parts/1.study", F_OK), 0);
    }
    struct parts parts = {.folder = long_folder}; /* which therefore has no parts */
    struct err err = {0};
    struct results *results = open_results("merged.sqlite");
    support_true(parts_merge(&parts, true, results, &err), &err);
    results_close(results);
    parts_remove(&parts);
    rmdir("full/1.study");
    rmdir("full");
}

/* A part is merged when its report exists, or always if that is asked for. */
static void parts_are_merged(void **state)
{
    (void)state;
    struct err err = {0};
    struct parts parts = {.folder = "parts", .study = "a.study", .count = 2};
    unlink("merged.sqlite");
    struct results *results = open_results("merged.sqlite");
    support_true(parts_write(&parts, numbers, POINTS, &err), &err);
    play_job("parts", 1, 0);
    play_job("parts", 2, 0);
    unlink("parts/2.json");
    support_true(parts_merge(&parts, false, results, &err), &err);
    assert_true(parts.merged[1]);
    assert_false(parts.merged[2]);
    put("parts/2.json", ""); /* its job runs */
    for (unsigned all = 0; all < 2; all++) {
        support_true(parts_merge(&parts, all != 0, results, &err), &err);
        assert_true(parts.merged[1]);
        assert_int_equal(parts.merged[2], all);
        assert_false(parts.merged[3]);
    }
    put("parts/1.sqlite", "nothing\n"); /* is not read again */
    support_true(parts_merge(&parts, false, results, &err), &err);
    assert_false(parts_merge(&parts, true, results, &err));
    support_error(&err, ERR_VERSION, "parts/1.sqlite: ");
    results_close(results);
    parts_remove(&parts);
}

static void a_job_has_a_command(void **state)
{
    (void)state;
    static const struct {
        const char *program, *prefix;
        bool mixed;
        const char *expected;
    } cases[] = {
        {"roundcast", "p/", false,
         "roundcast sweep p/7.study -o p/7.sqlite --jobs 3 --json >p/7.json"},
        {"/a b/rc", "c d/", true,
         "'/a b/rc' sweep 'c d/'7.study -o 'c d/'7.sqlite --jobs 3 --mixed-versions --json >'c "
         "d/'7.json"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300] = "";
        const struct via_options options = {.program = cases[k].program, .mixed = cases[k].mixed};
        FILE *to = fmemopen(text, sizeof text, "w");
        assert_non_null(to);
        via_command(to, &options, cases[k].prefix, "7", "3");
        fclose(to);
        assert_string_equal(text, cases[k].expected);
    }
}

/* -- Rounds ------------------------------------------------------------------------------------ */

static enum { RUNS_ALL, RUNS_FIRST, RUNS_NONE, BREAKS, FAILS } played;
static unsigned rounds, resumed;
static int played_status;

static bool run(const struct via_round *round, struct err *err)
{
    rounds++;
    unsigned jobs = played == RUNS_ALL ? round->count : played == RUNS_FIRST;
    for (unsigned part = 1; part <= jobs; part++)
        play_job(round->options->folder, part, played_status);
    if (played == BREAKS) {
        put("rounds/1.sqlite", "nothing\n");
        put("rounds/1.json", "{}\n");
    }
    return round->look(round->context, err) &&
           (played != FAILS || err_set(err, ERR_TOOL, "jobs: fail"));
}

static bool resume(const struct via_round *round, struct err *err)
{
    (void)round;
    resumed++;
    return resumed == 1 || err_set(err, ERR_TOOL, "jobs: still run");
}

static struct via here = {.name = "here", .package = "shells", .programs = {"sh"}, .run = run};
static struct via_options options = {
    .program = "roundcast", .study = "a.study", .folder = "rounds", .parts = 3};

/* Runs rounds of jobs for a database. */
static bool sweep(const char *database, struct sweep_report *report, struct err *err)
{
    struct study study;
    read_study("a.study", &study);
    struct results *results = open_results(database);
    rounds = 0;
    *err = (struct err){0};
    bool ran = via_sweep(&here, &options, &study, results, report, err);
    results_close(results);
    study_free(&study);
    return ran;
}

/* Five points in three parts: 1 + 2 + 2. The first part of four has one, that of three has one. */
static void rounds_of_jobs(void **state)
{
    (void)state;
    struct sweep_report report;
    struct err err;
    unlink("a.sqlite");
    played = RUNS_NONE;
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(
        &err, ERR_TOOL,
        "here: 5 points have no row after 3 rounds of jobs; expected all (the logs are in "
        "rounds)");
    assert_int_equal(rounds, 3);
    played = RUNS_FIRST;
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_TOOL, "here: 2 points have no row");
    assert_int_equal(report.done, 3);
    options.parts = 2; /* of two points, then of none */
    assert_true(sweep("a.sqlite", &report, &err));
    assert_int_equal(rounds, 2);
    assert_int_equal(report.before, 3);
    assert_int_equal(report.done, 2);
    options.parts = 3;
    unlink("a.sqlite");
    played = RUNS_ALL;
    played_status = 1;
    for (unsigned again = 0; again < 3; again++) {
        options.again = again == 2;
        support_true(sweep("a.sqlite", &report, &err), &err);
        assert_int_equal(rounds, again != 1);
        assert_int_equal(report.failed, POINTS);
        assert_int_equal(report.before, again == 1 ? POINTS : 0);
    }
    options.again = false;
    played_status = 0;
}

static void rounds_fail(void **state)
{
    (void)state;
    struct sweep_report report;
    struct err err;
    const struct via before = here;
    unlink("a.sqlite");
    played = FAILS;
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_TOOL, "jobs: fail");
    assert_int_equal(rounds, 1);
    played = BREAKS;
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_VERSION, "rounds/1.sqlite: ");
    assert_int_equal(rounds, 1);
    assert_false(sweep("a.sqlite", &report, &err)); /* now before the first round */
    support_error(&err, ERR_VERSION, "rounds/1.sqlite: ");
    assert_int_equal(rounds, 0);
    unlink("rounds/1.sqlite");
    played = RUNS_ALL;
    here.resume = resume;
    support_true(sweep("a.sqlite", &report, &err), &err);
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_TOOL, "jobs: still run");
    here.programs[0] = "no-such-program";
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_TOOL,
                  "no-such-program is not on PATH; expected it, of the package shells");
    assert_int_equal(resumed, 2);
    here = before;
    put("file", "");
    options.folder = "file/parts";
    unlink("a.sqlite");
    assert_false(sweep("a.sqlite", &report, &err));
    support_error(&err, ERR_WRITE, "file/parts: Not a directory");
    options.folder = "rounds";
}

/* -- Without memory ---------------------------------------------------------------------------- */

static bool look(void *context, struct err *err)
{
    (void)context, (void)err;
    return true;
}

static bool run_nothing(const struct via_round *round, struct err *err)
{
    (void)round, (void)err;
    return true;
}

/* Runs `work` with each allocation failing, alone. Of the blocks that it frees, the C library has
 * allocated `others`, which are not counted. Returns the number of failures. */
static unsigned fail_each(bool (*work)(struct err *err), int64_t others)
{
    unsigned refused = 0;
    for (uint64_t number = 1;; number++) {
        struct err err = {0};
        int64_t left;
        running("call %u", (unsigned)number);
        no_memory_begin(number, false);
        work(&err);
        const uint64_t calls = no_memory_end(&left);
        assert_int_equal(left + others, 0);
        if (calls < number)
            return refused;
        refused += err.no_memory || err.code == ERR_WRITE;
    }
}

static struct study opened_study;
static struct results *opened_results;

static bool sweep_nothing(struct err *err)
{
    struct sweep_report report;
    here.run = run_nothing;
    bool ran = via_sweep(&here, &options, &opened_study, opened_results, &report, err);
    here.run = run;
    return ran;
}

static bool run_slurm(struct err *err)
{
    const struct via_round round = {.options = &options, .count = 2, .look = look};
    return via_slurm.run(&round, err);
}

static bool run_parallel(struct err *err)
{
    const struct via_round round = {.options = &options, .count = 2, .look = look};
    return via_parallel.run(&round, err);
}

static void no_memory_is_left(void **state)
{
    (void)state;
    unlink("a.sqlite");
    read_study("a.study", &opened_study);
    opened_results = open_results("a.sqlite");
    assert_true(fail_each(sweep_nothing, 0) > POINTS);
    put("bin/sbatch", "#!/bin/sh\necho none\n");
    assert_true(fail_each(run_slurm, 0) >= 5);
    put("bin/sbatch", "#!/bin/sh\necho 7\n");
    assert_true(fail_each(run_slurm, 0) >= 8);
    assert_true(fail_each(run_parallel, 1) >= 5);
    results_close(opened_results);
    study_free(&opened_study);
}

static bool fork_fails;

/* The names are the linker's. */
pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void)
{
    if (!fork_fails)
        return __real_fork();
    errno = EAGAIN;
    return -1;
}

static void parallel_cannot_be_started(void **state)
{
    (void)state;
    struct err err = {0};
    fork_fails = true;
    assert_false(run_parallel(&err));
    fork_fails = false;
    support_error(&err, ERR_TOOL,
                  "parallel: Resource temporarily unavailable; expected to start it");
    err = (struct err){0};
    support_true(run_parallel(&err), &err);
}

/* A process that ignores SIGCHLD cannot wait for parallel: its jobs are then as good as ended. */
static void an_ended_parallel_is_not_kept(void **state)
{
    (void)state;
    struct err err = {0};
    signal(SIGCHLD, SIG_IGN);
    support_true(run_parallel(&err), &err);
    signal(SIGCHLD, SIG_DFL);
}

static unsigned looks;

static bool look_and_interrupt(void *context, struct err *err)
{
    (void)context, (void)err;
    looks++;
    kill(getpid(), SIGINT);
    return true;
}

/* The signal comes with the first of three looks, after which no row is merged. It ends a process
 * of its own once parallel, which ignores it, has ended. */
static void a_signal_ends_the_merging_of_rows(void **state)
{
    (void)state;
    const struct via_round round = {.options = &options, .count = 2, .look = look_and_interrupt};
    put("bin/parallel", "#!/bin/sh\ntrap '' INT\nsleep 1\necho >slept\n");
    pid_t process = fork();
    if (process == 0) {
        struct err err = {0};
        interrupt_begin();
        interrupt_hold();
        bool ran = via_parallel.run(&round, &err);
        if (!ran || looks != 1)
            _exit(1);
        interrupt_release();
        _exit(2);
    }
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    assert_int_equal(access("rounds/slept", F_OK), 0);
    put("bin/parallel", "#!/bin/sh\nexit 0\n");
}

static int prepare(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("bin", 0777) != 0)
        return 1;
    put("a.study", study_of_all);
    static const char *const programs[] = {"bin/sbatch", "bin/squeue", "bin/parallel"};
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        put(programs[k], "#!/bin/sh\nexit 0\n");
        if (chmod(programs[k], 0777) != 0)
            return 1;
    }
    char path[4000];
    snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static int remove_all(void **state)
{
    (void)state;
    char line[100];
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_have_their_points),
        cmocka_unit_test(parts_cannot_be_written),
        cmocka_unit_test(parts_are_merged),
        cmocka_unit_test(a_job_has_a_command),
        cmocka_unit_test(rounds_of_jobs),
        cmocka_unit_test(rounds_fail),
        cmocka_unit_test(no_memory_is_left),
        cmocka_unit_test(parallel_cannot_be_started),
        cmocka_unit_test(an_ended_parallel_is_not_kept),
        cmocka_unit_test(a_signal_ends_the_merging_of_rows),
    };
    return cmocka_run_group_tests(tests, prepare, remove_all);
}
