/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/via.h"

#include "sched/base/text.h"
#include "sweep/lines.h"
#include "testbench/run/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3 /* rounds of jobs before the remaining points are given up */

static const struct via *const vias[] = {&via_parallel, &via_slurm};
#define VIAS (sizeof vias / sizeof *vias)

const struct via *via_find(const char *name, struct err *err)
{
    char hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (size_t which = 0; which < VIAS; which++) {
        text_look(&nearest, name, vias[which]->name);
        if (strcmp(vias[which]->name, name) == 0)
            return vias[which];
    }
    err_set(err, ERR_OPTION, "{via}: '%.40s' does not exist%s; expected parallel or slurm", name,
            text_hint(&nearest, hint));
    return NULL;
}

void via_command(FILE *to, const struct via_options *options, const char *prefix, const char *part,
                 const char *jobs)
{
    static const char *const before[] = {" sweep ", " -o ", " --jobs "};
    static const char *const after[] = {".study", ".sqlite"};
    shell_quote(to, options->program);
    for (size_t which = 0; which < 2; which++) {
        fputs(before[which], to);
        shell_quote(to, prefix);
        fprintf(to, "%s%s", part, after[which]);
    }
    fprintf(to, "%s%s%s --json >", before[2], jobs, options->mixed ? " --mixed-versions" : "");
    shell_quote(to, prefix);
    fprintf(to, "%s.json", part);
}

/* The state for checking the progress of jobs. */
struct looking {
    struct parts parts;
    struct results *results;
    struct progress progress;
};

static bool look(void *context, struct err *err)
{
    struct looking *looking = context;
    unsigned done = 0;
    if (!parts_merge(&looking->parts, false, looking->results, err))
        return false;
    for (unsigned part = 1; part <= looking->parts.count; part++)
        done += looking->parts.merged[part];
    progress_show(&looking->progress, done);
    return true;
}

/* Finds the points without a row, after merging all available rows of jobs. */
static bool collect(struct looking *looking, const struct study *study, bool again,
                    struct sweep_report *report, struct sweep_points *points, struct err *err)
{
    *points = (struct sweep_points){0};
    return parts_merge(&looking->parts, true, looking->results, err) &&
           sweep_missing(study, looking->results, again, report, points, err);
}

/* Runs a round of jobs for these points. */
static bool run_round(const struct via *via, struct via_round *round, struct looking *looking,
                      const struct sweep_points *points, struct err *err)
{
    parts_remove(&looking->parts);
    looking->parts.count = round->options->parts;
    if (!parts_write(&looking->parts, points->number, points->count, err))
        return false;
    round->count = looking->parts.count;
    looking->progress = progress_begin("jobs", round->count);
    bool ran = via->run(round, err);
    progress_end(&looking->progress);
    return ran;
}

static bool run_rounds(const struct via *via, struct via_round *round, struct looking *looking,
                       const struct study *study, struct sweep_report *report, struct err *err)
{
    const bool again = round->options->again;
    size_t missing = 0, first = 0;
    for (unsigned rounds = 0; rounds <= ROUNDS; rounds++) {
        struct sweep_points points;
        bool known = collect(looking, study, again && rounds == 0, report, &points, err);
        missing = points.count;
        first = rounds == 0 ? missing : first;
        bool ran =
            known && missing > 0 && rounds < ROUNDS && run_round(via, round, looking, &points, err);
        free(points.number);
        if (!ran)
            break;
    }
    report->before = report->points - first;
    report->done = first - missing;
    if (err->code != ERR_NONE)
        return false;
    if (missing == 0)
        parts_remove(&looking->parts);
    return missing == 0 || err_set(err, ERR_TOOL,
                                   "%s: %zu point%s no row after %d rounds of jobs; expected "
                                   "all (the logs are in %.200s)",
                                   via->name, missing, missing == 1 ? " has" : "s have", ROUNDS,
                                   round->options->folder);
}

static bool has_programs(const struct via *via, struct err *err)
{
    bool has = true;
    for (size_t k = 0; has && k < sizeof via->programs / sizeof *via->programs; k++)
        has = via->programs[k] == NULL || shell_has(via->programs[k], via->package, err);
    return has;
}

bool via_sweep(const struct via *via, const struct via_options *options, const struct study *study,
               struct results *results, struct sweep_report *report, struct err *err)
{
    struct looking looking = {.parts = {.folder = options->folder, .study = options->study},
                              .results = results};
    struct via_round round = {.options = options, .look = look, .context = &looking};
    double begun = progress_seconds();
    bool ran = has_programs(via, err) && (via->resume == NULL || via->resume(&round, err)) &&
               run_rounds(via, &round, &looking, study, report, err);
    report->seconds = progress_seconds() - begun;
    return ran;
}
