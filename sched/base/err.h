/* SPDX-License-Identifier: Apache-2.0 */
/* err: what went wrong, told to a person.
 *
 * A message reads `where: what; expected what [CODE name]`, for example
 *
 *     b.sched:14: round 3: node 5 receives packets 1 and 9; at most 1 per round [E301 one-port]
 *
 * The code's family says whose move it is and what the program exits with:
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
    X(204, SYNTAX, "syntax")           /* a line that the format does not know */              \
    X(205, FIELD_RANGE, "field-range") /* a number in a file is out of its range */            \
    X(206, ORDER, "order")             /* lines or rounds out of order */                      \
    X(207, CUT, "cut")                 /* the file ends before its `end` */                    \
    X(208, UNSUPPORTED, "unsupported") /* the format knows it, this version does not */        \
    X(209, DEMAND, "demand")           /* demands overlap or leave a packet out */             \
    X(210, SELF_SEND, "self-send")     /* a transfer from a node to itself */                  \
    X(211, NO_LINK, "no-link")         /* a transfer between nodes that no link joins */       \
    X(301, ONE_PORT, "one-port")       /* a node sends or receives twice in a round */         \
    X(302, NOT_HELD, "not-held")       /* a node sends a packet that it does not hold */       \
    X(303, UNMET, "unmet")             /* a demanded packet never arrives */                   \
    X(304, PAIRING, "pairing")         /* telephone: a node in two pairs in a round */         \
    X(305, HALF_DUPLEX, "half-duplex") /* telegraph: a node sends and receives in a round */   \
    X(306, LANE, "lane")               /* two packets on one lane or arc */                    \
    X(307, VALUE, "value")             /* a packet of control carries a wrong number */        \
    X(308, PARTS, "parts")             /* its parts do not make up what it counts */           \
    X(309, EARLY, "early")             /* it leaves before its parts have come */              \
    X(401, NETWORK, "network")         /* a network that does not exist or cannot be built */  \
    X(402, TOO_SMALL, "too-small")     /* the machine is too small for the schedule */         \
    X(403, NOT_PERMUTATION, "not-permutation") /* two circuits share an input or an output */  \
    X(404, OTHER_MACHINE, "other-machine")     /* an image of another machine */               \
    X(405, PAYLOAD, "payload")                 /* a payload that is empty or too large */      \
    X(406, IMAGE, "image")                     /* a word that the image cannot have */         \
    X(407, BUFFER, "buffer")         /* a router's buffer is too small for its packets */      \
    X(408, BLOCKED, "blocked")       /* circuits that a network cannot pass in one round */    \
    X(409, IRREGULAR, "irregular")   /* a schedule without the pattern that tables need */     \
    X(501, TOOL, "tool")             /* a program that we need is missing or failed */         \
    X(601, LOST, "lost")             /* an expected packet did not arrive */                   \
    X(602, LATE, "late")             /* it arrived in another cycle than predicted */          \
    X(603, UNEXPECTED, "unexpected") /* something arrived that was not predicted */            \
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
    X(901, BUG, "bug")           /* ours */

enum err_code {
    ERR_NONE = 0,
#define ERR_ENUM(number, name, text) ERR_##name = number,
    ERR_TABLE(ERR_ENUM)
#undef ERR_ENUM
};

struct err {
    enum err_code code;
    char text[480];   /* `where: what; expected what`, without the code */
    uint64_t further; /* how many more of the same check were seen after this one */
    bool told;        /* a report that was printed has it */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Fill `err` (which may be NULL) and return false, so that a failing function can end in
 * `return err_set(err, ERR_RANGE, "-n: %u; expected 1 … %u", n, max);`. Overlong text is cut. */
bool err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same when there is no memory, E104; `what` says what it was for. */
bool err_no_memory(struct err *err, const char *what, ...) __attribute__((format(printf, 2, 3)));

/* The printed name of a code ("one-port"); "?" for a number that is no code. */
const char *err_name(enum err_code code);

/* The exit status of the code's family: 1, 2 or 3; 0 for ERR_NONE. */
int err_exit_status(enum err_code code);

/* Print `roundcast: text [Ennn name]` and, if there were more, ` (and N more)`. */
void err_print(FILE *to, const struct err *err);

#ifdef __cplusplus
}
#endif

#endif
