/* SPDX-License-Identifier: Apache-2.0 */
/* reading: the options of commands that read schedules in any format. */
#ifndef ROUNDCAST_CLI_READING_H
#define ROUNDCAST_CLI_READING_H

#include "cli/options.h"
#include "lib/roundcast/exchange.h"

/* The first member of the structure of such a command. */
struct reading_options {
    struct options common;
    struct roundcast_reading how;
};

/* Reads the schedule of a file, by the rules of the request of the command line. As
 * roundcast_load. */
struct roundcast_schedule *reading_load(const struct reading_options *options, const char *path,
                                        struct roundcast_format *format,
                                        struct roundcast_error *err);

/* Reads the schedule of a file by the rules of a request, for commands without the other options of
 * readers. As roundcast_load. */
struct roundcast_schedule *reading_by_rules(const struct roundcast_request *request,
                                            const char *path, struct roundcast_error *err);

const char *reading_format_choice(unsigned which);
const char *reading_collective_choice(unsigned which);
bool reading_set_collective(void *base, const char *text, struct roundcast_error *err);

#define READING_AT(member) offsetof(struct reading_options, how.member)

/* Rows of a command's table. */
#define READING_FIELDS                                                                \
    {"nodes",                                                                         \
     'n',                                                                             \
     "N",                                                                             \
     "require N nodes; a list of transfers may name fewer (default: any)",            \
     ROUNDCAST_FIELD_PROBLEM,                                                         \
     ROUNDCAST_FIELD_NUMBER,                                                          \
     READING_AT(nodes),                                                               \
     1,                                                                               \
     UINT32_C(1) << 24},                                                              \
        {"expect",                                                                    \
         0,                                                                           \
         "COLLECTIVE",                                                                \
         "require this collective (default: any): {choices}",                         \
         ROUNDCAST_FIELD_PROBLEM,                                                     \
         ROUNDCAST_FIELD_CHOICE,                                                      \
         READING_AT(collective),                                                      \
         .choice = reading_collective_choice,                                         \
         .set = reading_set_collective},                                              \
        {"demands",                                                                   \
         0,                                                                           \
         "FILE",                                                                      \
         "require the demands of this schedule (default: any)",                       \
         ROUNDCAST_FIELD_PROBLEM,                                                     \
         ROUNDCAST_FIELD_FILE,                                                        \
         READING_AT(demands)},                                                        \
        {"compact",                                                                   \
         0,                                                                           \
         NULL,                                                                        \
         "find the earliest rounds, in the order of the file",                        \
         ROUNDCAST_FIELD_TOPOLOGY,                                                    \
         ROUNDCAST_FIELD_FLAG,                                                        \
         READING_AT(compact)},                                                        \
    {                                                                                 \
        "from", 0, "FORMAT", "read this format (default: as the content): {choices}", \
            ROUNDCAST_FIELD_OUTPUT, ROUNDCAST_FIELD_TEXT, READING_AT(format),         \
            .choice = reading_format_choice                                           \
    }

#endif
