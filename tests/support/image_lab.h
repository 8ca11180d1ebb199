/* SPDX-License-Identifier: Apache-2.0 */
/* image_lab: texts of images, read, written, edited. */
#ifndef ROUNDCAST_IMAGE_LAB_H
#define ROUNDCAST_IMAGE_LAB_H

#include "sched/base/err.h"
#include "sched/image/image.h"

bool image_lab_read(const char *text, size_t size, struct image *image, struct err *err);

/* The text of an image, to be freed. */
char *image_lab_write(const struct image *image, enum image_form form, size_t *size);

/* The words of an image's run, which its header says. */
void image_lab_run(struct image *image);

/* Two machines are the same in every field. (The bytes between fields are nobody's.) */
void image_lab_same_machine(const struct machine *seen, const struct machine *expected);

/* Written, read and written again it is the same, in each form that is one text. */
void image_lab_round_trip(const struct image *image);

/* No proper prefix of a good text is read. */
void image_lab_prefixes(const char *text, size_t size);

/* One edit of a good text, and what is said of it. */
struct image_lab_bad {
    const char *from, *to; /* the first `from`; "" is the whole text */
    enum err_code code;
    const char *where, *what;
};

/* Each edit is refused, and leaves nothing. */
void image_lab_refused(const char *good, const struct image_lab_bad bad[], size_t count);

#endif
