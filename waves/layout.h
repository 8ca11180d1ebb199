/* SPDX-License-Identifier: Apache-2.0 */
/* layout: the lines of a save file, as it is being written: groups, vectors, bits, comments. */
#ifndef ROUNDCAST_LAYOUT_H
#define ROUNDCAST_LAYOUT_H

#include "waves/filters.h"
#include "waves/names.h"
#include "waves/save.h"

#include <limits.h>
#include <stdio.h>

/* A save file that is being written. */
struct layout {
    FILE *to;
    const struct save *save;
    const char (*filter)[PATH_MAX]; /* absolute paths, by kind */
};

/* GTKWave's colours. */
enum layout_colour {
    LAYOUT_PLAIN,
    LAYOUT_RED,
    LAYOUT_ORANGE,
    LAYOUT_YELLOW,
    LAYOUT_GREEN,
    LAYOUT_BLUE,
    LAYOUT_INDIGO,
    LAYOUT_VIOLET
};

/* A signal of the machine, or of the node `at`. */
struct names_vector layout_find(const struct layout *layout, enum names_signal signal, uint32_t at);

/* Does the engine show what is inside of the machine? */
bool layout_inside(const struct layout *layout);

/* A line for a vector, called `label`; nothing if the engine does not show it. */
void layout_vector(const struct layout *layout, const char *label, struct names_vector vector,
                   enum filters_kind filter, enum layout_colour colour);

/* A line for bits[count] of several vectors, the first leftmost; nothing if the engine does not
 * show one of them. */
void layout_bits(const struct layout *layout, const char *label, const struct names_bits *bits,
                 size_t count, enum filters_kind filter, enum layout_colour colour);

/* A line for a row of the tables: the round or the time. */
void layout_row(const struct layout *layout, struct names_vector row);

/* The lines around a group; both are told alike whether it is open. Groups nest. */
__attribute__((format(printf, 3, 4))) void layout_begin(const struct layout *layout, bool open,
                                                        const char *name, ...);
__attribute__((format(printf, 3, 4))) void layout_end(const struct layout *layout, bool open,
                                                      const char *name, ...);

/* How many of `all` are listed; if not all, a line says so. */
uint32_t layout_list(const struct layout *layout, const char *what, uint32_t all);

#endif
