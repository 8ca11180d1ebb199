/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/study.h"

#include "sched/base/compare.h"
#include "sched/base/rational.h"
#include "sched/base/text.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Longer operators precede shorter ones that are their prefixes. */
static const struct {
    const char *text;
    enum study_relation relation;
} relations[] = {{"<=", STUDY_LESS_EQUAL}, {">=", STUDY_GREATER_EQUAL}, {"!=", STUDY_UNLIKE},
                 {"<", STUDY_LESS},        {">", STUDY_GREATER},        {"=", STUDY_EQUAL}};
#define RELATIONS (sizeof relations / sizeof *relations)

/* A number such as `5`, `5/2` or `2.5`. */
struct number {
    uint64_t numerator, denominator;
};

/* Reads the digits at *text, a number of 64 bits, and advances past them. */
static bool take(const char **text, uint64_t *number)
{
    size_t digits = strspn(*text, "0123456789");
    errno = 0;
    *number = strtoull(digits > 0 ? *text : "0", NULL, 10);
    *text += digits;
    return digits > 0 && errno == 0;
}

/* Appends the decimals at *text and advances past them. */
static bool take_decimals(const char **text, struct number *number)
{
    const char *at = *text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (number->numerator > (UINT64_MAX - digit) / 10 || number->denominator > UINT64_MAX / 10)
            return false;
        number->numerator = 10 * number->numerator + digit;
        number->denominator *= 10;
    }
    bool some = at > *text;
    *text = at;
    return some;
}

static bool parse(const char *text, struct number *number)
{
    *number = (struct number){0, 1};
    if (!take(&text, &number->numerator))
        return false;
    const char separator = *text;
    text += separator == '/' || separator == '.';
    bool right = separator == '/'   ? take(&text, &number->denominator)
                 : separator == '.' ? take_decimals(&text, number)
                                    : true;
    return right && *text == '\0' && number->denominator > 0;
}

/* Returns -1, 0 or 1. */
static int compare(const struct number *a, const struct number *b)
{
    unsigned __int128 left = (unsigned __int128)a->numerator * b->denominator,
                      right = (unsigned __int128)b->numerator * a->denominator;
    return COMPARE(left, right);
}

static bool is_equal(const char *value, const char *pattern)
{
    struct number a, b;
    if (parse(value, &a) && parse(pattern, &b))
        return compare(&a, &b) == 0;
    return fnmatch(pattern, value, 0) == 0;
}

static bool is_ordered(const char *value, enum study_relation relation, const char *other)
{
    struct number a, b;
    if (!parse(value, &a) || !parse(other, &b))
        return false;
    int order = compare(&a, &b);
    switch (relation) {
    case STUDY_LESS:
        return order < 0;
    case STUDY_LESS_EQUAL:
        return order <= 0;
    case STUDY_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

static bool holds(const struct study *study, const struct study_condition *condition,
                  uint64_t number)
{
    const char *value = study_value(study, condition->key, number);
    const char *other = condition->other < study->keys
                            ? study_value(study, condition->other, number)
                            : condition->value;
    switch (condition->relation) {
    case STUDY_EQUAL:
        return is_equal(value, other);
    case STUDY_UNLIKE:
        return !is_equal(value, other);
    default:
        return is_ordered(value, condition->relation, other);
    }
}

bool condition_skips(const struct study *study, uint64_t number)
{
    bool all = false;
    for (size_t which = 0; which < study->skips; which++) {
        const struct study_condition *condition = &study->skip[which];
        bool first = which == 0 || condition[-1].line != condition->line;
        if (first && all)
            return true;
        all = (first || all) && holds(study, condition, number);
    }
    return all;
}

static size_t find_key(const struct study *study, const char *name, size_t length)
{
    for (size_t key = 0; key < study->keys; key++)
        if (strlen(study->key[key].name) == length &&
            strncmp(study->key[key].name, name, length) == 0)
            return key;
    return STUDY_MAX_KEYS;
}

static bool refuse_key(const struct words *words, const struct study *study, size_t length,
                       struct err *err)
{
    const char *names[STUDY_MAX_KEYS];
    char all[160], hint[TEXT_HINT], word[TEXT_WORD + 1];
    struct text_nearest nearest = {0};
    snprintf(word, sizeof word, "%.*s", (int)length, words->word);
    for (size_t key = 0; key < study->keys; key++) {
        names[key] = study->key[key].name;
        text_look(&nearest, word, names[key]);
    }
    return words_error(words, err, ERR_SYNTAX, "'%s' is no key of the lines above%s; expected %s",
                       word, text_hint(&nearest, hint),
                       study->keys > 0 ? text_list(names, study->keys, " or ", all, sizeof all)
                                       : "keys before conditions");
}

bool condition_read(const struct words *words, const struct study *study,
                    struct study_condition *condition, struct err *err)
{
    size_t length = strcspn(words->word, "<>=!"), which = 0;
    const char *at = words->word + length;
    while (which < RELATIONS && strncmp(at, relations[which].text, strlen(relations[which].text)))
        which++;
    const char *value = which < RELATIONS ? at + strlen(relations[which].text) : "";
    if (length == 0 || *value == '\0')
        return words_error(words, err, ERR_SYNTAX,
                           "'%.40s' is no condition; expected KEY<VALUE without blanks, with one "
                           "of < <= > >= = !=",
                           words->word);
    *condition = (struct study_condition){.line = words->scan->line,
                                          .key = find_key(study, words->word, length),
                                          .relation = relations[which].relation,
                                          .other = find_key(study, value, strlen(value))};
    if (condition->key == STUDY_MAX_KEYS)
        return refuse_key(words, study, length, err);
    struct number number;
    if (condition->relation < STUDY_EQUAL && condition->other == STUDY_MAX_KEYS &&
        !parse(value, &number))
        return words_error(words, err, ERR_SYNTAX,
                           "'%.40s' is no number; expected P, P/Q or a decimal number, or "
                           "a key",
                           value);
    condition->value = strdup(value);
    return condition->value != NULL || err_no_memory(err, "a condition");
}
