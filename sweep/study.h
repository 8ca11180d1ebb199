/* SPDX-License-Identifier: Apache-2.0 */
/* study: the points of a sweep: every combination of some values of options of `run`, but for
 * those that conditions leave out.
 *
 *     roundcast-study 1
 *     algorithm circulant matching      # a key and its values
 *     n         8 16..64*2              # 8 16 32 64
 *     m         1..4
 *     skip      algorithm=matching m>n  # all that stand on a line
 *     points    1..20                   # these alone
 *
 * Points are numbered from 1, as the last key runs fastest; those that are left out count, too.
 * docs/sweep.md describes the file.
 */
#ifndef ROUNDCAST_SWEEP_STUDY_H
#define ROUNDCAST_SWEEP_STUDY_H

#include "sched/request/request.h"

#include <stddef.h>

#define STUDY_MAX_KEYS 32
#define STUDY_MAX_VALUES 65536              /* of a key */
#define STUDY_MAX_POINTS UINT64_C(10000000) /* those that are left out included */
#define STUDY_MAX_SKIPS 256

/* A field of a run, or its algorithm. */
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

/* `n>8`, or `n>m` of two keys. */
struct study_condition {
    uint64_t line; /* those of one line hold together */
    size_t key;
    enum study_relation relation;
    size_t other; /* another key; STUDY_MAX_KEYS: a value */
    char *value;
};

/* Numbers of a line `points`, which ascend. */
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
    uint64_t product; /* of the counts of all keys */
};

/* Reads a study; each value is checked by its field. Errors name line and column: E101, E102, E103,
 * E203 … E207, E401. E104 if it is too large. Free it with study_free. */
bool study_read(FILE *from, const char *name, struct study *study, struct err *err);
void study_free(struct study *study);

/* Returns the first point from this number on that is not left out; 0 if there is none. */
uint64_t study_next(const struct study *study, uint64_t number);

/* Returns the value of a key at a point. */
const char *study_value(const struct study *study, size_t key, uint64_t number);

/* Returns whether this value leaves its field out: "-" or "no". */
bool study_leaves_out(const char *value);

/* Finds the field of a run that has this name or, of one byte, this letter; E101 if there is none,
 * with the nearest one, or if its value would be of several points. */
bool study_find_field(const char *name, const struct field **field, struct err *err);

/* Returns the name of the key's field, "nodes" for n; "algorithm". */
const char *study_field_name(const struct study_key *key);

/* Sets the key's field to a value, which stays the study's. E101, E102, E103, E401. */
bool study_set(const struct study_key *key, const char *value, struct request *request,
               struct err *err);

/* Makes the request of a point; its texts are the study's. The errors of study_set. */
bool study_request(const struct study *study, uint64_t number, struct request *request,
                   struct err *err);

/* Returns the point's command, as a text that a shell takes: "roundcast run … --json". To be freed;
 * NULL without memory. */
char *study_text(const struct study *study, uint64_t number);

#endif
