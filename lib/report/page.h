/* SPDX-License-Identifier: Apache-2.0 */
/* page: HTML pages that commands write (view/view.h), and their index. */
#ifndef ROUNDCAST_PAGE_H
#define ROUNDCAST_PAGE_H

#include "sched/bundle/bundle.h"

#include <jansson.h>

/* Write the page of a schedule, whole or not at all; its image may be that of no machine, all 0.
 * `run` is the report of a run on it (run_report_json), NULL if there was none. What verify says of
 * the schedule stands in the page, too. E102, E104, E202. */
bool page_write(const char *path, const struct schedule *schedule, const struct image *image,
                json_t *run, struct err *err);

/* Write the index of pages that page_write wrote; links are as seen from the index's folder. E104,
 * E201, E202, E204. */
bool page_write_index(const char *path, char *const page[], size_t count, struct err *err);

#endif
