/* SPDX-License-Identifier: Apache-2.0 */
/* parts: a study divided into parts, for jobs that other programs start.
 *
 *     FOLDER/K.study     the study, with a line `points` that selects those of the part
 *     FOLDER/K.sqlite    the part's rows
 *     FOLDER/K.json      the report of the sweep of the part, when it has ended
 *
 * for K = 1, 2, …. The files of a part are kept until its rows have been copied.
 */
#ifndef ROUNDCAST_SWEEP_PARTS_H
#define ROUNDCAST_SWEEP_PARTS_H

#include "sweep/results.h"

#include <stddef.h>

#define PARTS_MAX 1000 /* default maximum size of a job array */

struct parts {
    const char *folder;
    const char *study; /* the file */
    unsigned count;
    bool merged[PARTS_MAX + 1];
};

/* Writes the studies of all parts of these points, which must be in ascending order. The folder is
 * created if it does not exist. E104, E201, E202. */
bool parts_write(struct parts *parts, const uint64_t *number, size_t points, struct err *err);

/* Copies the rows of parts that have ended since the last call, or of all parts with rows. E201 …
 * E203. */
bool parts_merge(struct parts *parts, bool all, struct results *results, struct err *err);

/* Removes the files of all parts; other files in the folder stay. */
void parts_remove(const struct parts *parts);

#endif
