/* SPDX-License-Identifier: Apache-2.0 */
/* inside: the structures of the handles of roundcast.h, for this folder only. */
#ifndef ROUNDCAST_INSIDE_H
#define ROUNDCAST_INSIDE_H

#include "lib/roundcast.h"
#include "sched/bundle/bundle.h"
#include "sched/request/request.h"

struct roundcast_schedule {
    struct schedule schedule;
    char *name; /* for messages; owned */
};

struct roundcast_image {
    struct bundle bundle;
};

/* Copies an error to the caller's, which may be NULL. Returns false. */
bool inside_fail(const struct err *err, struct roundcast_error *error);

/* The parts of a request that a function needs; bits. */
enum inside_part { INSIDE_PROBLEM = 1, INSIDE_MACHINE = 2, INSIDE_RUN = 4 };

/* Makes the program's request of the `parts` of a public one; the others keep their defaults. Texts
 * stay borrowed. E101, E102, E103, E401. */
bool inside_request(const struct roundcast_request *from, unsigned parts, struct request *request,
                    struct err *err);

/* Returns a handle that owns the schedule; NULL with E104, and then the schedule has been freed. */
struct roundcast_schedule *inside_wrap(struct schedule *schedule, const char *name,
                                       struct err *err);

/* Copies a schedule, by way of its text; `name` is for messages. E104. O(transfers). */
bool inside_copy(const struct schedule *from, const char *name, struct schedule *to,
                 struct err *err);

#endif
