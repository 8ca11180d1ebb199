/* SPDX-License-Identifier: Apache-2.0 */
/* parts: a study cut into parts, for jobs that other programs start.
 *
 *     FOLDER/K.study     the study, with a line `points` of the part's own
 *     FOLDER/K.sqlite    the part's rows
 *     FOLDER/K.json      the report of the sweep of the part, when it has ended
 *
 * for K = 1, 2, …. Parts stay where they are until their rows have been taken over.
 */
#ifndef ROUNDCAST_SWEEP_PARTS_H
#define ROUNDCAST_SWEEP_PARTS_H

#include "sweep/results.h"

#include <stddef.h>

#define PARTS_MAX 1000 /* what an array of jobs has, unless a cluster says otherwise */

struct parts {
    const char *folder;
    const char *study; /* the file */
    unsigned count;
    bool merged[PARTS_MAX + 1];
};

/* Write the studies of so many parts of these points, which ascend. The folder is made if it is
 * not there. E104, E201, E202. */
bool parts_write(struct parts *parts, const uint64_t *number, size_t points, struct err *err);

/* Take over the rows of parts that have ended since, or of all that have rows. E201 … E203. */
bool parts_merge(struct parts *parts, bool all, struct results *results, struct err *err);

/* Remove the files of all parts; what else the folder has, stays. */
void parts_remove(const struct parts *parts);

#endif
