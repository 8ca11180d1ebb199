/* SPDX-License-Identifier: Apache-2.0 */
/* error: errors as data, and their messages.
 *
 * A message reads `field: what is wrong; what would be right`. It marks the places where it names
 * members of a request, so that each program can use its own names for them:
 *
 *     capacity requires tree          as the library reports it
 *     --capacity requires --tree      as the command line prints it, by roundcast_error_text
 *
 * Programs with further checks can set errors of the same form.
 */
#ifndef ROUNDCAST_LIB_ERROR_H
#define ROUNDCAST_LIB_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROUNDCAST_ERROR_TEXT 480  /* bytes of a message, with its 0 */
#define ROUNDCAST_ERROR_FIELD 32  /* bytes of the name of a field, with its 0 */
#define ROUNDCAST_ERROR_OPTION 48 /* bytes of the name that a program gives to a field */
#define ROUNDCAST_ERROR_MARKS 8
#define ROUNDCAST_ERROR_RENDERED \
    (ROUNDCAST_ERROR_TEXT + ROUNDCAST_ERROR_MARKS * ROUNDCAST_ERROR_OPTION)

/* The codes that programs set themselves; docs/cli.md lists all codes. The hundreds digit is the
 * error class: 1 usage, 2 files, 3 a schedule breaks its model, 4 networks and images, 5 tools, 6 a
 * run failed a check, 7 a model of csim, 9 internal. */
enum {
    ROUNDCAST_E_NONE = 0,
    ROUNDCAST_E_OPTION = 101,    /* an option is unknown, missing or malformed */
    ROUNDCAST_E_RANGE = 102,     /* a number is outside its valid range */
    ROUNDCAST_E_ALGORITHM = 103, /* the algorithm is unknown, or does not apply */
    ROUNDCAST_E_TOO_BIG = 104,   /* there is not enough memory */
    ROUNDCAST_E_READ = 201,      /* a file cannot be read */
    ROUNDCAST_E_WRITE = 202,     /* a file cannot be written */
    ROUNDCAST_E_TOOL = 501       /* a program is missing or failed */
};

/* The position at which a message names a member of a request. */
struct roundcast_error_mark {
    uint16_t start, length; /* text[start … start + length) is the plain name of the member */
};

/* Initialise it with {0}. The comments of functions list the codes that they set. */
struct roundcast_error {
    int code;                          /* 0: none */
    char text[ROUNDCAST_ERROR_TEXT];   /* "field: what is wrong; what would be right", UTF-8 */
    char field[ROUNDCAST_ERROR_FIELD]; /* the member that the error is about; "" if none */
    struct roundcast_error_mark mark[ROUNDCAST_ERROR_MARKS]; /* by start */
    unsigned marks;
    bool limited;                     /* value, minimum and maximum are set */
    uint64_t value, minimum, maximum; /* the given value, and its valid range */
    uint64_t further;                 /* number of further errors of the same check */
    bool reported;                    /* the program has already printed it in a report */
};

/* The names that a program uses for fields: name(with, field, room) returns the name of a field,
 * such as "--tree" for "tree", which it may write to `room`. */
struct roundcast_naming {
    const char *(*name)(const void *with, const char *field, char room[ROUNDCAST_ERROR_OPTION]);
    const void *with;
};

/* Returns the name of a code, such as "one-port" for 301; "?" for any other number. Statically
 * allocated. */
const char *roundcast_error_name(int code);

/* Returns the exit status of a program that stops with the code: 0 for no error, 1 a check failed
 * (E3xx, E6xx), 2 invalid usage or input, 3 internal error (E7xx, E9xx). */
int roundcast_error_status(int code);

/* Writes the message with the name that `naming` gives to each marked field (NULL: the plain name).
 * Returns text. O(length). */
const char *roundcast_error_text(const struct roundcast_error *error,
                                 const struct roundcast_naming *naming,
                                 char text[ROUNDCAST_ERROR_RENDERED]);

/* The functions below fill `error`, which may be NULL, and return false, so that a function that
 * fails can end in `return roundcast_error_set(error, …);`. */

/* Sets a message. `{name}` in the format marks a field: its plain name is stored. Braces and
 * control characters in arguments are text, and long texts are cut. */
bool roundcast_error_set(struct roundcast_error *error, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the message of another error, which may be `error` itself, after "PLACE: ". */
bool roundcast_error_at(struct roundcast_error *error, const struct roundcast_error *inner,
                        const char *place, ...) __attribute__((format(printf, 3, 4)));

/* Sets a message about a field: the format follows its marked name, such as ": '%s' is not a
 * number". */
bool roundcast_error_field(struct roundcast_error *error, int code, const char *field,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Set the usual messages about a field:
 *
 *     out_of_range  {field}: 9 is out of range; expected 1 … 8    E102
 *     missing       {field} is required; expected EXPECTED        E101
 *     conflict      {field} cannot be used together with {other}  E101
 *     requires      {field} requires {other}                      E101
 *     no_memory     no memory for WHAT; …                         E104 */
bool roundcast_error_out_of_range(struct roundcast_error *error, const char *field, uint64_t value,
                                  uint64_t minimum, uint64_t maximum);
bool roundcast_error_missing(struct roundcast_error *error, const char *field,
                             const char *expected);
bool roundcast_error_conflict(struct roundcast_error *error, const char *field, const char *other);
bool roundcast_error_requires(struct roundcast_error *error, const char *field, const char *other);
bool roundcast_error_no_memory(struct roundcast_error *error, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
