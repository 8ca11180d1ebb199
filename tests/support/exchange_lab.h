/* SPDX-License-Identifier: Apache-2.0 */
/* exchange_lab: passes schedules through the formats of other tools, and edits files.
 *
 * All functions assert. The caller frees the texts.
 */
#ifndef ROUNDCAST_EXCHANGE_LAB_H
#define ROUNDCAST_EXCHANGE_LAB_H

#include "sched/exchange/exchange.h"
#include "tests/support/support.h"

/* Builds the schedule of an algorithm: of m packets, or of a matrix of them for traffic. dim 0: a
 * complete graph of n nodes, else in a hypercube. */
struct exchange_lab_asked {
    const char *algorithm;
    uint32_t n, m, source;
    enum model model;
    unsigned dim;
    const char *pattern; /* of traffic */
};

void exchange_lab_build(const struct exchange_lab_asked *asked, struct schedule *schedule);

/* Reads a schedule from its text. */
void exchange_lab_schedule(const char *text, struct schedule *schedule);

/* Makes the schedule of two nodes in which node 0 sends packet p in round 2p. */
void exchange_lab_every_other(unsigned packets, struct schedule *schedule);

/* Returns a schedule in a format; `options` NULL: as without options. */
char *exchange_lab_write(const char *format, const struct schedule *schedule,
                         const struct exchange_options *options);

/* Checks that a format rejects a schedule with this code and a message that contains this text, and
 * writes nothing. */
void exchange_lab_no_write(const char *format, const struct schedule *schedule,
                           const struct exchange_options *options, enum err_code code,
                           const char *part);

/* Checks that a format rejects a schedule of the postal model, which has times. */
void exchange_lab_no_times(const char *format);

/* Reads a text as the file `file`. */
bool exchange_lab_read(const char *format, const char *text, enum model model,
                       struct schedule *schedule, struct err *err);

/* Reads a valid text, whose schedule must be valid too. */
void exchange_lab_import(const char *format, const char *text, enum model model,
                         struct schedule *schedule);

/* Reads a text as exchange_lab_import does, and checks that its schedule has this list of transfers
 * (CSV). */
void exchange_lab_lists(const char *format, const char *text, enum model model, const char *table);

/* Checks that a text is rejected with this code and a message that contains this text, by its
 * reader or, for E3xx, by verify. */
void exchange_lab_refuses(const char *format, const char *text, enum err_code code,
                          const char *part);

/* Checks that two schedules have the same transfers, except for the numbers of packets with the
 * same source and destinations, and that the second has no more rounds. */
void exchange_lab_same(const struct schedule *schedule, const struct schedule *again);

/* Checks that transfers, in any order, are those of a schedule. Sorts them. */
void exchange_lab_moves(const struct schedule *schedule, struct transfer moved[], size_t count);

/* A change of lines first … last (0, 0: of all): the first `from` in each is replaced by `to`; if
 * `to` is NULL, the lines that contain `from` are removed. */
struct exchange_lab_edit {
    unsigned first, last;
    const char *from, *to;
};

/* Returns the text with changes. Each must change something; a change with `from` NULL ends the
 * list. */
char *exchange_lab_edit(const char *text, const struct exchange_lab_edit edits[]);

/* Returns a file of tests/data/exchange. */
char *exchange_lab_file(const char *name);

/* Returns text that is formatted. */
char *exchange_lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
