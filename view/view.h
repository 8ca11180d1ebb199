/* SPDX-License-Identifier: Apache-2.0 */
/* view: writes a page that shows a schedule, its network and the result of the run: a single,
 * self-contained HTML file.
 *
 *     page.html      <title>, style, script        view.c contains all texts
 *     page.css       with the colours of light and dark
 *     *.js           the drawing code, one file per part of the page
 *     data           {"report": …, "schedule": …, "network": …}
 *
 * The data are JSON: the caller provides the report; all other values come from the schedule and
 * the image. The scripts trace the settings through the switches themselves, so the page shows what
 * the image does. docs/view.md explains the page.
 */
#ifndef ROUNDCAST_VIEW_H
#define ROUNDCAST_VIEW_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

#include <jansson.h>

/* Limits for pages that a browser opens in about a second. */
#define VIEW_MAX_TRANSFERS (UINT32_C(1) << 19)
#define VIEW_MAX_SETTING_WORDS (UINT32_C(1) << 20)
/* Numbers in scripts are doubles. */
#define VIEW_MAX_TIME (UINT64_C(1) << 53)

struct view_page {
    const struct schedule *schedule;
    const struct image *image; /* image of the machine that the schedule was routed for; NULL:
                                * none */

    /* The text of the page: its `title`, all known keys of `run --json`, `legal` (NULL or the error
     * of verify). The caller owns it. The index of pages shows the same values. */
    json_t *report;
};

/* Writes the page; `name` is the name of the file in messages. E104 if transfers or settings exceed
 * the limits above, or without memory; E102 if times do; E208 for a tree of a list of parents;
 * E202. O(transfers + settings). */
bool view_write(FILE *to, const char *name, const struct view_page *page, struct err *err);

/* Writes the index of pages: `reports` is an array of their reports, each with the `page` to link
 * to. E104, E202. */
bool view_write_index(FILE *to, const char *name, json_t *reports, struct err *err);

/* Reads the report of a page that view_write wrote; the caller releases it. E104, E201, E204 for
 * any other file. O(bytes). */
json_t *view_read_report(FILE *from, const char *name, struct err *err);

#endif
