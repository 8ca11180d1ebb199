/* SPDX-License-Identifier: Apache-2.0 */
/* inside: the structures of the handles of roundcast.h, for this folder only. */
#ifndef ROUNDCAST_INSIDE_H
#define ROUNDCAST_INSIDE_H

#include "lib/report/run.h"
#include "lib/roundcast.h"
#include "sched/bundle/bundle.h"
#include "sched/request/problem.h"

struct roundcast_schedule {
    struct schedule schedule;
    char *name; /* for messages; owned */
};

struct roundcast_image {
    struct bundle bundle; /* its schedule is empty if only the tables were read */
    bool has_seed;
    uint64_t seed; /* of everything that was drawn, if it is known */
};

/* Copies an error to the caller's, which may be NULL. Returns false. */
bool inside_fail(const struct err *err, struct roundcast_error *error);

/* Returns the same error as the library's own functions have it. */
struct err inside_err(const struct roundcast_error *error);
/* Returns the report of a run of the image as the library's own functions have it; its bundle is
 * the image's. */
struct run_report inside_report(const struct roundcast_image *image,
                                const struct roundcast_report *report);

/* The parts of a request that a function needs; bits. */
enum inside_part { INSIDE_PROBLEM = 1, INSIDE_MACHINE = 2, INSIDE_RUN = 4, INSIDE_ALL = 7 };

/* Makes the program's request of the `parts` of a public one; the others keep their defaults. Texts
 * stay borrowed. E101, E102, E103, E401. */
bool inside_request(const struct roundcast_request *from, unsigned parts, struct request *request,
                    struct err *err);

/* Makes the instance of a problem without a machine, by problem_for_schedule or problem_for_models.
 * The members of a machine matter only if a change of settings has a price, which counts its
 * cycles. Errors: those of `problem`. Free the instance, also after an error. */
bool inside_ask(const struct roundcast_request *from,
                bool (*problem)(const struct request *request, struct instance *instance,
                                struct err *err),
                struct request *request, struct instance *instance, struct err *err);

/* Returns a handle that owns the schedule; NULL with E104, and then the schedule has been freed. */
struct roundcast_schedule *inside_wrap(struct schedule *schedule, const char *name,
                                       struct err *err);

/* Returns the numbers that describe a schedule; its texts are the schedule's. O(1). */
struct roundcast_schedule_info inside_describe(const struct schedule *schedule);

/* Checks that the image has a schedule. E208. */
bool inside_has_schedule(const struct roundcast_image *image, struct err *err);

/* Reads a schedule of one port from its text in memory. E104, E203 … E211. */
bool inside_read_text(const char *name, const char *text, size_t size, struct schedule *schedule,
                      struct err *err);

#endif
