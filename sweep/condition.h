/* SPDX-License-Identifier: Apache-2.0 */
/* condition: the conditions by which a study leaves points out. */
#ifndef ROUNDCAST_SWEEP_CONDITION_H
#define ROUNDCAST_SWEEP_CONDITION_H

#include "sweep/study.h"
#include "sweep/words.h"

/* Reads the last word, `KEY<VALUE` with one of < <= > >= = !=, of keys that the study has; VALUE
 * may be a key. E204. */
bool condition_read(const struct words *words, const struct study *study,
                    struct study_condition *condition, struct err *err);

/* Returns whether all conditions of some line hold for the point. */
bool condition_skips(const struct study *study, uint64_t number);

#endif
