/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/study.h"

#include "sched/base/text.h"
#include "sweep/lines.h"

#include <stdlib.h>
#include <string.h>

void study_free(struct study *study)
{
    for (size_t key = 0; key < study->keys; key++) {
        for (size_t which = 0; which < study->key[key].count; which++)
            free(study->key[key].value[which]);
        free(study->key[key].value);
    }
    for (size_t which = 0; which < study->skips; which++)
        free(study->skip[which].value);
    free(study->range);
    *study = (struct study){0};
}

const char *study_value(const struct study *study, size_t key, uint64_t number)
{
    uint64_t rest = number - 1;
    for (size_t later = study->keys - 1; later > key; later--)
        rest /= study->key[later].count;
    return study->key[key].value[rest % study->key[key].count];
}

/* Returns whether the number is in the ascending ranges [from, to). O(log ranges). */
static bool is_among(const struct study_range *range, size_t from, size_t to, uint64_t number)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (number < range[middle].first)
            to = middle;
        else if (number > range[middle].last)
            from = middle + 1;
        else
            return true;
    }
    return false;
}

/* Returns whether every `points` line contains the number. */
static bool is_chosen(const struct study *study, uint64_t number)
{
    const struct study_range *range = study->range;
    for (size_t from = 0, to; from < study->ranges; from = to) {
        for (to = from + 1; to < study->ranges && range[to].line == range[from].line;)
            to++;
        if (!is_among(range, from, to, number))
            return false;
    }
    return true;
}

uint64_t study_next(const struct study *study, uint64_t number)
{
    for (; number <= study->product; number++)
        if (is_chosen(study, number) && !condition_skips(study, number))
            return number;
    return 0;
}

bool study_leaves_out(const char *value)
{
    return strcmp(value, "-") == 0 || strcmp(value, "no") == 0;
}

/* Returns whether `run` reads this field, if only to explain why it rejects the point. */
static bool is_read(const struct field *field)
{
    return ((field->commands | field->rejected) & FIELD_FOR_RUN) != 0;
}

/* Returns whether a study may contain this field. Fields of output files are excluded, because
 * several points would write the same file. */
static bool is_of_points(const struct field *field)
{
    static const char *const rejected[] = {"waves", "waves-from", "waves-to", "view"};
    bool right = is_read(field);
    for (size_t which = 0; which < sizeof rejected / sizeof *rejected; which++)
        right = right && strcmp(field->name, rejected[which]) != 0;
    return right;
}

static bool is_named(const struct field *field, const char *name)
{
    return name[1] == '\0' ? name[0] == field->letter : strcmp(name, field->name) == 0;
}

bool study_find_field(const char *name, const struct field **field, struct err *err)
{
    char hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (size_t which = 0; which < request_field_count; which++) {
        *field = &request_fields[which];
        if (!is_read(*field))
            continue;
        if (is_named(*field, name))
            return is_of_points(*field) ||
                   err_set(err, ERR_OPTION,
                           "%s: not an option of points, which are run side by side; expected a "
                           "field of the problem, the machine or the engine",
                           name);
        text_look(&nearest, name, (*field)->name);
    }
    return err_set(err, ERR_OPTION,
                   "%.40s: the field does not exist%s; expected one of "
                   "'roundcast run --help'",
                   name, text_hint(&nearest, hint));
}

const char *study_field_name(const struct study_key *key)
{
    return key->field != NULL ? key->field->name : "algorithm";
}

bool study_set(const struct study_key *key, const char *value, struct request *request,
               struct err *err)
{
    if (key->field == NULL) {
        request->problem.algorithm = value;
        return true;
    }
    if (study_leaves_out(value))
        return true;
    if (key->field->type == FIELD_FLAG && strcmp(value, "yes") != 0)
        return err_set(err, ERR_OPTION, "%s: '%.40s' is not a value of a flag; expected yes or no",
                       key->name, value);
    return request_set(request, key->field, value, err);
}

bool study_request(const struct study *study, uint64_t number, struct request *request,
                   struct err *err)
{
    bool set = true;
    *request = request_default();
    for (size_t key = 0; set && key < study->keys; key++)
        set = study_set(&study->key[key], study_value(study, key, number), request, err);
    return set;
}

/* Prints the words of a key's value, each preceded by a blank. */
static void print_words(FILE *to, const struct study_key *key, const char *value)
{
    if (key->field != NULL && study_leaves_out(value))
        return;
    if (key->field != NULL)
        fprintf(to, " %s%s", key->name[1] == '\0' ? "-" : "--", key->name);
    if (key->field != NULL && key->field->type == FIELD_FLAG)
        return;
    putc(' ', to);
    shell_quote(to, value);
}

char *study_text(const struct study *study, uint64_t number)
{
    char *text = NULL;
    size_t size, algorithm = 0;
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    while (study->key[algorithm].field != NULL)
        algorithm++;
    fputs("roundcast run", to);
    print_words(to, &study->key[algorithm], study_value(study, algorithm, number));
    for (size_t key = 0; key < study->keys; key++)
        if (key != algorithm)
            print_words(to, &study->key[key], study_value(study, key, number));
    fputs(" --json", to);
    bool whole = !ferror(to);
    if (fclose(to) == 0 && whole)
        return text;
    free(text);
    return NULL;
}
