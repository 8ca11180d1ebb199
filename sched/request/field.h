/* SPDX-License-Identifier: Apache-2.0 */
/* field: one field of a request, as data.
 *
 * A row of a table describes a field once. The command line (options, help, man pages,
 * completion), studies, `run --batch` and the library read the same row:
 *
 *     {.name = "width", .argument = "W", .help = "bits of a flit (default: 16)",
 *      .group = FIELD_MACHINE, .type = FIELD_NUMBER, .minimum = 1, .maximum = 31,
 *      .offset = offsetof(struct request, machine.machine.width), .commands = FIELD_FOR_RUN}
 *
 * `offset` is the place of the value in the structure that the table fills: struct request
 * (request.h), or a structure of a command's own. */
#ifndef ROUNDCAST_FIELD_H
#define ROUNDCAST_FIELD_H

#include "sched/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The groups of the help, in this order. */
enum field_group {
    FIELD_PROBLEM,
    FIELD_TOPOLOGY,
    FIELD_MACHINE,
    FIELD_RUN,
    FIELD_OUTPUT,
    FIELD_GROUPS
};

/* The type of a field: the meaning of its text, and the C type at `offset`. */
enum field_type {
    FIELD_FLAG,     /* bool; without a text: true if the field is given */
    FIELD_NUMBER,   /* uint32_t, decimal, minimum … maximum */
    FIELD_NUMBER64, /* uint64_t, decimal, minimum … maximum */
    FIELD_BYTES,    /* uint64_t, a number with a suffix: 4096, 4K, 64Ki, 1e6 */
    FIELD_TEXT,     /* const char *, borrowed from the caller */
    FIELD_FILE,     /* const char *, a path, `-` for standard input or output */
    FIELD_FOLDER,   /* const char *, the path of a folder */
    FIELD_CHOICE    /* unsigned or an enumeration, the index of one of the names of `choice` */
};

/* The commands that use a field of a request, as bits. */
enum {
    FIELD_FOR_SCHEDULE = 1,
    FIELD_FOR_PLAN = 2,
    FIELD_FOR_BOUND = 4,
    FIELD_FOR_TUNE = 8,
    FIELD_FOR_ROUTE = 16,
    FIELD_FOR_SIMULATE = 32,
    FIELD_FOR_RUN = 64,
    FIELD_FOR_PLOT = 128,
    FIELD_FOR_READING = 256
};

struct field {
    /* the long option without --, the key in JSON and in studies, the name for field_set */
    const char *name;
    char letter;          /* the short option; 0: none */
    const char *argument; /* the name of the value in help; NULL for a flag */
    /* begins with a verb, ends with the default; `{choices}` stands for all names of `choice`,
       another `{name}` for a field, as in messages */
    const char *help;
    enum field_group group;
    enum field_type type;
    size_t offset;
    uint64_t minimum, maximum; /* range of numbers */

    /* Returns the name of value `which`, NULL after the last. NULL: the values have no names. */
    const char *(*choice)(unsigned which);

    /* Reads a text that no type covers into the structure at `base`. Errors begin with the name of
     * the field. NULL: the text is read by `type`. */
    bool (*set)(void *base, const char *text, struct err *err);

    unsigned commands; /* bits FIELD_FOR_…; 0 in a command's own table */
    unsigned rejected; /* bits of the commands that read the field to explain why they reject it */
};

/* Reads a text by the type of the field and stores the value in the structure at `base`; `text` is
 * ignored for a flag. Texts are borrowed: they must live as long as the structure. E101 for a text
 * that does not have the form of the type, E102 for a number out of range, and the errors of
 * `set`. */
bool field_parse(const struct field *field, void *base, const char *text, struct err *err);

/* Reads a decimal number minimum … maximum; `name` is the field's, for messages. E101 if the text
 * is no number, E102 if it is out of range. */
bool field_number(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                  uint64_t *value, struct err *err);

/* Reads a number of bytes, which may have a suffix or an exponent (decimal.h). E101, E102. */
bool field_bytes(const char *name, const char *text, uint64_t minimum, uint64_t maximum,
                 uint64_t *value, struct err *err);

/* Finds a text among the names of `choice` and stores its index. E101 lists the names and suggests
 * the nearest one. */
bool field_choose(const char *name, const char *text, const char *(*choice)(unsigned which),
                  unsigned *which, struct err *err);

/* Sets an error about the field `name` and returns false. The format is appended to the marked
 * name, such as ": '%s' is not a number". */
bool field_reject(struct err *err, enum err_code code, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the row with this name among field[count]; NULL if there is none. O(count). */
const struct field *field_find(const struct field field[], size_t count, const char *name);

/* Writes all names of `choice` as "a, b or c" into text[size]. Returns text. */
const char *field_choices(const char *(*choice)(unsigned which), char text[], size_t size);

/* -- Values ------------------------------------------------------------------------------------ */

/* The names of the values of fields, and the readers of texts that have no plain type. Only
 * fields.c needs them. */

struct err;

/* Return the name of value `which` of a field, from 0, or NULL after the last; constant, or valid
 * until the next call in the thread (networks). */
const char *field_model_choice(unsigned which);
const char *field_collective_choice(unsigned which);
const char *field_pattern_choice(unsigned which);
const char *field_network_choice(unsigned which);
const char *field_settings_choice(unsigned which);
const char *field_programs_choice(unsigned which);
const char *field_ports_choice(unsigned which);
const char *field_capacity_choice(unsigned which);
const char *field_prefix_choice(unsigned which);
const char *field_overlap_choice(unsigned which);

/* Read a text into the member of a struct request, `base`. E101, and E103 for an unknown model or
 * collective, name the field. */
bool field_set_model(void *base, const char *text, struct err *err);
bool field_set_collective(void *base, const char *text, struct err *err);
bool field_set_lambda(void *base, const char *text, struct err *err);
bool field_set_source(void *base, const char *text, struct err *err);
bool field_set_ports(void *base, const char *text, struct err *err);
bool field_set_network(void *base, const char *text, struct err *err);
bool field_set_programs(void *base, const char *text, struct err *err);
bool field_set_operators(void *base, const char *text, struct err *err);
bool field_set_memory(void *base, const char *text, struct err *err);
bool field_set_waves(void *base, const char *text, struct err *err);

#endif
