/* SPDX-License-Identifier: Apache-2.0 */
/* values: lists and ranges of a study's line. */
#ifndef ROUNDCAST_SWEEP_VALUES_H
#define ROUNDCAST_SWEEP_VALUES_H

#include "sweep/study.h"
#include "sweep/words.h"

/* Appends the values of the last word to the key: one, or those of `1..8`, `1..8+2` and `1..8*2`.
 * E102, E104, E204. */
bool values_read(const struct words *words, struct study_key *key, struct err *err);

/* Reads the last word, `5` or `5..9`, as numbers of points. E204, E205. */
bool values_range(const struct words *words, struct study_range *range, struct err *err);

#endif
