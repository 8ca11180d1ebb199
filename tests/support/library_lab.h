/* SPDX-License-Identifier: Apache-2.0 */
/* library_lab: makes requests, schedules and images of the public library, or fails the test. */
#ifndef ROUNDCAST_LIBRARY_LAB_H
#define ROUNDCAST_LIBRARY_LAB_H

#include "lib/roundcast.h"

/* A request of alternating names and values. */
#define ASK(...) library_ask((const char *const[]){__VA_ARGS__, NULL})

/* Returns a request with the fields of words[], name, value, name, …, which ends with NULL. */
struct roundcast_request library_ask(const char *const words[]);

/* Build a schedule, and the image of a schedule or of a request. The caller frees the result. */
struct roundcast_schedule *library_build(struct roundcast_request request);
struct roundcast_image *library_route(const struct roundcast_schedule *schedule,
                                      struct roundcast_request request);
struct roundcast_image *library_compile(const struct roundcast_request *request);

/* Reads the text of a schedule. The caller frees the result. */
struct roundcast_schedule *library_read(const char *text);

/* Checks that a call failed with this code, and that the message contains the part; clears the
 * error. */
void library_rejects(bool accepted, struct roundcast_error *error, int code, const char *part);

/* A folder for the files of a test program: its name, and the fixtures of a group that make and
 * remove it. library_path writes the name of a file in it and returns it. */
extern char library_folder[];
int library_folder_make(void **state);
int library_folder_remove(void **state);
const char *library_path(const char *name, char path[100]);

/* Returns the text of a schedule. The caller frees it. */
char *library_text(const struct roundcast_schedule *schedule);

/* A Beneš network of 8 ports, and the rounds of the schedules that it runs. */
#define LIBRARY_PORTS 8
#define LIBRARY_STAGES 5
#define LIBRARY_ROUNDS 16

/* The settings of an image for that network, as roundcast_each_setting reports them. */
struct library_settings {
    uint8_t crossed[LIBRARY_ROUNDS][LIBRARY_STAGES][LIBRARY_PORTS / 2];
    uint32_t seen, most; /* library_keep stops at `most` */
};

/* Stores a setting in a struct library_settings; a visitor of roundcast_each_setting. */
bool library_keep(void *settings, const struct roundcast_setting *setting);

/* Checks that the settings of the image lead each transfer of the schedule to its destination. They
 * are followed through a drawing of the network. */
void library_check_circuits(const struct roundcast_schedule *schedule,
                            const struct roundcast_image *image);

#endif
