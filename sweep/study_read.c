/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/algorithm.h"
#include "sched/base/text.h"
#include "sched/request/given_schedule.h"
#include "sweep/study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Values of a key --------------------------------------------------------------------------- */

/* Lists and ranges of a study's line. */

#define MAX_NUMBER UINT64_C(999999999999999999)

/* A range `first..last`, and the step or factor between its numbers. */
struct range {
    uint64_t first, last, step, factor;
};

/* Reads the digits at *text and advances past them. */
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

/* Checks that a range is finite and not empty. */
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

/* Appends the values of the last word to the key: a single value, or a range such as `1..8`,
 * `1..8+2` or `1..8*2`. E102, E104, E204. */
static bool values_read(const struct words *words, struct study_key *key, struct err *err)
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

/* Reads a range of points from the last word, `5` or `5..9`. E204, E205. */
static bool values_range(const struct words *words, struct study_range *range, struct err *err)
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

struct reader {
    struct words *words;
    struct study *study;
};

static bool read_version(struct words *words, struct err *err)
{
    static const char expected[] = "roundcast-study 1";
    if (!words_line(words, err))
        return err->code != ERR_NONE
                   ? false
                   : words_error(words, err, ERR_CUT, "the file is empty; expected %s", expected);
    bool same = strcmp(words->word, "roundcast-study") == 0 && words_next(words, err) &&
                strcmp(words->word, "1") == 0;
    if (same && !words_next(words, err))
        return err->code == ERR_NONE;
    return err->code != ERR_NONE ? false
                                 : words_error(words, err, ERR_VERSION,
                                               "'%.40s' is another kind of file, or version; "
                                               "expected %s alone",
                                               words->word, expected);
}

/* Writes the name of a field in a study: its letter, if it has one, or its name. */
static const char *key_name(const void *with, const char *field, char name[ERR_FIELD_NAME])
{
    (void)with;
    const struct field *row = field_find(request_fields, request_field_count, field);
    snprintf(name, ERR_FIELD_NAME, "%s", field);
    if (row != NULL && row->letter != 0)
        snprintf(name, ERR_FIELD_NAME, "%c", row->letter);
    return name;
}

/* Reports an error of a field at the last word. */
static bool reject(const struct words *words, struct err *refusal, struct err *err)
{
    err_settle(refusal, &(struct err_naming){key_name, NULL});
    return words_error_at(words, refusal, err);
}

/* Checks that the last key is the only one of algorithms and schedules, which share a field. */
static bool check_single(const struct reader *reader, struct err *err)
{
    const struct study *study = reader->study;
    for (size_t key = 0; key + 1 < study->keys; key++)
        if (study->key[key].field == NULL)
            return words_error(
                reader->words, err, ERR_ORDER,
                "'%s' next to '%s'; expected all algorithms and schedules on one line",
                study->key[study->keys - 1].name, study->key[key].name);
    return true;
}

/* Adds a key. Rejects one that exists, also under the other name of its field (`n`, `nodes`), and
 * more keys than fit. */
static bool open_key(struct reader *reader, struct study_key **opened, struct err *err)
{
    struct study *study = reader->study;
    const char *name = reader->words->word;
    for (size_t key = 0; key < study->keys; key++)
        if (strcmp(study->key[key].name, name) == 0)
            return words_error(reader->words, err, ERR_ORDER,
                               "'%s' stands on a line above; expected all its values there", name);
    struct study_key *key = *opened = &study->key[study->keys];
    if (study->keys == STUDY_MAX_KEYS || strlen(name) >= sizeof key->name)
        return words_error(reader->words, err, ERR_SYNTAX,
                           "'%.40s' is too long or too much; expected at most %d options of 'run'",
                           name, STUDY_MAX_KEYS);
    snprintf(key->name, sizeof key->name, "%.31s", name);
    study->keys++;
    struct err refusal = {0};
    if (strcmp(name, "algorithm") == 0 || strcmp(name, "schedule") == 0)
        return check_single(reader, err);
    if (!study_find_field(name, &key->field, &refusal))
        return reject(reader->words, &refusal, err);
    for (const struct study_key *above = study->key; above < key; above++)
        if (above->field == key->field)
            return words_error(reader->words, err, ERR_ORDER,
                               "'%s' is the option '%s' of a line above; expected all its values "
                               "there",
                               name, above->name);
    return true;
}

/* Checks that the field of the key accepts the value. */
static bool check_value(const struct reader *reader, const struct study_key *key, char *value,
                        struct err *err)
{
    struct request request = request_default();
    struct err refusal = {0};
    if (key->field == NULL && given_schedule_is(value) && strcmp(value, "-") != 0)
        return true;
    if (key->field == NULL && value[0] == '-')
        return words_error(reader->words, err, ERR_SYNTAX,
                           "'%.40s' is not an algorithm; expected its name", value);
    bool right = key->field != NULL ? study_set(key, value, &request, &refusal)
                                    : algorithm_find(value, &refusal) != NULL;
    return right || reject(reader->words, &refusal, err);
}

/* Compares values by their meaning: both words that omit an option are equal. */
static int order(const void *a, const void *b)
{
    const char *one = *(char *const *)a, *other = *(char *const *)b;
    return strcmp(study_leaves_out(one) ? "-" : one, study_leaves_out(other) ? "-" : other);
}

