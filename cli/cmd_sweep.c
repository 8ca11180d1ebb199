/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: run many points, and keep what they tell in a database. */
#include "cli/command.h"
#include "cli/option_name.h"
#include "cli/options.h"
#include "cli/options_keys.h"
#include "cli/report.h"
#include "cli/run.h"
#include "cli/version.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sweep/pool.h"
#include "sweep/sweep.h"
#include "sweep/via.h"
#include "sweep/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sweep_command {
    struct options_common common;
    struct sweep_options sweep;
    const struct via *via; /* NULL: here */
    struct via_options jobs;
    const char *path, *output;
    bool list, csv;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct sweep_command *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case 'o':
        options->output = argument;
        return 0;
    case KEY_JOBS:
        return options_refuse(options_number32("--jobs", argument, 1, POOL_MAX_WORKERS,
                                               &options->jobs.jobs, options->common.err));
    case KEY_VIA:
        options->via = via_find(argument, options->common.err);
        return options_refuse(options->via != NULL);
    case KEY_PARTS:
        return options_refuse(options_number32("--parts", argument, 1, PARTS_MAX,
                                               &options->jobs.parts, options->common.err));
    case KEY_SSHLOGIN:
        options->jobs.sshlogin = argument;
        return 0;
    case KEY_PROGRAM:
        options->jobs.program = argument;
        return 0;
    case KEY_LIST:
        options->list = true;
        return 0;
    case KEY_CSV:
        options->csv = true;
        return 0;
    case KEY_MIXED:
        options->jobs.mixed = true;
        return 0;
    case KEY_AGAIN:
        options->sweep.again = true;
        return 0;
    case ARGP_KEY_ARG:
        return options_argument("file", argument, &options->path, options->common.err);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What `run` takes, but for options of which points would write the same file, or none. A value is
 * joined to its option, so that it is not taken for the algorithm where the option has none. */
static bool run_takes(int argc, char **argv, struct err *err)
{
    static const char *const not_of_points[] = {"--waves", "--waves-from", "--waves-to", "--view",
                                                "--json",  "--help",       "--manual",   "-h",
                                                "--batch", "--jobs"};
    for (size_t which = 0; which < sizeof not_of_points / sizeof *not_of_points; which++)
        if (argc > 1 && strcmp(argv[1], not_of_points[which]) == 0)
            return err_set(err, ERR_OPTION,
                           "%s: no option of points; expected what is run, and "
                           "how",
                           argv[1]);
    char joined[WORDS_ROOM + 40];
    bool named = argc == 3 && strncmp(argv[1], "--", 2) == 0;
    char *words[] = {argv[0], joined, NULL};
    if (!named)
        return run_check(argc, argv, err);
    snprintf(joined, sizeof joined, "%s=%s", argv[1], argv[2]);
    return run_check(2, words, err);
}

/* The same, and messages name a field by its key in the study. */
static bool check(int argc, char **argv, struct err *err)
{
    bool taken = run_takes(argc, argv, err);
    if (!taken)
        err_settle(err, option_name_key);
    return taken;
}

static bool read_study(const char *path, struct study *study, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    bool read = study_read(file, files_input_name(path), check, study, err);
    files_close_input(file);
    return read;
}

/* The commands of all points. */
static bool print_list(const struct study *study, const char *output, struct err *err)
{
    struct files_output to;
    if (!files_open_output(output, &to, err))
        return false;
    bool whole = true;
    for (uint64_t number = study_next(study, 1); whole && number != 0;
         number = study_next(study, number + 1)) {
        char *text = study_text(study, number);
        whole = text != NULL || err_no_memory(err, "a point");
        if (whole)
            fprintf(to.file, "%s\n", text);
        free(text);
    }
    if (whole)
        return files_commit(&to, err);
    files_discard(&to);
    return false;
}

static bool print_csv(const struct sweep_command *options, struct err *err)
{
    struct files_output to;
    if (!files_open_output(options->output != NULL ? options->output : "-", &to, err))
        return false;
    if (results_print(options->path, to.file, to.name, err))
        return files_commit(&to, err);
    files_discard(&to);
    return false;
}

static bool print_report(const struct sweep_command *options, const struct sweep_report *report,
                         struct err *err)
{
    if (options->common.json)
        return report_json(
            stdout,
            json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:f}", "file",
                      report_json_text(options->output), "points", (json_int_t)report->points,
                      "left_out", (json_int_t)(report->product - report->points), "before",
                      (json_int_t)report->before, "run", (json_int_t)report->done, "failed",
                      (json_int_t)report->failed, "seconds", report->seconds),
            err);
    printf("study    %" PRIu64 " point%s", report->points, text_s(report->points));
    printf(", %" PRIu64 " left out; %" PRIu64 " had a row\n", report->product - report->points,
           report->before);
    printf("run      %" PRIu64 " point%s in %.1f s, %.0f a second\n", report->done,
           text_s(report->done), report->seconds,
           report->done > 0 ? (double)report->done / report->seconds : 0.0);
    printf("results  %s; %" PRIu64 " with an error\n", options->output, report->failed);
    return true;
}

