/* SPDX-License-Identifier: Apache-2.0 */
/* sweep: runs many points and stores their reports in a database. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct sweep_command {
    struct options common;
    struct roundcast_sweep_options sweep;
    const char *path, *output;
    bool list, csv;
};

static bool set_via(void *base, const char *text, struct roundcast_error *err)
{
    struct sweep_command *options = base;
    options->sweep.via = text;
    return roundcast_sweep_check_via(text, err);
}

#define AT(member) offsetof(struct sweep_command, member)

static const struct roundcast_field own[] = {
    {"jobs", 0, "N", "run N points at a time, or N jobs with --via (default: one per core)",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_NUMBER, AT(sweep.jobs), 1, ROUNDCAST_MAX_JOBS},
    {"again", 0, NULL, "also run points whose row has an error", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_FLAG, AT(sweep.again)},
    {"mixed-versions", 0, NULL, "continue a database that has rows of another version or commit",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_FLAG, AT(sweep.mixed_versions)},
    {"via", 0, "SYSTEM", "run the points in jobs of GNU parallel or Slurm: {choices}",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_TEXT, AT(sweep.via), .choice = roundcast_sweep_via,
     .set = set_via},
    {"parts", 0, "N", "cut the points into N jobs (default: 64)", ROUNDCAST_FIELD_RUN,
     ROUNDCAST_FIELD_NUMBER, AT(sweep.parts), 1, ROUNDCAST_SWEEP_MAX_PARTS},
    {"sshlogin", 0, "HOSTS", "start jobs on these hosts, in the syntax of GNU parallel",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_TEXT, AT(sweep.sshlogin)},
    {"program", 0, "FILE", "use this roundcast on the machines of the jobs (default: this one)",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_FILE, AT(sweep.program)},
    {"output", 'o', "FILE", "create this SQLite database, or add the rows that it lacks",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FILE, AT(output)},
    {"list", 0, NULL, "print the commands of all points, and run none", ROUNDCAST_FIELD_OUTPUT,
     ROUNDCAST_FIELD_FLAG, AT(list)},
    {"csv", 0, NULL, "print the rows of the database FILE as CSV, or write them to -o",
     ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_FLAG, AT(csv)},
};

static bool print_command(void *with, uint64_t number, const char *command)
{
    (void)number;
    fprintf(with, "%s\n", command);
    return true;
}

/* Prints the commands of all points. */
static bool print_list(const struct roundcast_study *study, const char *output,
                       struct roundcast_error *err)
{
    struct roundcast_output *to = roundcast_output_open(output, err);
    if (to == NULL)
        return false;
    if (roundcast_study_each(study, print_command, roundcast_output_file(to), err))
        return roundcast_output_commit(to, err);
    roundcast_output_discard(to);
    return false;
}

static bool print_report(const struct sweep_command *options,
                         const struct roundcast_sweep_report *report, struct roundcast_error *err)
{
    if (options->common.json)
        return roundcast_json_print(
            stdout,
            json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:f}", "file",
                      roundcast_json_text(options->output), "points", (json_int_t)report->points,
                      "left_out", (json_int_t)report->left_out, "before",
                      (json_int_t)report->before, "run", (json_int_t)report->done, "failed",
                      (json_int_t)report->failed, "seconds", report->seconds),
            err);
    printf("study    %" PRIu64 " point%s", report->points, text_s(report->points));
    printf(", %" PRIu64 " left out; %" PRIu64 " had a row\n", report->left_out, report->before);
    printf("run      %" PRIu64 " point%s in %.1f s, %.0f a second\n", report->done,
           text_s(report->done), report->seconds,
           report->done > 0 ? (double)report->done / report->seconds : 0.0);
    printf("results  %s; %" PRIu64 " with an error\n", options->output, report->failed);
    return true;
}

/* Runs the study. Jobs run this program, unless another one is given. */
static bool run_study(const struct sweep_command *options, const struct roundcast_study *study,
                      struct roundcast_error *err)
{
    struct roundcast_sweep_options asked = options->sweep;
    struct roundcast_sweep_report report;
    char program[4096] = "";
    if (asked.via != NULL && asked.program == NULL &&
        readlink("/proc/self/exe", program, sizeof program - 1) > 0)
        asked.program = program;
    asked.database = options->output;
    return roundcast_sweep(study, &asked, &report, err) && print_report(options, &report, err);
}

static bool sweep(const struct sweep_command *options, struct roundcast_error *err)
{
    enum output_kind kind = options->csv    ? OUTPUT_CSV
                            : options->list ? OUTPUT_COMMANDS
                                            : OUTPUT_DATABASE;
    if (options->output != NULL && !output_check("output", options->output, kind, err))
        return false;
    if (options->csv)
        return roundcast_sweep_csv(options->path, options->output != NULL ? options->output : "-",
                                   err);
    if (!options->list && (options->output == NULL || strcmp(options->output, "-") == 0))
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{output} is required; expected the database");
    struct roundcast_study *study = roundcast_study_read(options->path, err);
    if (study == NULL)
        return false;
    bool held = options->list
                    ? print_list(study, options->output != NULL ? options->output : "-", err)
                    : run_study(options, study, err);
    roundcast_study_free(study);
    return held;
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct sweep_command options = {.sweep.version = ROUNDCAST_SWEEP_VERSION};
    enum options_outcome outcome =
        options_parse(&command_sweep, argc, argv, &options.common, &options, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (!options_one_argument(&options.common, "file", &options.path, err))
        return false;
    if (options.path == NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "sweep: no file; expected a study, or with {csv} a database");
    if (!roundcast_sweep_check(&options.sweep, err))
        return false;
    if (options.sweep.via != NULL && strcmp(options.path, "-") == 0)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "-: jobs read the study, too; expected a file with {via}");
    return sweep(&options, err);
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
