/* SPDX-License-Identifier: Apache-2.0 */
/* condition: the conditions by which a study excludes points. */
#ifndef ROUNDCAST_SWEEP_CONDITION_H
#define ROUNDCAST_SWEEP_CONDITION_H

#include "sweep/study.h"
#include "sweep/words.h"

/* Reads a condition from the last word: `KEY<VALUE` with one of < <= > >= = !=. KEY must be a key
 * of the study; VALUE may be one. E204. */
bool condition_read(const struct words *words, const struct study *study,
                    struct study_condition *condition, struct err *err);

/* Returns whether all conditions of at least one line hold for the point. */
bool condition_skips(const struct study *study, uint64_t number);

#endif
