/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
