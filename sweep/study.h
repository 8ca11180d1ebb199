/* SPDX-License-Identifier: Apache-2.0 */
/* study: the points of a sweep: every combination of the listed values of options of `run`, except
 * those excluded by conditions.
 *
 *     roundcast-study 1
 *     algorithm circulant matching      # a key and its values
 *     n         8 16..64*2              # 8 16 32 64
 *     m         1..4
 *     skip      algorithm=matching m>n  # all conditions of a line
 *     points    1..20                   # only these points
 *
 * Points are numbered from 1; the last key varies fastest, and excluded points are counted too.
 * docs/sweep.md describes the file.
 */
#ifndef ROUNDCAST_SWEEP_STUDY_H
#define ROUNDCAST_SWEEP_STUDY_H

#include "sched/base/scan.h"
#include "sched/request/request.h"

#include <stddef.h>

/* -- Words of a study -------------------------------------------------------------------------- */

/* The words of a study, line by line, with their positions. */

#define WORDS_ROOM 256 /* room for a word: 255 bytes and the terminating 0 */

struct words {
    struct scan *scan;
    uint64_t column, next; /* of the last word, and of the next byte; counted in bytes from 1 */
    char word[WORDS_ROOM];
};

/* Advances to the next line that contains a word, and reads the word. Returns false at the end of
 * the file, or with err. E204, E205, E207, E201. */
bool words_line(struct words *words, struct err *err);

/* Reads the next word of the line. Returns false at the end of the line, or with err. E204, E205,
 * E207, E201. */
bool words_next(struct words *words, struct err *err);

/* Appends the rest of the line to the last word, up to a comment, without blanks at the end. E204,
 * E205, E207, E201. */
bool words_rest(struct words *words, struct err *err);

/* Sets an error that begins with the `name:line:column: ` of the last word. Returns false. */
bool words_error(const struct words *words, struct err *err, enum err_code code, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* Sets an error to `inner`, found at the last word: `name:line:column: ` before its text. Returns
 * false. */
bool words_error_at(const struct words *words, const struct err *inner, struct err *err);

#define STUDY_MAX_KEYS 32
#define STUDY_MAX_VALUES 65536              /* values of a key */
#define STUDY_MAX_POINTS UINT64_C(10000000) /* including excluded points */
#define STUDY_MAX_SKIPS 256

/* A field of a run, or the algorithm, and its values. */
struct study_key {
    char name[32];
    const struct field *field; /* NULL: the algorithm */
    char **value;
    size_t count;
};

enum study_relation {
    STUDY_LESS,
    STUDY_LESS_EQUAL,
    STUDY_GREATER,
    STUDY_GREATER_EQUAL,
    STUDY_EQUAL,
    STUDY_UNLIKE
};

/* A condition: `n>8`, or `n>m` with two keys. */
struct study_condition {
    uint64_t line; /* conditions of the same line must hold together */
    size_t key;
    enum study_relation relation;
    size_t other; /* index of another key; STUDY_MAX_KEYS: `value` is used */
    char *value;
};

/* Ranges of a line `points`, in ascending order. */
struct study_range {
    uint64_t line, first, last;
};

struct study {
    struct study_key key[STUDY_MAX_KEYS];
    size_t keys;
    struct study_condition skip[STUDY_MAX_SKIPS];
    size_t skips;
    struct study_range *range;
    size_t ranges;
    uint64_t product; /* product of the numbers of values of all keys */
};

/* Reads a study; each value is checked by its field. Errors name line and column: E101, E102, E103,
 * E203 … E207, E401. E104 if the study is too large. Free it with study_free. */
bool study_read(FILE *from, const char *name, struct study *study, struct err *err);
void study_free(struct study *study);

/* Returns the first point from this number on that is not excluded; 0 if there is none. */
uint64_t study_next(const struct study *study, uint64_t number);

/* Returns the value of a key at a point. */
const char *study_value(const struct study *study, size_t key, uint64_t number);

/* Returns whether this value omits its option: "-" or "no". */
bool study_leaves_out(const char *value);

/* Finds the field of a run by its name or its letter. E101 if there is none, with the nearest name,
 * or if a study may not contain the field. */
bool study_find_field(const char *name, const struct field **field, struct err *err);

/* Returns the name of the key's field, such as "nodes" for n, or "algorithm". */
const char *study_field_name(const struct study_key *key);

/* Sets the key's field to a value, which the study still owns. E101, E102, E103, E401. */
bool study_set(const struct study_key *key, const char *value, struct request *request,
               struct err *err);

/* Fills in the request of a point; its texts are owned by the study. The errors are those of
 * study_set. */
bool study_request(const struct study *study, uint64_t number, struct request *request,
                   struct err *err);

/* Returns the point's command, quoted for a shell: "roundcast run … --json". The caller frees it.
 * NULL without memory. */
char *study_text(const struct study *study, uint64_t number);

/* -- Conditions -------------------------------------------------------------------------------- */

/* The conditions by which a study excludes points. */

/* Reads a condition from the last word: `KEY<VALUE` with one of < <= > >= = !=. KEY must be a key
 * of the study; VALUE may be one. E204. */
bool condition_read(const struct words *words, const struct study *study,
                    struct study_condition *condition, struct err *err);

/* Returns whether all conditions of at least one line hold for the point. */
bool condition_skips(const struct study *study, uint64_t number);

#endif
