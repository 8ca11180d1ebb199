/* SPDX-License-Identifier: Apache-2.0 */
/* run: schedules, verifies, routes and simulates in one command. */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/run_batch.h"

#include <string.h>

struct run_command {
    struct options common;
    const char *batch; /* a file of lines; NULL: a single run */
    uint32_t jobs;     /* 0: not given */
};

static bool reject_twice(const char *field, struct roundcast_error *err)
{
    return roundcast_error_field(err, ROUNDCAST_E_OPTION, field, ": given twice; expected it once");
}

static bool set_batch(void *base, const char *text, struct roundcast_error *err)
{
    struct run_command *command = base;
    if (command->batch != NULL)
        return reject_twice("batch", err);
    command->batch = text;
    return true;
}

static bool set_jobs(void *base, const char *text, struct roundcast_error *err)
{
    struct run_command *command = base;
    uint64_t jobs;
    if (command->jobs != 0)
        return reject_twice("jobs", err);
    if (!roundcast_field_number("jobs", text, 1, ROUNDCAST_MAX_JOBS, &jobs, err))
        return false;
    command->jobs = (uint32_t)jobs;
    return true;
}

static const struct roundcast_field own[] = {
    {"batch", 0, "FILE", "run all lines of the file in parallel; other options are defaults",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_FILE, offsetof(struct run_command, batch),
     .set = set_batch},
    {"jobs", 0, "N", "run N lines of a batch at a time (default: one per core)",
     ROUNDCAST_FIELD_RUN, ROUNDCAST_FIELD_NUMBER, offsetof(struct run_command, jobs), 1,
     ROUNDCAST_MAX_JOBS, .set = set_jobs},
};

/* Reads the words without printing help, and stores the algorithm. */
static bool read_words(int argc, char **argv, struct run_command *command,
                       struct roundcast_error *err)
{
    struct options *options = &command->common;
    *command = (struct run_command){0};
    return options_read(&command_run, argc, argv, options, command, err) &&
           algorithm_argument(options, true, err);
}

/* Parses the words, and stores the algorithm. */
static enum options_outcome parse(int argc, char **argv, struct run_command *command,
                                  struct roundcast_error *err)
{
    struct options *options = &command->common;
    *command = (struct run_command){0};
    enum options_outcome outcome = options_parse(&command_run, argc, argv, options, command, err);
    if (outcome == OPTIONS_PARSED && !algorithm_argument(options, true, err))
        return OPTIONS_REJECTED;
    return outcome;
}

static bool check_page(const struct roundcast_request *request, struct roundcast_error *err)
{
    return request->view == NULL || output_check("view", request->view, OUTPUT_PAGE, err);
}

/* Checks the schedule, without an engine. */
static bool check_only(const struct options *options, struct roundcast_error *err)
{
    struct roundcast_schedule *schedule = roundcast_unrun(&options->request, err);
    bool held = schedule != NULL &&
                run_report_unrun(schedule, &options->request, options->json, stdout, err);
    roundcast_schedule_free(schedule);
    return held;
}

static bool run_one(const struct options *options, struct roundcast_error *err)
{
    const struct roundcast_request *request = &options->request;
    if (request->engine != NULL && strcmp(request->engine, "none") == 0)
        return check_only(options, err);
    struct roundcast_image *image =
        check_page(request, err) ? roundcast_compile(request, err) : NULL;
    if (image == NULL)
        return false;
    bool held = run_report_print(image, request, options->json, stdout, err);
    roundcast_image_free(image);
    return held;
}

/* Rejects output files among the options for all lines, because every line would write them. */
static bool check_batch(const struct roundcast_request *request, struct roundcast_error *err)
{
    const char *waves = request->waves, *page = request->view;
    return (waves == NULL && page == NULL) ||
           roundcast_error_field(
               err, ROUNDCAST_E_OPTION, waves != NULL ? "waves" : "view",
               ": each line would write %.200s; expected it in a line, with a file of its "
               "own",
               waves != NULL ? waves : page);
}

/* Returns whether the options, their values and the algorithm are valid, each on its own. */
static bool is_known(int argc, char **argv, struct run_command *command,
                     struct roundcast_error *err)
{
    const struct roundcast_request *request = &command->common.request;
    return read_words(argc, argv, command, err) &&
           (request->algorithm == NULL || roundcast_check_algorithm(request->algorithm, err));
}

bool run_check_line(int argc, char **argv, struct run_files *files, struct roundcast_error *err)
{
    struct run_command command;
    const struct options *options = &command.common;
    if (!is_known(argc, argv, &command, err))
        return false;
    *files = (struct run_files){options->request.waves, options->request.view};
    if (options->help)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{help}: a line of a batch is one run; expected no help");
    if (command.batch != NULL)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{batch}: a line of a batch is one run; expected no batch");
    if (options->json)
        return roundcast_error_set(err, ROUNDCAST_E_OPTION,
                                   "{json} is for all lines; expected it next to {batch}");
    return command.jobs == 0 ||
           roundcast_error_set(err, ROUNDCAST_E_OPTION,
                               "{jobs} is for all lines; expected it next to {batch}");
}

bool run_read_all(int argc, char **argv, struct roundcast_request *request,
                  struct roundcast_error *err)
{
    struct run_command command;
    if (!read_words(argc, argv, &command, err))
        return false;
    *request = command.common.request;
    return check_page(request, err) && roundcast_check(request, err);
}

static bool run(int argc, char **argv, struct roundcast_error *err)
{
    struct run_command command;
    const struct options *options = &command.common;
    enum options_outcome outcome = parse(argc, argv, &command, err);
    if (outcome != OPTIONS_PARSED)
        return outcome == OPTIONS_HELPED;
    if (command.batch != NULL) {
        const struct run_batch_options batch = {command.batch, command.jobs, options->json,
                                                options->own_word, options->own_words};
        return check_batch(&options->request, err) && run_batch(&batch, argc, argv, err);
    }
    return command.jobs != 0 ? roundcast_error_requires(err, "jobs", "batch")
                             : run_one(options, err);
}

const struct command command_run = {
    .name = "run",
    .arguments = "ALGORITHM|FILE -n N -m M [options]",
    .summary = "schedule, verify, route and simulate",
    .usage = "ALGORITHM|FILE",
    .text = "Verify, route and run the schedule of an algorithm or a file, and check every "
            "arrival.",
    .examples = "roundcast run circulant -n 8 -m 4 --engine csim",
    .request = ROUNDCAST_FOR_RUN,
    COMMAND_OWN(own),
    .run = run,
};
