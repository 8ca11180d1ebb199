/* SPDX-License-Identifier: Apache-2.0 */
/* image_lab: reads, writes and edits texts of images. */
#ifndef ROUNDCAST_IMAGE_LAB_H
#define ROUNDCAST_IMAGE_LAB_H

#include "sched/base/err.h"
#include "sched/image/image.h"

bool image_lab_read(const char *text, size_t size, struct image *image, struct err *err);

/* Returns the text of an image; the caller frees it. */
char *image_lab_write(const struct image *image, enum image_form form, size_t *size);

/* The words of an image's run, which its header says. */
void image_lab_run(struct image *image);

/* Checks that two machines are equal in every field. (Padding bytes are not compared.) */
void image_lab_same_machine(const struct machine *seen, const struct machine *expected);

/* Checks that writing, reading and writing again reproduces the text, in each text form. */
void image_lab_round_trip(const struct image *image);

/* Checks that every proper prefix of a valid text is rejected. */
void image_lab_prefixes(const char *text, size_t size);

/* An edit of a valid text, and the error that it must cause. */
struct image_lab_bad {
    const char *from, *to; /* the first `from` is replaced; "" is the whole text */
    enum err_code code;
    const char *where, *what;
};

/* Checks that each edit is rejected, and that nothing remains allocated. */
void image_lab_refused(const char *good, const struct image_lab_bad bad[], size_t count);

#endif
