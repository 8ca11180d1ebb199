/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_batch.h"

#include "cli/report.h"
#include "cli/run.h"
#include "cli/text.h"
#include "lib/roundcast/files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A file that a line writes. */
struct written {
    const char *path;
    char *place; /* absolute path of the file without links */
    size_t which;
};

struct files {
    struct written *file; /* file[2 · lines] */
    size_t count;
};

/* Rejects `-`, because all runs would share standard input or output. */
static bool check_standard(char *const *word, size_t count, struct roundcast_error *err)
{
    for (size_t which = 0; which < count; which++) {
        size_t length = strlen(word[which]);
        if (strcmp(word[which], "-") == 0 ||
            (length > 2 && strcmp(word[which] + length - 2, "=-") == 0))
            return roundcast_error_set(
                err, ROUNDCAST_E_OPTION,
                "-: runs side by side share standard input and output; expected a file");
    }
    return true;
}

/* Records the files that a line writes. A file in a folder that does not exist is rejected by its
 * run. */
static bool note(struct files *files, const struct run_files *written, size_t which,
                 struct roundcast_error *err)
{
    const char *const paths[] = {written->waves, written->page};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        char *place = paths[k] != NULL ? roundcast_output_place(paths[k]) : NULL;
        if (place != NULL)
            files->file[files->count++] = (struct written){paths[k], place, which};
        else if (paths[k] != NULL && errno == ENOMEM)
            return roundcast_error_no_memory(err, "the place of a file");
    }
    return true;
}

static void free_files(struct files *files)
{
    for (size_t k = 0; k < files->count; k++)
        free(files->file[k].place);
    free(files->file);
}

/* Checks the words of a line on their own, then together with the options for all lines. */
static bool check_line(const struct batch *batch, size_t which, struct files *files,
                       struct roundcast_error *err)
{
    const struct roundcast_line line = roundcast_lines_at(batch->lines, which);
    struct run_files written = {0};
    int argc, argc_alone;
    char **words = batch_command(batch, which, true, &argc_alone, err);
    char **all = words != NULL ? batch_command(batch, which, false, &argc, err) : NULL;
    bool right = all != NULL && check_standard(line.word, line.count, err) &&
                 run_check_line(argc_alone, words, &written, err) &&
                 run_read_all(argc, all, &batch->request[which], err) &&
                 note(files, &written, which, err);
    free(words);
    free(all);
    return right;
}

static int order(const void *left, const void *right)
{
    const struct written *a = left, *b = right;
    const int places = strcmp(a->place, b->place);
    return places != 0 ? places : (a->which > b->which) - (a->which < b->which);
}

/* Rejects lines that write the same file, because the last one to finish would overwrite the
 * others. */
static bool check_files(const struct batch *batch, struct files *files, struct roundcast_error *err)
{
    qsort(files->file, files->count, sizeof *files->file, order);
    for (size_t which = 1; which < files->count; which++) {
        const struct written *one = &files->file[which - 1], *other = &files->file[which];
        struct roundcast_error refusal;
        if (strcmp(one->place, other->place) != 0)
            continue;
        roundcast_error_set(&refusal, ROUNDCAST_E_OPTION,
                            "%.200s: line %" PRIu64 " writes it, too; expected a file of its own",
                            other->path, roundcast_lines_at(batch->lines, one->which).number);
        return batch_refuse(batch, other->which, &refusal, err);
    }
    return true;
}

/* Checks all lines. Reports the first invalid line, with the number of the others. */
static bool check_lines(const struct batch *batch, struct roundcast_error *err)
{
    struct files files = {calloc(batch->count, 2 * sizeof *files.file), 0};
    uint64_t wrong = 0;
    if (files.file == NULL)
        return roundcast_error_no_memory(err, "the files of a batch");
    for (size_t which = 0; which < batch->count; which++) {
        struct roundcast_error refusal = {0};
        if (!check_line(batch, which, &files, &refusal) && wrong++ == 0)
            batch_refuse(batch, which, &refusal, err);
    }
    bool right = wrong == 0 && check_files(batch, &files, err);
    err->further = wrong > 0 ? wrong - 1 : 0;
    free_files(&files);
    return right;
}

/* Reports the first of the worst errors, with the number of the others. */
static bool judge(const struct batch *batch, const struct batch_result result[],
                  struct roundcast_error *err)
{
    size_t worst = 0;
    uint64_t failed = 0;
    for (size_t which = 0; which < batch->count; which++) {
        failed += result[which].err != NULL;
        if (result[which].err != NULL &&
            (result[worst].err == NULL || roundcast_error_status(result[which].err->code) >
                                              roundcast_error_status(result[worst].err->code)))
            worst = which;
    }
    if (failed == 0)
        return true;
    batch_refuse(batch, worst, result[worst].err, err);
    err->further = failed - 1;
    return false;
}

/* Returns the seconds of a monotonic clock. */
static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool run_lines(const struct batch *batch, uint32_t jobs, bool json,
                      struct roundcast_error *err)
{
    size_t count = batch->count;
    struct batch_result *result = calloc(count, sizeof *result);
    if (result == NULL)
        return roundcast_error_no_memory(err, "the results of a batch");
    double begun = seconds_now();
    struct roundcast_error breach = {0};
    bool reported = batch_run(batch, jobs, result, err);
    bool held = reported && judge(batch, result, &breach);
    double seconds = seconds_now() - begun;
    reported = reported && (json ? batch_report_json(batch, result, &breach, seconds, err)
                                 : batch_report_text(batch, result, seconds, err));
    batch_free_results(result, count);
    if (!reported || held)
        return reported;
    *err = breach;
    err->reported = json;
    return false;
}

