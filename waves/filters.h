/* SPDX-License-Identifier: Apache-2.0 */
/* filters: GTKWave's translation files, which give values a name and a colour.
 *
 *     30 ?purple4?pkt1          a value as GTKWave prints it (all its hexadecimal digits), the
 *                               colour (an X11 name), and the text to print instead
 */
#ifndef ROUNDCAST_FILTERS_H
#define ROUNDCAST_FILTERS_H

#include "waves/save.h"

/* enumerator, suffix of the file's name, function that writes it */
#define FILTERS_TABLE(X)       \
    X(PACKETS, ".packets.txt") \
    X(ROUNDS, ".rounds.txt")   \
    X(FLITS, ".flits.txt")     \
    X(FLAGS, ".flags.txt")     \
    X(WORDS, ".words.txt")

enum filters_kind {
#define FILTERS_ENUM(kind, suffix) FILTERS_##kind,
    FILTERS_TABLE(FILTERS_ENUM)
#undef FILTERS_ENUM
        FILTERS_COUNT,
    FILTERS_NONE = FILTERS_COUNT
};

const char *filters_suffix(enum filters_kind kind);

/* Writes the lines of a filter. E104. The caller checks the file for write errors. */
bool filters_write(enum filters_kind kind, const struct save *save, FILE *to, struct err *err);

#endif
