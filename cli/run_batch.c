/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_batch.h"

#include "cli/batch_report.h"
#include "cli/run.h"
#include "lib/report/report_json.h"
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sweep/pool.h"
#include "testbench/run/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A file that a line writes. */
struct written {
    const char *path;
    char *place; /* of the file, whatever path leads there */
    size_t which;
};

struct files {
    struct written *file; /* file[2 · lines] */
    size_t count;
};

/* All runs would share `-`. */
static bool check_standard(char *const *word, size_t count, struct err *err)
{
    for (size_t which = 0; which < count; which++) {
        size_t length = strlen(word[which]);
        if (strcmp(word[which], "-") == 0 ||
            (length > 2 && strcmp(word[which] + length - 2, "=-") == 0))
            return err_set(err, ERR_OPTION,
                           "-: runs side by side share standard input and output; expected a file");
    }
    return true;
}

/* Notes where a line writes. Its run rejects a file in a folder that does not exist. */
static bool note(struct files *files, const struct run_files *written, size_t which,
                 struct err *err)
{
    const char *const paths[] = {written->waves, written->page};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        char *place = paths[k] != NULL ? files_place(paths[k]) : NULL;
        if (place != NULL)
            files->file[files->count++] = (struct written){paths[k], place, which};
        else if (paths[k] != NULL && errno == ENOMEM)
            return err_no_memory(err, "the place of a file");
    }
    return true;
}

static void free_files(struct files *files)
{
    for (size_t k = 0; k < files->count; k++)
        free(files->file[k].place);
    free(files->file);
}

/* Checks the words of a line alone, then together with the options for all lines. */
static bool check_line(const struct batch *batch, size_t which, struct files *files,
                       struct err *err)
{
    const struct batch alone = {.name = batch->name, .lines = batch->lines};
    const struct lines_line *line = &batch->lines.line[which];
    struct run_files written = {0};
    int argc, argc_alone;
    char **words = batch_command(&alone, which, NULL, &argc_alone, err);
    char **all = words != NULL ? batch_command(batch, which, NULL, &argc, err) : NULL;
    bool right = all != NULL && check_standard(line->word, line->count, err) &&
                 run_check_line(argc_alone, words, &written, err) &&
                 run_check_all(argc, all, err) && note(files, &written, which, err);
    free(words);
    free(all);
    return right;
}

static int order(const void *left, const void *right)
{
    const struct written *a = left, *b = right;
    return compare_then(strcmp(a->place, b->place), COMPARE(a->which, b->which));
}

/* Lines that write the same file would leave that of any of them. */
static bool check_files(const struct batch *batch, struct files *files, struct err *err)
{
    qsort(files->file, files->count, sizeof *files->file, order);
    for (size_t which = 1; which < files->count; which++) {
        const struct written *one = &files->file[which - 1], *other = &files->file[which];
        struct err refusal;
        if (strcmp(one->place, other->place) != 0)
            continue;
        err_set(&refusal, ERR_OPTION,
                "%.200s: line %" PRIu64 " writes it, too; expected a file of its own", other->path,
                batch->lines.line[one->which].number);
        return batch_refuse(batch, other->which, &refusal, err);
    }
    return true;
}

/* Checks all lines: the first wrong one is reported, the others are counted. */
static bool check_lines(const struct batch *batch, struct err *err)
{
    struct files files = {calloc(batch->lines.count, 2 * sizeof *files.file), 0};
    uint64_t wrong = 0;
    if (files.file == NULL)
        return err_no_memory(err, "the files of a batch");
    for (size_t which = 0; which < batch->lines.count; which++) {
        struct err refusal = {0};
        if (!check_line(batch, which, &files, &refusal) && wrong++ == 0)
            batch_refuse(batch, which, &refusal, err);
    }
    bool right = wrong == 0 && check_files(batch, &files, err);
    err->further = wrong > 0 ? wrong - 1 : 0;
    free_files(&files);
    return right;
}

/* The first of those that are worst, and how many others there are. */
static bool judge(const struct batch *batch, const struct batch_result result[], struct err *err)
{
    size_t worst = 0;
    uint64_t failed = 0;
    for (size_t which = 0; which < batch->lines.count; which++) {
        failed += result[which].err != NULL;
        if (result[which].err != NULL &&
            (result[worst].err == NULL ||
             err_exit_status(result[which].err->code) > err_exit_status(result[worst].err->code)))
            worst = which;
    }
    if (failed == 0)
        return true;
    batch_refuse(batch, worst, result[worst].err, err);
    err->further = failed - 1;
    return false;
}

/* In a process of its own. */
static bool run_line(const void *context, size_t which, FILE *to, struct err *err)
{
    int argc;
    char **argv = batch_command(context, which, "--json", &argc, err);
    if (argv == NULL) {
        report_failure(to, err);
        return false;
    }
    bool held = run_report(argc, argv, to, err);
    free(argv);
    return held;
}

static bool run_lines(const struct batch *batch, unsigned jobs, bool json, struct err *err)
{
    size_t count = batch->lines.count;
    struct batch_result *result = calloc(count, sizeof *result);
    if (result == NULL)
        return err_no_memory(err, "the results of a batch");
    double begun = progress_seconds();
    struct err breach = {0};
    bool reported = batch_run(batch, jobs, run_line, result, err);
    bool held = reported && judge(batch, result, &breach);
    double seconds = progress_seconds() - begun;
    reported = reported && (json ? batch_report_json(batch, result, &breach, seconds, err)
                                 : batch_report_text(batch, result, seconds, err));
    batch_free_results(result, count);
    if (!reported || held)
        return reported;
    *err = breach;
    err->reported = json;
    return false;
}

static bool read_lines(const char *path, struct batch *batch, struct err *err)
{
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    batch->name = files_input_name(path);
    bool read = lines_read(file, batch->name, &batch->lines, err);
    files_close_input(file);
    return read;
}

/* Returns whether this pointer of argv is a word of the batch's own options. */
static bool is_of_batch(const struct run_batch_options *options, const char *word)
{
    bool has = false;
    for (size_t which = 0; which < options->words; which++)
        has = has || options->word[which] == word;
    return has;
}

bool run_batch(const struct run_batch_options *options, int argc, char **argv, struct err *err)
{
    struct batch batch = {0};
    char **defaults = malloc((size_t)argc * sizeof *defaults);
    if (defaults == NULL)
        return err_no_memory(err, "the options of a batch");
    for (int word = 1; word < argc; word++)
        if (!is_of_batch(options, argv[word]))
            defaults[batch.default_count++] = argv[word];
    batch.defaults = defaults;
    omp_set_num_threads(1); /* threads do not survive into processes */
    bool held = check_standard(defaults, batch.default_count, err) &&
                read_lines(options->file, &batch, err) && check_lines(&batch, err) &&
                run_lines(&batch, options->jobs > 0 ? options->jobs : pool_processors(),
                          options->json, err);
    lines_free(&batch.lines);
    free(defaults);
    return held;
}
