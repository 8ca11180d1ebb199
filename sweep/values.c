/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER UINT64_C(999999999999999999)

/* `first..last`, and how one comes from the one before. */
struct range {
    uint64_t first, last, step, factor;
};

/* Digits at *text, which are passed over. */
static bool take_number(const char **text, uint64_t *number)
{
    size_t digits = strspn(*text, "0123456789");
    *number = digits > 0 && digits <= 18 ? strtoull(*text, NULL, 10) : 0;
    *text += digits;
    return digits > 0 && digits <= 18;
}

static bool parse_range(const char *text, struct range *range)
{
    *range = (struct range){.step = 1, .factor = 1};
    if (!take_number(&text, &range->first) || strncmp(text, "..", 2) != 0)
        return false;
    text += 2;
    if (!take_number(&text, &range->last))
        return false;
    if (*text == '\0')
        return true;
    bool adds = *text == '+';
    if (!adds && *text != '*')
        return false;
    text++;
    if (!take_number(&text, adds ? &range->step : &range->factor) || *text != '\0')
        return false;
    range->step = adds ? range->step : 0;
    return true;
}

/* Returns whether a word has the form of a range. */
static bool is_range(const char *word)
{
    return *word >= '0' && *word <= '9' && strstr(word, "..") != NULL;
}

static bool append(const struct words *words, const char *text, struct study_key *key,
                   struct err *err)
{
    if (key->count == STUDY_MAX_VALUES)
        return words_error(words, err, ERR_TOO_BIG, "too many values of '%s'; expected at most %d",
                           key->name, STUDY_MAX_VALUES);
    if ((key->count & (key->count - 1)) == 0) {
        char **more = realloc(key->value, (key->count == 0 ? 1 : 2 * key->count) * sizeof *more);
        if (more == NULL)
            return err_no_memory(err, "the values of a study");
        key->value = more;
    }
    key->value[key->count] = strdup(text);
    if (key->value[key->count] == NULL)
        return err_no_memory(err, "the values of a study");
    key->count++;
    return true;
}

/* Checks that a range is not empty and is finite. */
static bool check_range(const struct words *words, const struct range *range, struct err *err)
{
    bool grows = range->step > 0 || (range->factor > 1 && range->first > 0);
    if (range->first <= range->last && grows)
        return true;
    return words_error(words, err, ERR_SYNTAX,
                       "'%.60s' %s; expected numbers that ascend, in steps from 1 or by factors "
                       "from 2",
                       words->word, grows ? "is empty" : "never ends");
}

bool values_read(const struct words *words, struct study_key *key, struct err *err)
{
    struct range range;
    if (!is_range(words->word))
        return append(words, words->word, key, err);
    if (!parse_range(words->word, &range))
        return words_error(words, err, ERR_SYNTAX,
                           "'%.60s' is no range; expected A..B, A..B+STEP or A..B*FACTOR, numbers "
                           "of at most 18 digits",
                           words->word);
    if (!check_range(words, &range, err))
        return false;
    for (uint64_t number = range.first; number <= range.last;) {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, number);
        if (!append(words, text, key, err))
            return false;
        if (number > MAX_NUMBER / range.factor)
            break;
        number = number * range.factor + range.step;
    }
    return true;
}

bool values_range(const struct words *words, struct study_range *range, struct err *err)
{
    const char *at = words->word;
    *range = (struct study_range){.line = words->scan->line};
    bool parsed = take_number(&at, &range->first);
    range->last = range->first;
    if (parsed && strncmp(at, "..", 2) == 0) {
        at += 2;
        parsed = take_number(&at, &range->last);
    }
    return (parsed && *at == '\0' && range->first >= 1 && range->first <= range->last) ||
           words_error(words, err, ERR_SYNTAX,
                       "'%.60s' is no number of points; expected A or A..B, from 1", words->word);
}
