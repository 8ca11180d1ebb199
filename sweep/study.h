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

#include "sched/base/err.h"

#include <stddef.h>

#define STUDY_MAX_KEYS 32
#define STUDY_MAX_VALUES 65536              /* of a key */
#define STUDY_MAX_POINTS UINT64_C(10000000) /* those that are left out included */
#define STUDY_MAX_SKIPS 256
#define STUDY_ARGUMENTS (2 * STUDY_MAX_KEYS + 4)

/* An option of `run`, or its algorithm. */
struct study_key {
    char name[32];
    char option[36]; /* as `run` takes it: -n, --network; empty of the algorithm */
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

/* Does `run` take these words? False with err. */
typedef bool study_check(int argc, char **argv, struct err *err);

/* Read a study; each value is checked as `run KEY VALUE`. Errors name line and column: E101, E102,
 * E103, E203 … E207, E401. E104 if it is too large. Free it with study_free. */
bool study_read(FILE *from, const char *name, study_check *check, struct study *study,
                struct err *err);
void study_free(struct study *study);

/* The first point from this number on that is not left out; 0 if there is none. */
uint64_t study_next(const struct study *study, uint64_t number);

/* A point's value of a key. */
const char *study_value(const struct study *study, size_t key, uint64_t number);

/* Does this value of an option leave it out? */
bool study_leaves_out(const char *value);

/* How `run` is told the value of a key, in at most two words. Returns how many. */
int study_words(const struct study_key *key, const char *value, char *argv[2]);

/* The point's command line, which ends with NULL; argv[0] is "run", and the last is "--json". What
 * it points to is the study's. Returns argc. */
int study_command(const struct study *study, uint64_t number, char *argv[STUDY_ARGUMENTS]);

/* The same as a text that a shell takes: "roundcast run …". To be freed; NULL without memory. */
char *study_text(const struct study *study, uint64_t number);

#endif