/* Checks that all values of a key differ, because equal values would produce equal points. */
static bool check_different(const struct words *words, const struct study_key *key, struct err *err)
{
    char **sorted = malloc(key->count * sizeof *sorted), *twice = NULL;
    if (sorted == NULL)
        return err_no_memory(err, "the values of a study");
    memcpy(sorted, key->value, key->count * sizeof *sorted);
    qsort(sorted, key->count, sizeof *sorted, order);
    for (size_t which = 1; which < key->count && twice == NULL; which++)
        twice = order(&sorted[which - 1], &sorted[which]) == 0 ? sorted[which] : NULL;
    free(sorted);
    return twice == NULL || words_error(words, err, ERR_SYNTAX,
                                        "the value %.60s of '%s' is there twice; expected it once",
                                        twice, key->name);
}

static bool read_key(struct reader *reader, struct err *err)
{
    struct study_key *key = NULL;
    if (!open_key(reader, &key, err))
        return false;
    struct words after_name = *reader->words;
    while (words_next(reader->words, err)) {
        size_t first = key->count;
        if (key->field == NULL && reader->words->word[0] == '|' && !words_rest(reader->words, err))
            return false;
        if (!values_read(reader->words, key, err))
            return false;
        for (size_t which = first; which < key->count; which++)
            if (!check_value(reader, key, key->value[which], err))
                return false;
    }
    if (err->code != ERR_NONE)
        return false;
    if (key->count == 0)
        return words_error(&after_name, err, ERR_SYNTAX, "'%s' has no value; expected some",
                           key->name);
    struct study *study = reader->study;
    if (!check_different(&after_name, key, err))
        return false;
    study->product *= key->count;
    return study->product <= STUDY_MAX_POINTS ||
           words_error(&after_name, err, ERR_TOO_BIG,
                       "with '%s' there are %" PRIu64 " point%s; expected at most %" PRIu64,
                       key->name, study->product, text_s(study->product), STUDY_MAX_POINTS);
}

static bool read_skip(struct reader *reader, struct err *err)
{
    struct study *study = reader->study;
    bool some = false;
    for (; words_next(reader->words, err); some = true) {
        if (study->skips == STUDY_MAX_SKIPS)
            return words_error(reader->words, err, ERR_TOO_BIG,
                               "too many conditions; expected at most %d", STUDY_MAX_SKIPS);
        if (!condition_read(reader->words, study, &study->skip[study->skips], err))
            return false;
        study->skips++;
    }
    if (err->code != ERR_NONE)
        return false;
    return some || words_error(reader->words, err, ERR_SYNTAX,
                               "'skip' has no condition; expected some, such as n>8");
}

static bool append_range(struct reader *reader, const struct study_range *range, struct err *err)
{
    struct study *study = reader->study;
    const struct study_range *last = study->ranges > 0 ? &study->range[study->ranges - 1] : NULL;
    if (last != NULL && last->line == range->line && range->first <= last->last)
        return words_error(reader->words, err, ERR_ORDER,
                           "points %" PRIu64 " after %" PRIu64 "; expected numbers that ascend",
                           range->first, last->last);
    if ((study->ranges & (study->ranges - 1)) == 0) {
        size_t room = study->ranges == 0 ? 1 : 2 * study->ranges;
        struct study_range *more = realloc(study->range, room * sizeof *more);
        if (more == NULL)
            return err_no_memory(err, "the numbers of points");
        study->range = more;
    }
    study->range[study->ranges++] = *range;
    return true;
}

static bool read_points(struct reader *reader, struct err *err)
{
    bool some = false;
    for (; words_next(reader->words, err); some = true) {
        struct study_range range;
        if (!values_range(reader->words, &range, err) || !append_range(reader, &range, err))
            return false;
    }
    if (err->code != ERR_NONE)
        return false;
    return some || words_error(reader->words, err, ERR_SYNTAX,
                               "'points' has no number; expected some, such as 1..8");
}

static bool read_line(struct reader *reader, struct err *err)
{
    if (strcmp(reader->words->word, "skip") == 0)
        return read_skip(reader, err);
    if (strcmp(reader->words->word, "points") == 0)
        return read_points(reader, err);
    return read_key(reader, err);
}

static bool read_all(struct reader *reader, struct err *err)
{
    if (!read_version(reader->words, err))
        return false;
    while (words_line(reader->words, err))
        if (!read_line(reader, err))
            return false;
    if (err->code != ERR_NONE)
        return false;
    for (size_t key = 0; key < reader->study->keys; key++)
        if (reader->study->key[key].field == NULL)
            return true;
    return words_error(reader->words, err, ERR_CUT,
                       "no algorithm; expected a line 'algorithm' or 'schedule'");
}

bool study_read(FILE *from, const char *name, struct study *study, struct err *err)
{
    *study = (struct study){.product = 1};
    struct words words = {.scan = scan_new(from, name, err)};
    if (words.scan == NULL)
        return false;
    struct reader reader = {&words, study};
    bool read = read_all(&reader, err);
    scan_free(words.scan);
    if (!read)
        study_free(study);
    return read;
}
