/* SPDX-License-Identifier: Apache-2.0 */
/* inside: what is behind the handles of roundcast.h; for this folder only. */
#ifndef ROUNDCAST_INSIDE_H
#define ROUNDCAST_INSIDE_H

#include "lib/roundcast.h"
#include "sched/bundle/bundle.h"

struct roundcast_schedule {
    struct schedule schedule;
    char *name; /* what messages call it; owned */
};

struct roundcast_image {
    struct bundle bundle;
};

/* Tell the caller, who may not want to know. Returns false. */
bool inside_fail(const struct err *err, struct roundcast_error *error);

/* A schedule's text in memory, as roundcast_write_text gives it. E104. */
char *inside_write_text(const struct schedule *schedule, size_t *size, struct err *err);

/* Read it from memory. E104, E203 … E211. */
bool inside_read_text(const char *name, const char *text, size_t size, struct schedule *schedule,
                      struct err *err);

#endif
