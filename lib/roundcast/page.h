/* SPDX-License-Identifier: Apache-2.0 */
/* page: an HTML page that plays a schedule (docs/view.md), and the index of such pages. */
#ifndef ROUNDCAST_LIB_PAGE_H
#define ROUNDCAST_LIB_PAGE_H

#include "roundcast/error.h"

#include <stddef.h>

struct roundcast_image;
struct roundcast_report;
struct roundcast_schedule;

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a page: a schedule alone, or the schedule of an image on its machine. */
struct roundcast_page {
    const struct roundcast_schedule *schedule; /* ignored if `image` is given */
    const struct roundcast_image *image;       /* NULL: no machine */
    const struct roundcast_report *report;     /* report of a run of the image; NULL: none */
};

/* Writes the page to a file (`-`: standard output), which is complete or absent. The page shows
 * whether the schedule is legal. E104 if transfers or settings exceed what a browser opens in about
 * a second, or without memory; E102 if times exceed 2^53; E202. O(transfers + settings). */
bool roundcast_page_write(const char *path, const struct roundcast_page *page,
                          struct roundcast_error *error);

/* Writes the index of page[count], files written by roundcast_page_write. Links are file names
 * without folders. E104, E201, E202, E204. O(bytes). */
bool roundcast_page_index(const char *path, const char *const page[], size_t count,
                          struct roundcast_error *error);

#ifdef __cplusplus
}
#endif

#endif
