/* SPDX-License-Identifier: Apache-2.0 */
/* layout: writes the lines of a save file: groups, vectors, bits, comments. */
#ifndef ROUNDCAST_LAYOUT_H
#define ROUNDCAST_LAYOUT_H

#include "waves/names.h"
#include "waves/save.h"

#include <limits.h>
#include <stdio.h>

/* -- Translation filters ----------------------------------------------------------------------- */

/* GTKWave's translation files, which give values a name and a colour.
 *
 *     30 ?purple4?pkt1          a value as GTKWave prints it (all its hexadecimal digits), the
 *                               colour (an X11 name), and the text to print instead
 */

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

/* Looks up a signal of the machine, or of node `at`. */
struct names_vector layout_find(const struct layout *layout, enum names_signal signal, uint32_t at);

/* Returns whether the trace of the engine shows signals inside the machine. */
bool layout_inside(const struct layout *layout);

/* Writes a line for a vector, named `label`; nothing if the engine does not show it. */
void layout_vector(const struct layout *layout, const char *label, struct names_vector vector,
                   enum filters_kind filter, enum layout_colour colour);

/* Writes a line for bits[count] of several vectors, the first leftmost; nothing if the engine does
 * not show all of them. */
void layout_bits(const struct layout *layout, const char *label, const struct names_bits *bits,
                 size_t count, enum filters_kind filter, enum layout_colour colour);

/* Writes a line for a row of the tables: the round or the time. */
void layout_row(const struct layout *layout, struct names_vector row);

/* Writes the first and last line of a group; both calls must have the same `open`. Groups nest. */
__attribute__((format(printf, 3, 4))) void layout_begin(const struct layout *layout, bool open,
                                                        const char *name, ...);
__attribute__((format(printf, 3, 4))) void layout_end(const struct layout *layout, bool open,
                                                      const char *name, ...);

/* Returns how many of `all` are listed; if not all are, writes a line that says so. */
uint32_t layout_list(const struct layout *layout, const char *what, uint32_t all);

/* -- Groups ------------------------------------------------------------------------------------ */

/* Writes the groups of a save file (listed in save.h). */

/* Writes the group `run`. */
void groups_run(const struct layout *layout);
void groups_switch(const struct layout *layout); /* for machines with reconfiguration */

/* Writes the groups sends, receives, observation and endpoints: a line or a group per node. */
void groups_nodes(const struct layout *layout);

/* Writes the network of a multistage machine, stage by stage. Precondition: layout_inside. */
void groups_stages(const struct layout *layout);

/* Writes the routers of a fat tree, level by level from the root. Precondition: layout_inside. */
void groups_tree(const struct layout *layout);

/* Writes the arcs of a hypercube, dimension by dimension. Precondition: layout_inside. */
void groups_cube(const struct layout *layout);

/* Writes a line for the packet that an endpoint receives. */
void groups_put_receives(const struct layout *layout, const char *label, uint32_t node);

#endif
