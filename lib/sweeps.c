/* SPDX-License-Identifier: Apache-2.0 */
/* Studies and sweeps of the public library. */
#include "lib/inside.h"
#include "lib/roundcast/sweep.h"
#include "sched/base/files.h"
#include "sched/base/version.h"
#include "sweep/pool.h"
#include "sweep/sweep.h"
#include "sweep/via.h"

#include <stdlib.h>
#include <string.h>

#define USUAL_PARTS 64
#define FOLDER_ROOM 4096

_Static_assert(ROUNDCAST_MAX_JOBS == POOL_MAX_WORKERS, "the limit of the pool is public");
_Static_assert(ROUNDCAST_SWEEP_MAX_PARTS == PARTS_MAX, "the limit of parts is public");

struct roundcast_study {
    struct study study;
    char *path;
};

static bool read_file(const char *path, struct study *study, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    bool read = study_read(file, files_input_name(path), study, err);
    files_close_input(file);
    return read;
}

struct roundcast_study *roundcast_study_read(const char *path, struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_study *study = calloc(1, sizeof *study);
    char *copy = strdup(path);
    bool read = study != NULL && copy != NULL ? read_file(path, &study->study, &err)
                                              : err_no_memory(&err, "a study");
    if (read) {
        study->path = copy;
        return study;
    }
    free(copy);
    free(study);
    inside_fail(&err, error);
    return NULL;
}

bool roundcast_study_each(const struct roundcast_study *study,
                          bool (*visit)(void *with, uint64_t number, const char *command),
                          void *with, struct roundcast_error *error)
{
    struct err err = {0};
    const struct study *points = &study->study;
    bool more = true;
    for (uint64_t number = study_next(points, 1); more && number != 0;
         number = study_next(points, number + 1)) {
        char *command = study_text(points, number);
        if (command == NULL) {
            err_no_memory(&err, "a point");
            return inside_fail(&err, error);
        }
        more = visit(with, number, command);
        free(command);
    }
    return true;
}

void roundcast_study_free(struct roundcast_study *study)
{
    if (study == NULL)
        return;
    study_free(&study->study);
    free(study->path);
    free(study);
}

/* --- sweeps --------------------------------------------------------------------------------- */

/* The options in the types of sweep.h and via.h. */
struct asked {
    const struct roundcast_study *study;
    const struct via *via; /* NULL: the points run on this machine */
    struct via_options jobs;
    struct sweep_options here;
    const char *database;
    char folder[FOLDER_ROOM], version[VERSION_TEXT];
};

static bool check_number(const char *field, uint64_t value, uint64_t most, struct err *err)
{
    return value <= most || err_out_of_range(err, field, value, 1, most);
}

static bool check_options(const struct roundcast_sweep_options *options, struct err *err)
{
    const bool parallel = options->via != NULL && strcmp(options->via, via_parallel.name) == 0;
    if (options->version != ROUNDCAST_SWEEP_VERSION)
        return err_set(err, ERR_RANGE, "version: %u; expected %d", options->version,
                       ROUNDCAST_SWEEP_VERSION);
    if (options->via == NULL && options->program != NULL)
        return err_requires(err, "program", "via");
    if (!parallel && options->sshlogin != NULL)
        return err_set(err, ERR_OPTION, "{sshlogin} requires {via} parallel");
    return check_number("jobs", options->jobs, POOL_MAX_WORKERS, err) &&
           check_number("parts", options->parts, PARTS_MAX, err);
}

/* Converts the options. The files of jobs are stored next to the database. */
static bool read_options(const struct roundcast_study *study,
                         const struct roundcast_sweep_options *options, struct asked *asked,
                         struct err *err)
{
    if (!check_options(options, err))
        return false;
    if (options->database == NULL || strcmp(options->database, "-") == 0)
        return err_set(err, ERR_OPTION, "{output} is required; expected the database");
    if (options->via != NULL && strcmp(study->path, "-") == 0)
        return err_set(err, ERR_OPTION, "-: jobs read the study, too; expected a file with {via}");
    *asked = (struct asked){.study = study, .database = options->database};
    snprintf(asked->folder, sizeof asked->folder, "%s.parts", options->database);
    asked->jobs =
        (struct via_options){.program = options->program != NULL ? options->program : "roundcast",
                             .sshlogin = options->sshlogin,
                             .jobs = options->jobs,
                             .parts = options->parts > 0 ? options->parts : USUAL_PARTS,
                             .mixed = options->mixed_versions,
                             .again = options->again,
                             .study = study->path,
                             .folder = asked->folder};
    asked->here =
        (struct sweep_options){.workers = options->jobs > 0 ? options->jobs : pool_processors(),
                               .again = options->again,
                               .version = version_text(asked->version)};
    asked->via = options->via != NULL ? via_find(options->via, err) : NULL;
    return options->via == NULL || asked->via != NULL;
}

bool roundcast_sweep_check(const struct roundcast_sweep_options *options,
                           struct roundcast_error *error)
{
    struct err err = {0};
    return check_options(options, &err) || inside_fail(&err, error);
}

static bool run_here(const struct asked *asked, struct results *results,
                     struct sweep_report *report, struct err *err)
{
    struct sweep_points points = {0};
    const struct study *study = &asked->study->study;
    bool ran = sweep_missing(study, results, asked->here.again, report, &points, err) &&
               sweep_run(study, &points, results, &asked->here, report, err);
    free(points.number);
    return ran;
}

static bool run(const struct asked *asked, struct sweep_report *report, struct err *err)
{
    const char *version = asked->jobs.mixed ? NULL : asked->here.version;
    struct results *results = results_open(asked->database, version, err);
    if (results == NULL)
        return false;
    bool ran = asked->via != NULL
                   ? via_sweep(asked->via, &asked->jobs, &asked->study->study, results, report, err)
                   : run_here(asked, results, report, err);
    results_close(results);
    return ran;
}

bool roundcast_sweep(const struct roundcast_study *study,
                     const struct roundcast_sweep_options *options,
                     struct roundcast_sweep_report *report, struct roundcast_error *error)
{
    struct err err = {0};
    struct asked asked;
    struct sweep_report swept = {0};
    if (!read_options(study, options, &asked, &err) || !run(&asked, &swept, &err))
        return inside_fail(&err, error);
    *report = (struct roundcast_sweep_report){.points = swept.points,
                                              .left_out = swept.product - swept.points,
                                              .before = swept.before,
                                              .done = swept.done,
                                              .failed = swept.failed,
                                              .seconds = swept.seconds};
    return true;
}

bool roundcast_sweep_csv(const char *database, const char *output, struct roundcast_error *error)
{
    struct err err = {0};
    struct files_output to;
    if (!files_open_output(output, &to, &err))
        return inside_fail(&err, error);
    bool printed = results_print(database, to.file, to.name, &err);
    if (printed)
        return files_commit(&to, &err) || inside_fail(&err, error);
    files_discard(&to);
    return inside_fail(&err, error);
}

const char *roundcast_sweep_via(unsigned index)
{
    static const char *const names[] = {"parallel", "slurm"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

bool roundcast_sweep_check_via(const char *name, struct roundcast_error *error)
{
    struct err err = {0};
    return via_find(name, &err) != NULL || inside_fail(&err, error);
}