static bool run_here(const struct sweep_command *options, const struct study *study,
                     struct results *results, struct sweep_report *report, struct err *err)
{
    size_t count;
    uint64_t *number = sweep_missing(study, results, options->sweep.again, report, &count, err);
    bool ran =
        number != NULL && sweep_run(study, number, count, results, &options->sweep, report, err);
    free(number);
    return ran;
}

/* Through jobs of this program, whose files stand beside the database. */
static bool run_jobs(const struct sweep_command *options, const struct study *study,
                     struct results *results, struct sweep_report *report, struct err *err)
{
    struct via_options jobs = options->jobs;
    char folder[4096], program[4096] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (jobs.program == NULL)
        jobs.program = length > 0 ? program : "roundcast";
    snprintf(folder, sizeof folder, "%s.parts", options->output);
    jobs.folder = folder;
    jobs.study = options->path;
    return via_sweep(options->via, &jobs, study, results, options->sweep.again, report, err);
}

static bool run_study(const struct sweep_command *options, const struct study *study,
                      struct err *err)
{
    struct sweep_report report = {0};
    const char *version = options->jobs.mixed ? NULL : options->sweep.version;
    struct results *results = results_open(options->output, version, err);
    if (results == NULL)
        return false;
    bool ran = options->via != NULL ? run_jobs(options, study, results, &report, err)
                                    : run_here(options, study, results, &report, err);
    results_close(results);
    return ran && print_report(options, &report, err);
}

static bool sweep(const struct sweep_command *options, struct err *err)
{
    enum output_kind kind = options->csv    ? OUTPUT_CSV
                            : options->list ? OUTPUT_COMMANDS
                                            : OUTPUT_DATABASE;
    if (options->output != NULL && !output_check("-o", options->output, kind, err))
        return false;
    if (options->csv)
        return print_csv(options, err);
    if (!options->list && (options->output == NULL || strcmp(options->output, "-") == 0))
        return err_set(err, ERR_OPTION, "sweep: no database; expected -o FILE");
    struct study study;
    if (!read_study(options->path, &study, err))
        return false;
    bool held = options->list
                    ? print_list(&study, options->output != NULL ? options->output : "-", err)
                    : run_study(options, &study, err);
    study_free(&study);
    return held;
}

/* What belongs to jobs needs jobs. */
static bool check_options(const struct sweep_command *options, struct err *err)
{
    if (options->via == NULL && options->jobs.program != NULL)
        return err_set(err, ERR_OPTION, "--program: of no job; expected --via with it");
    if (options->via != &via_parallel && options->jobs.sshlogin != NULL)
        return err_set(err, ERR_OPTION,
                       "--sshlogin: hosts of GNU parallel; expected --via parallel with it");
    return options->via == NULL || strcmp(options->path, "-") != 0 ||
           err_set(err, ERR_OPTION, "-: jobs read the study, too; expected a file with --via");
}

static bool run(int argc, char **argv, struct err *err)
{
    static const struct argp_child children[] = {{&options_common_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"output", 'o', "FILE", 0, "the database of SQLite, which is made, or gets what it lacks",
         1},
        {"jobs", KEY_JOBS, "N", 0, "points at once (one a core), or jobs at once with --via", 1},
        {"via", KEY_VIA, "parallel|slurm", 0, "run the points in jobs of GNU parallel or Slurm", 2},
        {"parts", KEY_PARTS, "N", 0, "cut the points into so many jobs (64)", 2},
        {"sshlogin", KEY_SSHLOGIN, "HOSTS", 0,
         "hosts on which parallel starts jobs, as it takes "
         "them",
         2},
        {"program", KEY_PROGRAM, "FILE", 0, "roundcast on the machines of the jobs (this one)", 2},
        {"again", KEY_AGAIN, NULL, 0, "also run points whose row has an error", 1},
        {"mixed-versions", KEY_MIXED, NULL, 0,
         "continue a database that has rows of another version or commit", 1},
        {"list", KEY_LIST, NULL, 0, "print the commands of all points, and run none", 1},
        {"csv", KEY_CSV, NULL, 0, "print the rows of the database FILE as CSV, or to -o", 1},
        {0}};
    static const struct argp argp = {.options = own,
                                     .parser = parse,
                                     .children = children,
                                     .args_doc = "FILE",
                                     .doc = "Run all points of a study that have no row yet, and "
                                            "keep their reports in a database."};
    char version[VERSION_TEXT];
    struct sweep_command options = {.common.err = err,
                                    .jobs.parts = 64,
                                    .sweep = {.version = version_text(version), .run = run_report}};
    enum options_outcome outcome = options_parse(&argp, argc, argv, &options, &options.common);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "sweep: no file; expected a study, or with --csv a "
                       "database");
    options.sweep.workers = options.jobs.jobs > 0 ? options.jobs.jobs : pool_processors();
    return check_options(&options, err) && sweep(&options, err);
}

const struct command command_sweep = {
    .name = "sweep",
    .arguments = "STUDY -o F.sqlite [options]",
    .summary = "run many points into a database",
    .run = run,
};
