/* SPDX-License-Identifier: Apache-2.0 */
/* output: the kinds of files that commands write, and their valid names.
 *
 * A suffix that belongs to another kind of file is rejected, so that no `x.png` contains HTML.
 * Names without a suffix, or with an unknown one, are accepted.
 */
#ifndef ROUNDCAST_OUTPUT_H
#define ROUNDCAST_OUTPUT_H

#include "lib/roundcast/error.h"

enum output_kind {
    OUTPUT_SCHEDULE,
    OUTPUT_PAGE,
    OUTPUT_DATABASE,
    OUTPUT_CSV,
    OUTPUT_COMMANDS,
    OUTPUT_DOT,
    OUTPUT_SVG,
    OUTPUT_PNG,
    OUTPUT_PDF,
    OUTPUT_GOAL,
    OUTPUT_C,
    OUTPUT_XML,
    OUTPUT_JSON,
    OUTPUT_SLICES,
    OUTPUT_FOLDER,
    OUTPUT_KINDS
};

/* Returns the kind of file that the suffix of the name indicates, in upper or lower case;
 * OUTPUT_KINDS if it has no suffix or an unknown one. */
enum output_kind output_kind_of(const char *path);

/* Returns the kind of file that an export writes, by the name of its format; OUTPUT_KINDS if any
 * name is valid. */
enum output_kind output_kind_of_format(const char *format);

/* Checks that a file of this name may have this kind of content: E101, with the valid suffixes and
 * the command that writes the other kind. `-` is standard output, which for pages and pictures must
 * not be a terminal. `field` is its name in the message. */
bool output_check(const char *field, const char *path, enum output_kind kind,
                  struct roundcast_error *err);

#endif