/* Reads the lines, and allocates their requests. */
static struct roundcast_lines *read_lines(const char *path, struct batch *batch,
                                          struct roundcast_error *err)
{
    struct roundcast_lines *lines = roundcast_lines_read(path, err);
    if (lines == NULL)
        return NULL;
    batch->name = roundcast_input_name(path);
    batch->lines = lines;
    batch->count = roundcast_lines_count(lines);
    batch->request = calloc(batch->count, sizeof *batch->request);
    if (batch->request != NULL)
        return lines;
    roundcast_error_no_memory(err, "the lines of a batch");
    roundcast_lines_free(lines);
    return NULL;
}

/* Returns whether this pointer of argv is a word of the batch's own options. */
static bool is_of_batch(const struct run_batch_options *options, const char *word)
{
    bool has = false;
    for (size_t which = 0; which < options->words; which++)
        has = has || options->word[which] == word;
    return has;
}

bool run_batch(const struct run_batch_options *options, int argc, char **argv,
               struct roundcast_error *err)
{
    struct batch batch = {0};
    char **defaults = malloc((size_t)argc * sizeof *defaults);
    if (defaults == NULL)
        return roundcast_error_no_memory(err, "the options of a batch");
    for (int word = 1; word < argc; word++)
        if (!is_of_batch(options, argv[word]))
            defaults[batch.default_count++] = argv[word];
    batch.defaults = defaults;
    roundcast_threads(1); /* threads do not survive into processes */
    struct roundcast_lines *lines = check_standard(defaults, batch.default_count, err)
                                        ? read_lines(options->file, &batch, err)
                                        : NULL;
    bool held = lines != NULL && check_lines(&batch, err) &&
                run_lines(&batch, options->jobs, options->json, err);
    free(batch.request);
    roundcast_lines_free(lines);
    free(defaults);
    return held;
}

/* -- Lines and their results ------------------------------------------------------------------- */

char **batch_command(const struct batch *batch, size_t which, bool alone, int *argc,
                     struct roundcast_error *err)
{
    const struct roundcast_line line = roundcast_lines_at(batch->lines, which);
    const size_t before = alone ? 0 : batch->default_count;
    char **argv = malloc((before + line.count + 2) * sizeof *argv);
    if (argv == NULL) {
        roundcast_error_no_memory(err, "a command line");
        return NULL;
    }
    size_t count = 0;
    argv[count++] = (char *)"run";
    for (size_t word = 0; word < before; word++)
        argv[count++] = batch->defaults[word];
    for (size_t word = 0; word < line.count; word++)
        argv[count++] = line.word[word];
    argv[count] = NULL;
    *argc = (int)count;
    return argv;
}

char *batch_text(const struct batch *batch, size_t which, bool alone)
{
    char *text = NULL;
    size_t size;
    int argc;
    char **argv = batch_command(batch, which, alone, &argc, NULL);
    FILE *to = argv != NULL ? open_memstream(&text, &size) : NULL;
    if (to != NULL) {
        fputs("roundcast", to);
        for (int word = 0; word < argc; word++) {
            putc(' ', to);
            roundcast_print_quoted(to, argv[word]);
        }
        fclose(to);
    }
    free(argv);
    return text;
}

bool batch_refuse(const struct batch *batch, size_t which, const struct roundcast_error *refusal,
                  struct roundcast_error *err)
{
    return roundcast_error_at(err, refusal, "%.120s:%" PRIu64, batch->name,
                              roundcast_lines_at(batch->lines, which).number);
}

/* The destination of the results. */
struct kept {
    struct batch_result *result;
    struct roundcast_error *err;
    bool whole;
};

static void *copy(const void *bytes, size_t size)
{
    void *kept = malloc(size + 1);
    return kept != NULL ? memcpy(kept, bytes, size) : NULL;
}

/* Stores the outcome of a line. Errors are allocated separately, because most lines have none and
 * an error is the largest part. */
static bool keep(void *with, size_t which, const struct roundcast_outcome *outcome)
{
    struct kept *kept = with;
    struct batch_result *result = &kept->result[which];
    const bool failed = outcome->error.code != ROUNDCAST_E_NONE;
    result->size = outcome->size;
    result->report = outcome->json != NULL ? copy(outcome->json, outcome->size) : NULL;
    result->err = failed ? copy(&outcome->error, sizeof outcome->error) : NULL;
    kept->whole =
        (outcome->json == NULL || result->report != NULL) && (!failed || result->err != NULL);
    return kept->whole || roundcast_error_no_memory(kept->err, "a report");
}

bool batch_run(const struct batch *batch, uint32_t jobs, struct batch_result result[],
               struct roundcast_error *err)
{
    struct kept kept = {result, err, true};
    return roundcast_run_each(batch->request, batch->count, jobs, keep, &kept, err) && kept.whole;
}

void batch_free_results(struct batch_result result[], size_t count)
{
    for (size_t which = 0; which < count; which++) {
        free(result[which].err);
        free(result[which].report);
    }
    free(result);
}
