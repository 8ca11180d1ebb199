/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: run many points, and keep their reports in a database. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/base/version.h"
#include "sweep/pool.h"
#include "sweep/sweep.h"
#include "sweep/via.h"
#include "sweep/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sweep_command {
    struct options common;
    struct sweep_options sweep;
    const struct via *via; /* NULL: here */
    struct via_options jobs;
    const char *path, *output;
    bool list, csv;
};

static bool set_via(void *base, const char *text, struct err *err)
{
    struct sweep_command *options = base;
    options->via = via_find(text, err);
    return options->via != NULL;
}

static const char *via_choice(unsigned which)
{
    static const char *const names[] = {"parallel", "slurm"};
    return which < 2 ? names[which] : NULL;
}

#define AT(member) offsetof(struct sweep_command, member)

static const struct field own[] = {
    {"jobs", 0, "N", "run N points at a time, or N jobs with --via (default: one a core)",
     FIELD_RUN, FIELD_NUMBER, AT(jobs.jobs), 1, POOL_MAX_WORKERS},
    {"again", 0, NULL, "also run points whose row has an error", FIELD_RUN, FIELD_FLAG,
     AT(sweep.again)},
    {"mixed-versions", 0, NULL, "continue a database that has rows of another version or commit",
     FIELD_RUN, FIELD_FLAG, AT(jobs.mixed)},
    {"via", 0, "SYSTEM", "run the points in jobs of GNU parallel or Slurm: {choices}", FIELD_RUN,
     FIELD_TEXT, AT(via), .choice = via_choice, .set = set_via},
    {"parts", 0, "N", "cut the points into N jobs (default: 64)", FIELD_RUN, FIELD_NUMBER,
     AT(jobs.parts), 1, PARTS_MAX},
    {"sshlogin", 0, "HOSTS", "start the jobs of parallel on these hosts, in its syntax", FIELD_RUN,
     FIELD_TEXT, AT(jobs.sshlogin)},
    {"program", 0, "FILE", "use this roundcast on the machines of the jobs (default: this one)",
     FIELD_RUN, FIELD_FILE, AT(jobs.program)},
    {"output", 'o', "FILE", "create this SQLite database, or add the rows that it lacks",
     FIELD_OUTPUT, FIELD_FILE, AT(output)},
    {"list", 0, NULL, "print the commands of all points, and run none", FIELD_OUTPUT, FIELD_FLAG,
     AT(list)},
    {"csv", 0, NULL, "print the rows of the database FILE as CSV, or write them to -o",
     FIELD_OUTPUT, FIELD_FLAG, AT(csv)},
};

static bool read_study(const char *path, struct study *study, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    bool read = study_read(file, files_input_name(path), study, err);
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
    struct sweep_points points;
    bool ran = sweep_missing(study, results, options->sweep.again, report, &points, err) &&
               sweep_run(study, &points, results, &options->sweep, report, err);
    free(points.number);
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
    jobs.again = options->sweep.again;
    return via_sweep(options->via, &jobs, study, results, report, err);
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
    if (options->output != NULL && !output_check("output", options->output, kind, err))
        return false;
    if (options->csv)
        return print_csv(options, err);
    if (!options->list && (options->output == NULL || strcmp(options->output, "-") == 0))
        return err_set(err, ERR_OPTION, "{output} is required; expected the database");
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
        return err_set(err, ERR_OPTION, "{program} requires {via}");
    if (options->via != &via_parallel && options->jobs.sshlogin != NULL)
        return err_set(err, ERR_OPTION, "{sshlogin} requires {via} parallel");
    return options->via == NULL || strcmp(options->path, "-") != 0 ||
           err_set(err, ERR_OPTION, "-: jobs read the study, too; expected a file with {via}");
}

static bool run(int argc, char **argv, struct err *err)
{
    char version[VERSION_TEXT];
    struct sweep_command options = {.jobs.parts = 64, .sweep.version = version_text(version)};
    enum options_outcome outcome =
        options_parse(&command_sweep, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return err_set(err, ERR_OPTION,
                       "sweep: no file; expected a study, or with {csv} a database");
    options.sweep.workers = options.jobs.jobs > 0 ? options.jobs.jobs : pool_processors();
    return check_options(&options, err) && sweep(&options, err);
}

const struct command command_sweep = {
    .name = "sweep",
    .arguments = "STUDY -o F.sqlite [options]",
    .summary = "run many points into a database",
    .usage = "STUDY -o FILE\n--list STUDY\n--csv FILE",
    .text = "Run all points of a study that have no row yet, and keep their reports in a database.",
    .examples = "roundcast sweep a.study -o a.sqlite\nroundcast sweep --csv a.sqlite -o a.csv",
    COMMAND_OWN(own),
    .run = run,
};
