/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/sweep.h"

#include "lib/report/run_json.h"
#include "sched/base/interrupt.h"
#include "sweep/pool.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_BETWEEN 0.25 /* between two transactions, each of which waits for the disk */

struct sweep {
    const struct study *study;
    const uint64_t *number;
    struct results *results;
    const struct sweep_options *options;
    struct sweep_report *report;
    struct engine_store *engines; /* one store for each process, empty at first */
    struct progress progress;
    double kept; /* the time of the last transaction */
    char host[65];
};

/* Reserves room for one more number, if the count is 0 or a power of two. */
static bool grow(uint64_t **number, size_t count, struct err *err)
{
    uint64_t *more = *number;
    if ((count & (count - 1)) == 0)
        more = realloc(*number, (count == 0 ? 1 : 2 * count) * sizeof *more);
    if (more == NULL)
        return err_no_memory(err, "the points of a study");
    *number = more;
    return true;
}

static bool find(const struct study *study, struct results *results, uint64_t point,
                 enum results_state *state, struct err *err)
{
    char *command = study_text(study, point);
    bool found = command != NULL ? results_find(results, command, point, state, err)
                                 : err_no_memory(err, "a point");
    free(command);
    return found;
}

bool sweep_missing(const struct study *study, struct results *results, bool again,
                   struct sweep_report *report, struct sweep_points *points, struct err *err)
{
    *report = (struct sweep_report){.product = study->product};
    *points = (struct sweep_points){0};
    bool whole = grow(&points->number, 0, err);
    for (uint64_t point = study_next(study, 1); whole && point != 0;
         point = study_next(study, point + 1)) {
        enum results_state state;
        if (!(whole = find(study, results, point, &state, err)))
            break;
        report->points++;
        if (state == RESULTS_HOLDS || (state == RESULTS_FAILED && !again)) {
            report->before++;
            report->failed += state == RESULTS_FAILED;
        } else if ((whole = grow(&points->number, points->count, err))) {
            points->number[points->count++] = point;
        }
    }
    if (whole && results_keep(results, err))
        return true;
    free(points->number);
    *points = (struct sweep_points){0};
    return false;
}

static bool run_point(const void *context, size_t which, FILE *to, struct err *err)
{
    const struct sweep *sweep = context;
    struct request request;
    if (study_request(sweep->study, sweep->number[which], &request, err))
        return run_request(&request, sweep->engines, to, err);
    report_failure(to, err);
    return false;
}

/* Runs a point, in its own process. */
static void work(void *context, size_t which, FILE *to)
{
    outcome_write(run_point, context, which, to);
}

static bool add(struct sweep *sweep, struct results_row *row, struct err *err)
{
    struct results_asked asked[STUDY_MAX_KEYS];
    const struct study *study = sweep->study;
    char *command = study_text(study, row->number);
    if (command == NULL)
        return err_no_memory(err, "a point");
    for (size_t key = 0; key < study->keys; key++) {
        const char *value = study_value(study, key, row->number);
        if (strcmp(value, "-") != 0)
            asked[row->asked_count++] =
                (struct results_asked){study_field_name(&study->key[key]), value};
    }
    row->command = command;
    row->asked = asked;
    row->version = sweep->options->version;
    row->host = sweep->host;
    bool added = results_add(sweep->results, row, err);
    free(command);
    sweep->report->done++;
    sweep->report->failed += row->status != 0;
    progress_show(&sweep->progress, sweep->report->done);
    return added;
}

static bool done(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err)
{
    struct sweep *sweep = context;
    struct results_row row = {.number = sweep->number[which]};
    struct outcome outcome;
    outcome_read(&outcome, "the point", bytes, size, status);
    row.err = outcome.err;
    row.status = outcome.status;
    row.seconds = outcome.seconds;
    row.json = outcome.report;
    row.size = outcome.size;
    return add(sweep, &row, err);
}

static bool rest(void *context, struct err *err)
{
    struct sweep *sweep = context;
    double now = progress_seconds();
    if (now - sweep->kept < SECONDS_BETWEEN)
        return true;
    sweep->kept = now;
    return results_keep(sweep->results, err);
}

bool sweep_run(const struct study *study, const struct sweep_points *points,
               struct results *results, const struct sweep_options *options,
               struct sweep_report *report, struct err *err)
{
    struct sweep sweep = {.study = study,
                          .number = points->number,
                          .results = results,
                          .options = options,
                          .report = report,
                          .engines = engine_store_new(err),
                          .progress = progress_begin("points", points->count)};
    struct pool pool = {.what = "the points of a sweep",
                        .count = points->count,
                        .workers = options->workers,
                        .context = &sweep,
                        .work = work,
                        .done = done,
                        .rest = rest};
    if (sweep.engines == NULL)
        return false;
    double begun = progress_seconds();
    gethostname(sweep.host, sizeof sweep.host - 1);
    interrupt_hold();
    bool ran = pool_run(&pool, err);
    ran = results_keep(results, ran ? err : NULL) && ran;
    progress_end(&sweep.progress);
    report->seconds = progress_seconds() - begun;
    interrupt_release();
    engine_store_free(sweep.engines);
    return ran;
}

/* -- Runs in processes of a pool --------------------------------------------------------------- */

/* The header before the report. */
struct head {
    struct err err;
    double seconds;
};

void outcome_write(outcome_run *run, const void *context, size_t which, FILE *to)
{
    struct head head = {0};
    char *json = NULL;
    size_t size = 0;
    double begun = progress_seconds();
    FILE *report = open_memstream(&json, &size);
    if (report == NULL) {
        err_no_memory(&head.err, "a report");
    } else {
        omp_set_num_threads(1);
        run(context, which, report, &head.err);
        fclose(report);
    }
    head.seconds = progress_seconds() - begun;
    fwrite(&head, sizeof head, 1, to);
    if (json != NULL)
        fwrite(json, 1, size, to);
    free(json);
}

void outcome_read(struct outcome *outcome, const char *work, const char *bytes, size_t size,
                  int status)
{
    struct head head;
    *outcome = (struct outcome){0};
    if (bytes == NULL) {
        outcome->status = pool_report_death(work, status, &outcome->err);
        return;
    }
    memcpy(&head, bytes, sizeof head);
    outcome->err = head.err;
    outcome->status = err_exit_status(head.err.code);
    outcome->seconds = head.seconds;
    outcome->report = bytes + sizeof head;
    outcome->size = size - sizeof head;
}
