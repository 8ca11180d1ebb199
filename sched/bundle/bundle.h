/* SPDX-License-Identifier: Apache-2.0 */
/* bundle: the folder that `route` writes and `simulate` reads.
 *
 *     DIR/schedule.sched   the schedule: which packet arrives where and when
 *     DIR/image.hex        the machine and all its memory words
 *     DIR/image.*          the image in other forms, if requested (image.h)
 *     DIR/payload.bin      the bytes of the packets */
#ifndef ROUNDCAST_BUNDLE_H
#define ROUNDCAST_BUNDLE_H

#include "sched/image/image.h"
#include "sched/schedule/payload.h"
#include "sched/schedule/schedule.h"

struct bundle {
    struct schedule schedule;
    struct image image;
    struct payload payload;
    bool form[IMAGE_FORMS]; /* additional forms in which the image is written */
};

/* Writes all files or none into a folder, which is created if it does not exist. E104, E202; E208
 * for a machine that has no image in the form. */
bool bundle_write(const char *directory, const struct bundle *bundle, struct err *err);

/* Reads the files of a folder. The file `payload` replaces the folder's payload; NULL: it does not.
 * The image must belong to the schedule. Errors: E2xx, E401, E404 … E406. Free it with
 * bundle_free. */
bool bundle_read(const char *directory, const char *payload, struct bundle *bundle,
                 struct err *err);

void bundle_free(struct bundle *bundle);

#endif
