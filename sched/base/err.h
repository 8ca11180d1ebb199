/* SPDX-License-Identifier: Apache-2.0 */
/* err: an error as data, and its text.
 *
 * A message reads `where: what; expected what [CODE name]`, for example
 *
 *     b.sched:14: round 3: node 5 receives packets 1 and 9; at most 1 per round [E301 one-port]
 *
 * A message about a field of a request marks the field, because each caller has its own name for
 * it. One error, "{capacity} requires {tree}", reads
 *
 *     capacity requires tree          in the library and in JSON reports
 *     --capacity requires --tree      on the command line
 *
 * The code's family determines the exit status of the program:
 *
 *     E1xx usage, E2xx files, E4xx networks and images, E5xx tools     your input       exit 2
 *     E3xx a schedule breaks its model, E6xx a run broke its promise   a check failed   exit 1
 *     E7xx a csim model that does not elaborate, E9xx                  our bug          exit 3
 *
 * Functions that can fail return bool and fill a caller's `struct err`; an output is left as it
 * was (or freed and zeroed) when they return false.
 */
#ifndef ROUNDCAST_ERR_H
#define ROUNDCAST_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One table, so that number, enumerator and printed name never disagree. */
#define ERR_TABLE(X)                                                                           \
    X(101, OPTION, "option")           /* an option is unknown, missing or malformed */        \
    X(102, RANGE, "range")             /* a number is outside its legal range */               \
    X(103, ALGORITHM, "algorithm")     /* no such algorithm, or not for this model or n */     \
    X(104, TOO_BIG, "too-big")         /* the request does not fit in memory or in an index */ \
    X(201, READ, "read")               /* a file cannot be opened or read */                   \
    X(202, WRITE, "write")             /* a file or folder cannot be written */                \
    X(203, VERSION, "version")         /* a file of another kind or version */                 \
    X(204, SYNTAX, "syntax")           /* a line that breaks the syntax of the format */       \
    X(205, FIELD_RANGE, "field-range") /* a number in a file is out of its range */            \
    X(206, ORDER, "order")             /* lines or rounds out of order */                      \
    X(207, CUT, "cut")                 /* the file ends before its `end` */                    \
    X(208, UNSUPPORTED, "unsupported") /* a feature that is not supported */                   \
    X(209, DEMAND, "demand")           /* demands overlap or leave a packet out */             \
    X(210, SELF_SEND, "self-send")     /* a transfer from a node to itself */                  \
    X(211, NO_LINK, "no-link")         /* a transfer between nodes that no link joins */       \
    X(301, ONE_PORT, "one-port")       /* a node sends or receives twice in a round */         \
    X(302, NOT_HELD, "not-held")       /* a node sends a packet that it does not hold */       \
    X(303, UNMET, "unmet")             /* a demanded packet never arrives */                   \
    X(304, PAIRING, "pairing")         /* telephone: a node in two pairs in a round */         \
    X(305, HALF_DUPLEX, "half-duplex") /* telegraph: a node sends and receives in a round */   \
    X(306, LANE, "lane")               /* two packets on one lane or arc */                    \
    X(307, VALUE, "value")             /* a control packet carries a wrong count */            \
    X(308, PARTS, "parts")             /* the parts of a value do not match its nodes */       \
    X(309, EARLY, "early")             /* a value leaves before its parts arrive */            \
    X(310, UNCOUNTED, "uncounted")     /* a result lacks the contribution of a node */         \
    X(311, TWICE, "twice")             /* a result has the contribution of a node twice */     \
    X(312, UNORDERED, "unordered")     /* an ordered result is combined out of order */        \
    X(313, OTHER_DEMANDS, "other-demands") /* another collective than the expected one */      \
    X(401, NETWORK, "network")         /* a network that does not exist or cannot be built */  \
    X(402, TOO_SMALL, "too-small")     /* the machine is too small for the schedule */         \
    X(403, NOT_PERMUTATION, "not-permutation") /* two circuits share an input or an output */  \
    X(404, OTHER_MACHINE, "other-machine")     /* an image of another machine */               \
    X(405, PAYLOAD, "payload")                 /* a payload that is empty or too large */      \
    X(406, IMAGE, "image")                     /* a word that the image cannot have */         \
    X(407, BUFFER, "buffer")         /* a router's buffer is too small for its packets */      \
    X(408, BLOCKED, "blocked")       /* circuits that a network cannot pass in one round */    \
    X(409, IRREGULAR, "irregular")   /* a schedule without the pattern that tables need */     \
    X(501, TOOL, "tool")             /* a required program is missing or failed */             \
    X(601, LOST, "lost")             /* an expected packet did not arrive */                   \
    X(602, LATE, "late")             /* a packet arrived in a wrong cycle */                   \
    X(603, UNEXPECTED, "unexpected") /* a packet arrived that was not predicted */             \
    X(604, CORRUPT, "corrupt")       /* payload differs from the file */                       \
    X(605, FLAG, "flag")             /* an endpoint or a router raised an error flag */        \
    X(606, TIME_OUT, "time-out")     /* the machine did not finish */                          \
    X(607, DIVERGED, "diverged")     /* two engines disagree in a cycle */                     \
    X(608, NOTHING_CHECKED, "nothing-checked") /* a run in which no packet was checked */      \
    X(701, UNBOUND, "unbound")                 /* a port that is bound to nothing */           \
    X(702, TWO_DRIVERS, "two-drivers")         /* a signal that two processes write */         \
    X(703, WIDTH, "width")       /* a value, binding or declaration of a wrong shape */        \
    X(704, LOOP, "loop")         /* combinational processes that wait for each other */        \
    X(705, NAME, "name")         /* a name that is taken, or is no identifier */               \
    X(706, UNDRIVEN, "undriven") /* a signal that no process writes */                         \
    X(707, MISUSE, "misuse")     /* a direction, level or moment that csim forbids */          \
    X(901, BUG, "bug")           /* internal error: please report it */

