/* SPDX-License-Identifier: Apache-2.0 */
/* field: describes a value of a request or command as data: its name, type, range and help.
 *
 * The library has a row for each member of a request: roundcast_field_at. A program can describe
 * values of its own by the same rows, and read all of them from texts in the same way:
 *
 *     struct own { uint32_t jobs; } own = {0};
 *     const struct roundcast_field jobs = {
 *         .name = "jobs", .argument = "N", .help = "run N lines at a time",
 *         .group = ROUNDCAST_FIELD_RUN, .type = ROUNDCAST_FIELD_NUMBER,
 *         .offset = offsetof(struct own, jobs), .minimum = 1, .maximum = 64};
 *     roundcast_field_parse(&jobs, &own, "4", &error);
 */
#ifndef ROUNDCAST_LIB_FIELD_H
#define ROUNDCAST_LIB_FIELD_H

#include "roundcast/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Groups of fields, in the order of help texts. */
enum roundcast_field_group {
    ROUNDCAST_FIELD_PROBLEM,
    ROUNDCAST_FIELD_TOPOLOGY,
    ROUNDCAST_FIELD_MACHINE,
    ROUNDCAST_FIELD_RUN,
    ROUNDCAST_FIELD_OUTPUT,
    ROUNDCAST_FIELD_GROUPS
};

/* The form of a field's text, and the C type at `offset`. */
enum roundcast_field_type {
    ROUNDCAST_FIELD_FLAG,     /* bool; no text: true if the option is given */
    ROUNDCAST_FIELD_NUMBER,   /* uint32_t, decimal, minimum … maximum */
    ROUNDCAST_FIELD_NUMBER64, /* uint64_t, decimal, minimum … maximum */
    ROUNDCAST_FIELD_BYTES,    /* uint64_t, a number with a suffix: 4096, 4K, 64Ki, 1e6 */
    ROUNDCAST_FIELD_TEXT,     /* const char *, borrowed from the caller */
    ROUNDCAST_FIELD_FILE,     /* const char *, a path, `-` for standard input or output */
    ROUNDCAST_FIELD_FOLDER,   /* const char *, the path of a folder */
    ROUNDCAST_FIELD_CHOICE    /* unsigned, the index of one of the names of `choice` */
};

/* Uses of a member of a request, as bits. */
enum {
    ROUNDCAST_FOR_SCHEDULE = 1,
    ROUNDCAST_FOR_PLAN = 2,
    ROUNDCAST_FOR_BOUND = 4,
    ROUNDCAST_FOR_TUNE = 8,
    ROUNDCAST_FOR_ROUTE = 16,
    ROUNDCAST_FOR_SIMULATE = 32,
    ROUNDCAST_FOR_RUN = 64,
    ROUNDCAST_FOR_PLOT = 128,
    ROUNDCAST_FOR_READING = 256
};

struct roundcast_field {
    const char *name;     /* the long option without --, the key in JSON and in studies */
    char letter;          /* the short option; 0: none */
    const char *argument; /* placeholder for the value in help; NULL for a flag */
    /* begins with a verb, ends with the default; `{choices}` stands for all names of `choice`,
       another `{name}` for a field, as in messages */
    const char *help;
    enum roundcast_field_group group;
    enum roundcast_field_type type;
    size_t offset;             /* of the value in the caller's structure; 0 in the library's rows */
    uint64_t minimum, maximum; /* valid range of numbers */

    /* Returns name number `which` of the values, NULL after the last. NULL if values have no
     * names. */
    const char *(*choice)(unsigned which);

    /* Reads a text whose form no type covers into the structure at `base`. NULL: the text is read
     * according to `type`. */
    bool (*set)(void *base, const char *text, struct roundcast_error *error);

    unsigned commands; /* bits ROUNDCAST_FOR_… of the commands that use the field */
    unsigned rejected; /* bits of commands that read the field only to explain why they reject it */
};

/* Gets row `index` of the members of a request, from 0, in the order of help; false after the last.
 * A name may have several rows, for commands for which its range or its help differs. Texts are
 * statically allocated. */
bool roundcast_field_at(size_t index, struct roundcast_field *field);

/* Returns the row with this name among field[count]; NULL if there is none. O(count). */
const struct roundcast_field *roundcast_field_find(const struct roundcast_field field[],
                                                   size_t count, const char *name);

/* Reads a text according to the row and stores the value in the structure at `base`; `text` is
 * ignored for a flag. Texts are borrowed. E101 for a malformed text, E102 for a number out of
 * range, and the errors of `set`. */
bool roundcast_field_parse(const struct roundcast_field *field, void *base, const char *text,
                           struct roundcast_error *error);

/* Reads a decimal number in the range minimum … maximum; messages name the field `name`. E101,
 * E102. */
bool roundcast_field_number(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                            uint64_t *value, struct roundcast_error *error);

/* Finds the index of a text among the names of `choice`. E101 lists the names and suggests the
 * nearest one. */
bool roundcast_field_choose(const char *name, const char *text,
                            const char *(*choice)(unsigned which), unsigned *which,
                            struct roundcast_error *error);

/* Writes all names of `choice` as "a, b or c" into text[size]. Returns text. */
const char *roundcast_field_choices(const char *(*choice)(unsigned which), char text[],
                                    size_t size);

#ifdef __cplusplus
}
#endif

#endif
