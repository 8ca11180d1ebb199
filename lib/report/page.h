/* SPDX-License-Identifier: Apache-2.0 */
/* page: writes the HTML pages of commands (view/view.h), and their index. */
#ifndef ROUNDCAST_PAGE_H
#define ROUNDCAST_PAGE_H

#include "lib/report/run.h"

/* Writes the page of a schedule, complete or not at all. `image` may be NULL: no machine; `run` is
 * the report of a run of the image, NULL if there was none. The page shows whether the schedule is
 * legal. E102, E104, E202. */
bool page_write(const char *path, const struct schedule *schedule, const struct image *image,
                const struct run_report *run, struct err *err);

/* Writes the index of pages that page_write wrote; links are as seen from the index's folder. E104,
 * E201, E202, E204. */
bool page_write_index(const char *path, const char *const page[], size_t count, struct err *err);

#endif
