/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/study.h"

#include "sweep/condition.h"
#include "sweep/shell.h"

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

/* Is the number in the ranges [from, to), which ascend? O(log ranges). */
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

/* Does each line of points have it? */
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

int study_words(const struct study_key *key, const char *value, char *argv[2])
{
    int argc = 0;
    if (key->option[0] != '\0' && study_leaves_out(value))
        return 0;
    if (key->option[0] != '\0')
        argv[argc++] = (char *)key->option;
    if (key->option[0] == '\0' || strcmp(value, "yes") != 0)
        argv[argc++] = (char *)value;
    return argc;
}

int study_command(const struct study *study, uint64_t number, char *argv[STUDY_ARGUMENTS])
{
    int argc = 2;
    argv[0] = (char *)"run";
    for (size_t key = 0; key < study->keys; key++) {
        bool first = study->key[key].option[0] == '\0';
        int words = study_words(&study->key[key], study_value(study, key, number),
                                first ? argv + 1 : argv + argc);
        argc += first ? 0 : words;
    }
    argv[argc++] = (char *)"--json";
    argv[argc] = NULL;
    return argc;
}

char *study_text(const struct study *study, uint64_t number)
{
    char *argv[STUDY_ARGUMENTS], *text = NULL;
    size_t size;
    int argc = study_command(study, number, argv);
    FILE *to = open_memstream(&text, &size);
    if (to == NULL)
        return NULL;
    fputs("roundcast", to);
    for (int which = 0; which < argc; which++) {
        putc(' ', to);
        shell_quote(to, argv[which]);
    }
    bool whole = !ferror(to);
    if (fclose(to) == 0 && whole)
        return text;
    free(text);
    return NULL;
}
