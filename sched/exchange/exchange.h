/* SPDX-License-Identifier: Apache-2.0 */
/* exchange: schedules as other tools write and read them. A format is a row of a table and a file;
 * docs/exchange.md says what each has of a schedule. */
#ifndef ROUNDCAST_EXCHANGE_H
#define ROUNDCAST_EXCHANGE_H

#include "sched/schedule/schedule.h"

/* What a schedule may have that a format has no words for, as bits. */
enum exchange_feature {
    EXCHANGE_TREE = 1,    /* routers between the processors */
    EXCHANGE_CONTROL = 2, /* packets that carry a number of their own */
    EXCHANGE_TIMES = 4,   /* times that are no rounds */
    EXCHANGE_COPIES = 8,  /* one sending to several nodes */
    EXCHANGE_PORTS = 16   /* several sendings of a node in a round */
};

/* What a caller asks of a writer. */
struct exchange_options {
    uint64_t bytes;    /* of a packet, where the format has them; at least 1 */
    unsigned executor; /* whose limits to keep: one more than its index; 0: no one's */
};

#define EXCHANGE_EXECUTORS 3

/* Returns the name of an executor, by its index. */
const char *exchange_executor_name(unsigned which);

struct exchange_format {
    const char *name;
    const char *what; /* one line */
    unsigned lacks;   /* bits of exchange_feature */
    uint32_t most;    /* nodes that it may have */
    bool has_executors;

    /* Writes a legal schedule that the format can say. What the file takes is the caller's to
     * check. E104, E208. NULL: it is only read. */
    bool (*write)(FILE *to, const struct schedule *schedule, const struct exchange_options *options,
                  struct err *err);

    /* Read a schedule, and find rounds under a model; `name` is what messages call the file. E104,
     * E2xx. NULL: it is only written. */
    bool (*read)(FILE *from, const char *name, enum model model, struct schedule *schedule,
                 struct err *err);
};

/* All formats, with a NULL behind them. */
extern const struct exchange_format *const exchange_table[];

#define EXCHANGE_NAMES 120

/* "a|b|c": the names of those that are written, or of those that are read. Returns text. */
const char *exchange_names(bool written, char text[EXCHANGE_NAMES]);

/* The format of this name that is written, or read; NULL with E101 if there is none. */
const struct exchange_format *exchange_find(const char *name, bool written, struct err *err);

/* Read a schedule that messages call `name`. E103 for a model under which no rounds are found, and
 * what the format refuses. */
bool exchange_read(const struct exchange_format *format, FILE *from, const char *name,
                   enum model model, struct schedule *schedule, struct err *err);

/* Writes a legal schedule to a file that messages call `name`. E101 as exchange_check_options; E208
 * for what the format or the executor cannot say, E102 for too many nodes, E104, E202.
 * O(transfers + demands + nodes) but where a format has a matrix of nodes. */
bool exchange_write(const struct exchange_format *format, FILE *to, const char *name,
                    const struct schedule *schedule, const struct exchange_options *options,
                    struct err *err);

/* Checks that a format has executors if one is named. E101. */
bool exchange_check_options(const struct exchange_format *format,
                            const struct exchange_options *options, struct err *err);

#endif
