/* SPDX-License-Identifier: Apache-2.0 */
/* exchange: schedules in the formats of other tools (docs/exchange.md). */
#ifndef ROUNDCAST_LIB_EXCHANGE_H
#define ROUNDCAST_LIB_EXCHANGE_H

#include "roundcast/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_schedule;
struct roundcast_request;

/* A format. Texts are statically allocated. */
struct roundcast_format {
    const char *name, *what;
    const char *suffix; /* suffix of its files, without the dot */
    const char *proof;  /* what is proved when a file is read; NULL: nothing */
    bool written, read; /* whether schedules can be exported to it, and imported from it */
};

/* Gets format `index`, from 0; false after the last. */
bool roundcast_format_at(unsigned index, struct roundcast_format *format);

/* Finds a format that can be written (`written`), or read. E101 lists them and suggests the
 * nearest. */
bool roundcast_format_find(const char *name, bool written, struct roundcast_format *format,
                           struct roundcast_error *error);

#define ROUNDCAST_FORMATS_TEXT 240

/* Writes the names of the formats that can be written, or that can be read, as "a|b|c". Returns
 * text. */
const char *roundcast_formats_text(bool written, char text[ROUNDCAST_FORMATS_TEXT]);

/* Returns the name of executor `index` over all formats: a runtime whose limits an exported file
 * can keep; NULL after the last. Statically allocated. */
const char *roundcast_executor_name(unsigned index);

/* Options of an export. */
struct roundcast_export {
    const char *format; /* a name */
    uint64_t bytes;     /* bytes of a packet, if the format needs them; at least 1 */
    unsigned executor;  /* 1 + index of the executor; 0: keep the limits of the format */
};

/* Checks that the format can be written and has the executor, if one is given. E101. */
bool roundcast_export_check(const struct roundcast_export *how, struct roundcast_error *error);

/* Verifies the schedule and writes it to a file (`-`: standard output), which is complete or
 * absent. An invalid schedule is rejected, because it would be exported with a different meaning.
 * E101, E3xx; E208 for a schedule that the format or the executor cannot express, E102 for too many
 * nodes, E104, E202. O(transfers + demands + nodes), except formats with a matrix of nodes. */
bool roundcast_export(const struct roundcast_schedule *schedule, const struct roundcast_export *how,
                      const char *path, struct roundcast_error *error);

/* How a file is read. Initialise it with {0}; NULL and 0 are the defaults. */
struct roundcast_reading {
    const char *format;     /* NULL: recognised by the content; also schedules of roundcast */
    const char *model;      /* NULL: "send-receive", or the model of the file */
    const char *collective; /* NULL: any; otherwise the one that the schedule must perform */
    const char *demands;    /* a schedule whose demands must be met; a list of transfers names its
                             * packets by their numbers; NULL: any demands */
    uint32_t nodes;         /* 0: those of the file */
    bool compact;           /* find the earliest rounds, in the order of the file */
    /* its members for the topology, the model, λ and the ports apply to a list of transfers, which
     * names none; NULL: a complete graph, and `model` */
    const struct roundcast_request *rules;
};

/* Reads a schedule from a file (`-`: standard input), which may be a schedule of roundcast or have
 * any format that can be read. It is not verified. *format, which may be NULL, is the format; its
 * name is "schedule" for one of roundcast. NULL with E101, E102 for a number of nodes that differs,
 * E103 for a model under which no rounds are found or of another topology, E104, E2xx, E302 for a
 * sender without the packet if `compact`, E313 for another collective. Free it with
 * roundcast_schedule_free. */
struct roundcast_schedule *roundcast_load(const char *path, const struct roundcast_reading *reading,
                                          struct roundcast_format *format,
                                          struct roundcast_error *error);

#define ROUNDCAST_COLLECTIVE_TEXT 96

/* Writes the collective that a schedule performs, such as "all-gather of 1 packet of each node", or
 * "demands of 8 packets"; ", in place" follows if a program that was read has one buffer for inputs
 * and outputs. Returns text. O(demands). */
const char *roundcast_collective_text(const struct roundcast_schedule *schedule,
                                      char text[ROUNDCAST_COLLECTIVE_TEXT]);

/* Reads a file (`-`: standard input), finds its rounds under the model, "send-receive" by default
 * (NULL), and verifies the schedule. NULL with E101, E103 for a model under which no rounds are
 * found, E104, E2xx, E3xx. Free it with roundcast_schedule_free. */
struct roundcast_schedule *roundcast_import(const char *path, const char *format, const char *model,
                                            struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
