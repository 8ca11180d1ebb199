/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/batch.h"

#include "sched/base/interrupt.h"
#include "sweep/pool.h"
#include "sweep/shell.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct batch *batch;
    outcome_run *run;
    struct batch_result *result;
    struct progress progress;
    uint64_t done;
};

char **batch_command(const struct batch *batch, size_t which, const char *own, int *argc,
                     struct err *err)
{
    const struct lines_line *line = &batch->lines.line[which];
    char **argv = malloc((batch->default_count + line->count + 3) * sizeof *argv);
    if (argv == NULL) {
        err_no_memory(err, "a command line");
        return NULL;
    }
    size_t count = 0;
    argv[count++] = (char *)"run";
    if (own != NULL)
        argv[count++] = (char *)own;
    for (size_t word = 0; word < batch->default_count; word++)
        argv[count++] = batch->defaults[word];
    for (size_t word = 0; word < line->count; word++)
        argv[count++] = line->word[word];
    argv[count] = NULL;
    *argc = (int)count;
    return argv;
}

char *batch_text(const struct batch *batch, size_t which)
{
    char *text = NULL;
    size_t size;
    int argc;
    char **argv = batch_command(batch, which, NULL, &argc, NULL);
    FILE *to = argv != NULL ? open_memstream(&text, &size) : NULL;
    if (to != NULL) {
        fputs("roundcast", to);
        for (int word = 0; word < argc; word++) {
            putc(' ', to);
            shell_quote(to, argv[word]);
        }
        fclose(to);
    }
    free(argv);
    return text;
}

bool batch_refuse(const struct batch *batch, size_t which, const struct err *refusal,
                  struct err *err)
{
    return err_at(err, refusal, "%.120s:%" PRIu64, batch->name, batch->lines.line[which].number);
}

/* In a process of its own. */
static void work_line(void *context, size_t which, FILE *to)
{
    const struct work *work = context;
    outcome_write(work->run, work->batch, which, to);
}

static char *copy(const char *bytes, size_t size)
{
    char *kept = malloc(size + 1);
    return kept != NULL ? memcpy(kept, bytes, size) : NULL;
}

/* Keeps the result of a line. Most have no error, which would take more memory than the rest. */
static bool done(void *context, size_t which, const char *bytes, size_t size, int status,
                 struct err *err)
{
    struct work *work = context;
    struct batch_result *result = &work->result[which];
    struct outcome outcome;
    outcome_read(&outcome, "the run", bytes, size, status);
    result->status = outcome.status;
    result->size = outcome.size;
    if (outcome.report != NULL && (result->report = copy(outcome.report, outcome.size)) == NULL)
        return err_no_memory(err, "a report");
    if (outcome.err.code != ERR_NONE) {
        if ((result->err = malloc(sizeof *result->err)) == NULL)
            return err_no_memory(err, "a report");
        *result->err = outcome.err;
    }
    progress_show(&work->progress, ++work->done);
    return true;
}

bool batch_run(const struct batch *batch, unsigned workers, outcome_run *run,
               struct batch_result result[], struct err *err)
{
    struct work work = {.batch = batch,
                        .run = run,
                        .result = result,
                        .progress = progress_begin("runs", batch->lines.count)};
    struct pool pool = {.what = "the runs of a batch",
                        .count = batch->lines.count,
                        .workers = workers,
                        .context = &work,
                        .work = work_line,
                        .done = done};
    interrupt_hold();
    bool ran = pool_run(&pool, err);
    progress_end(&work.progress);
    interrupt_release();
    return ran;
}

void batch_free_results(struct batch_result result[], size_t count)
{
    for (size_t which = 0; which < count; which++) {
        free(result[which].err);
        free(result[which].report);
    }
    free(result);
}