enum err_code {
    ERR_NONE = 0,
#define ERR_ENUM(number, name, text) ERR_##name = number,
    ERR_TABLE(ERR_ENUM)
#undef ERR_ENUM
};

#define ERR_TEXT 480      /* bytes of a message, with its 0 */
#define ERR_FIELD 32      /* bytes of a field's name, with its 0 */
#define ERR_FIELD_NAME 48 /* bytes of the name that a caller gives a field, with its 0 */
#define ERR_MARKS 8
#define ERR_RENDERED (ERR_TEXT + ERR_MARKS * ERR_FIELD_NAME)

/* The place where a message names a field of the request. */
struct err_mark {
    uint16_t start, length; /* text[start … start + length) is the plain name of the field */
};

struct err {
    enum err_code code;
    /* `field: what; expected what`, with plain field names and without the code */
    char text[ERR_TEXT];
    char field[ERR_FIELD]; /* the field that the message is about, "" if it is about none */
    struct err_mark mark[ERR_MARKS]; /* ascending by start */
    unsigned marks;
    bool limited;                     /* value, minimum and maximum are set: err_out_of_range */
    uint64_t value, minimum, maximum; /* the value that was given, and the legal ones */
    uint64_t further;                 /* how many more errors of the same check follow this one */
    bool reported;                    /* a report that was printed contains this error */
    bool no_memory;                   /* an allocation failed: err_no_memory */
};

/* A caller's names for fields: name(with, field, room) returns the name of a field, such as
 * "--tree" for "tree", which it may write to `room`. */
struct err_naming {
    const char *(*name)(const void *with, const char *field, char room[ERR_FIELD_NAME]);
    const void *with;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Fills `err` (which may be NULL) and returns false, so that a failing function can end in
 * `return err_set(err, ERR_OPTION, "{capacity} requires {tree}");`.
 *
 * `{name}` in the format marks a field of the request: its plain name is stored, and err_text
 * replaces it by the caller's name. A name has a-z, 0-9, - and _, and at most ERR_FIELD - 1 bytes;
 * other braces are text. A mark at the start of the format is the field of the message. Braces in
 * arguments are text, and control characters become '?', so that no file name can add a mark or an
 * escape sequence of a terminal. Overlong text is cut between characters of UTF-8; a mark that is
 * cut is no mark. At most ERR_MARKS fields are marked, the others keep their plain names. */
bool err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool err_vset(struct err *err, enum err_code code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Sets `err` to an error found at a place: "PLACE: " is written before the text of `inner`, which
 * may be `err` itself; code, field, marks and limits are kept, `further` is 0. */
bool err_at(struct err *err, const struct err *inner, const char *place, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds ", or FIELD VALUE" to the message, FIELD being marked: another value of another field with
 * which the request would be accepted. Precondition: err is set. */
void err_alternative(struct err *err, const char *field, uint64_t value);

/* Sets `err` (which may be NULL) to `inner` with `further` 0, and returns false. */
bool err_copy(struct err *err, const struct err *inner);

/* Reports that there is no memory, E104; the text names what the memory was for. */
bool err_no_memory(struct err *err, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* The common errors of a field. `field` is its plain name, as in a mark.
 *
 *     err_out_of_range  {field}: 9 is out of range; expected 1 … 8                           E102
 *     err_unknown       {field}: 'bens' does not exist, but 'benes' does; expected benes or clos
 *     err_missing       {field} is required; expected the number of nodes                   E101
 *     err_conflict      {field} cannot be used together with {other}                        E101
 *     err_requires      {field} requires {other}                                            E101
 *
 * `nearest` is the known name that resembles the value most, or NULL; `known` lists all names. */
bool err_out_of_range(struct err *err, const char *field, uint64_t value, uint64_t minimum,
                      uint64_t maximum);
bool err_unknown(struct err *err, enum err_code code, const char *field, const char *value,
                 const char *nearest, const char *known);
bool err_missing(struct err *err, const char *field, const char *expected);
bool err_conflict(struct err *err, const char *field, const char *other);
bool err_requires(struct err *err, const char *field, const char *other);

/* Writes the message to `text` and returns it. Each marked field has its name in `naming`; NULL:
 * its plain name. O(length). */
const char *err_text(const struct err *err, const struct err_naming *naming,
                     char text[ERR_RENDERED]);

/* Replaces each marked field by its name permanently, so the text has no marks afterwards. The
 * field of the message keeps its plain name. */
void err_settle(struct err *err, const struct err_naming *naming);

/* Returns the printed name of a code ("one-port"); "?" for a number that is no code. */
const char *err_name(enum err_code code);

/* Returns the exit status of the code's family: 1, 2 or 3; 0 for ERR_NONE. */
int err_exit_status(enum err_code code);

/* Prints `roundcast: text [Ennn name]`, with the text of err_text, and ` (and N more)` if `further`
 * is not 0. */
void err_print(FILE *to, const struct err *err, const struct err_naming *naming);

#ifdef __cplusplus
}
#endif

#endif
