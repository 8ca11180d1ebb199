/* SPDX-License-Identifier: Apache-2.0 */
/* options_batch: many runs at once. */
#ifndef ROUNDCAST_OPTIONS_BATCH_H
#define ROUNDCAST_OPTIONS_BATCH_H

#include "cli/options_value.h"

#define OPTIONS_BATCH_WORDS 4

struct options_batch {
    struct err *err;
    const char *file;                      /* of the lines; NULL: there is one run */
    uint32_t jobs;                         /* 0: not given */
    const char *word[OPTIONS_BATCH_WORDS]; /* that said both: word[words] of argv */
    size_t words;
};

/* --batch and --jobs. Initialise with OPTIONS_BATCH. */
extern const struct argp options_batch_argp;

#define OPTIONS_BATCH(error) \
    {                        \
        .err = (error)       \
    }

/* Is this pointer of argv one of --batch and --jobs, or of their values? */
bool options_batch_has(const struct options_batch *options, const char *word);

#endif
