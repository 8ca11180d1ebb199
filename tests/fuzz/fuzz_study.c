/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_study: a study that can be read has points in ascending order, each with its own request and
 * a different command, and has the same points if a line `points` selects them by their numbers.
 */
#include "sweep/study.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MOST 300 /* number of points examined */

static bool read_points(const void *bytes, size_t size, struct study *study, struct err *err)
{
    FILE *file = fuzz_open(bytes, size);
    bool parsed = study_read(file, "input", study, err);
    fclose(file);
    return parsed;
}

/* Lists the numbers of the first points. */
static size_t list(const struct study *study, uint64_t number[MOST])
{
    size_t count = 0;
    for (uint64_t at = study_next(study, 1); at != 0 && count < MOST;
         at = study_next(study, at + 1))
        number[count++] = at;
    return count;
}

static int order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_commands(const struct study *study, const uint64_t number[], size_t count)
{
    char *text[MOST];
    for (size_t which = 0; which < count; which++) {
        struct request request;
        struct err err = {0};
        text[which] = study_text(study, number[which]);
        fuzz_holds(text[which] != NULL && study_request(study, number[which], &request, &err), &err,
                   "asking for a point");
    }
    qsort(text, count, sizeof *text, order);
    for (size_t which = 1; which < count; which++)
        if (strcmp(text[which - 1], text[which]) == 0 || FUZZ_FAULT)
            fuzz_fail("two points are: %s", text[which]);
    for (size_t which = 0; which < count; which++)
        free(text[which]);
}

/* Reads the study with an additional line of these points. */
static void check_again(const uint8_t *data, size_t size, const uint64_t number[], size_t count)
{
    struct study again;
    struct err err = {0};
    uint64_t same[MOST];
    char *text;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    fwrite(data, 1, size, to);
    fputs("points", to);
    for (size_t which = 0; which < count; which++)
        fprintf(to, " %zu", (size_t)number[which]);
    putc('\n', to);
    fclose(to);
    fuzz_holds(read_points(text, length, &again, &err), &err, "reading it with its points");
    if (list(&again, same) != count || memcmp(same, number, count * sizeof *same) != 0)
        fuzz_fail("other points with a line that names them");
    study_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study study;
    struct err err = {0};
    uint64_t number[MOST];
    if (!read_points(data, size, &study, &err)) {
        fuzz_refused(&err);
        return 0;
    }
    size_t count = study.product < 100000 ? list(&study, number) : 0;
    check_commands(&study, number, count);
    if (count > 0)
        check_again(data, size, number, count);
    study_free(&study);
    return 0;
}
