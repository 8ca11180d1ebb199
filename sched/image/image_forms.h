/* SPDX-License-Identifier: Apache-2.0 */
/* image_forms: the forms of an image's text that are lists of pairs {address, word}, in order. The
 * header and the last line are those of image.h; the first line names the form.
 *
 *     // roundcast-image 1 writes                // roundcast-image 1 c
 *     …                                          …
 *     0000000800000001                           const uint32_t roundcast_image[][2] = {
 *     0000000900000002                               {0x00000008, 0x00000001},
 *     …                                          …
 *     ffffffffffffffff                           };
 *     // end 512                                 // end 512
 *
 * $readmemh reads the first form into an array of 64-bit words. An address of all ones does not
 * exist on any machine (machine_address.h), so a word of all ones marks the end of the list.
 */
#ifndef ROUNDCAST_IMAGE_FORMS_H
#define ROUNDCAST_IMAGE_FORMS_H

#include "sched/image/image.h"

#include <stdio.h>

/* The text before, after and within the pairs. */
struct image_pairs {
    const char *head, *foot;
    const char *before, *between, *after; /* of address and word, eight digits each */
};

/* Returns the texts of a form; NULL for a form without pairs. */
const struct image_pairs *image_pairs_of(enum image_form form);

/* Writes eight hexadecimal digits at `to`, and returns the position after them. It does not use
 * printf, because an image can have 2^28 words. */
char *image_put_word(char *to, uint32_t word);

/* Writes the text between the header and the last line. */
void image_pairs_write(FILE *to, const struct image_pairs *pairs, const struct image *image);

/* The position of a reader in that text. */
struct image_pairs_reader {
    const struct image_pairs *pairs; /* NULL for a form without pairs */
    const char *expected;            /* the rest of the head or of the foot ... */
    bool after;                      /* ... true after the last pair */
};

struct image_pairs_reader image_pairs_begin(enum image_form form);

/* Classifies a line, with its newline: a pair, the next line of head or foot, or neither. */
enum image_line { IMAGE_PAIR, IMAGE_AROUND, IMAGE_WRONG };
enum image_line image_pairs_read(struct image_pairs_reader *reader, const char *line,
                                 struct image_word *pair);

/* Reports whether the whole text has been read. */
bool image_pairs_done(const struct image_pairs_reader *reader);

/* -- The header -------------------------------------------------------------------------------- */

/* The lines at the head of an image's text: its form, the machine and the run.
 *
 *     // roundcast-image 1
 *     // machine benes:32,… rows=64 settings=indexed tables=8 programs=stored beats=64
 *     // run rows=12 flits=4 row-cycles=13 period=12 first=0 packets=8
 *     // tree … or // cube …, for a machine of routers (image.h)
 *
 * The fields settings, tables, programs, beats (the maximum number of setting phases), period,
 * first and packets are absent for a machine without a setting period. With reconfiguration the
 * line of the machine ends with order=held, and that of the run with reconfigure=CYCLES. */

#define IMAGE_HEADER_LINE 1024 /* bytes of a line, including its newline and the final 0 */

void image_header_write(FILE *to, const struct image *image, enum image_form form);

/* Reads the lines strictly: the values that were read are written again and compared. E203, E205,
 * E207, E401 as `name:line: …`, and the errors of machine_check and machine_check_run. */
bool image_header_read(FILE *from, const char *name, struct image *image, enum image_form *form,
                       struct err *err);

#endif
