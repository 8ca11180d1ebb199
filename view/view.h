/* SPDX-License-Identifier: Apache-2.0 */
/* view: a page that shows a schedule, the network that it runs on and what became of it: one file
 * of HTML without any other.
 *
 *     page.html      <title>, style, script        template.c has the text of all
 *     page.css       with the colours of light and dark
 *     *.js           what draws; a file, a part of the page
 *     data           {"report": …, "schedule": …, "network": …}
 *
 * The data are JSON: the report is the caller's, all else are numbers from the schedule and the
 * image. The scripts follow the settings through the switches by themselves, so the page shows what
 * the image does. docs/view.md says how to read a page.
 */
#ifndef ROUNDCAST_VIEW_H
#define ROUNDCAST_VIEW_H

#include "sched/image/image.h"
#include "sched/schedule/schedule.h"

#include <jansson.h>

/* What a browser opens in a second or so. */
#define VIEW_MAX_TRANSFERS (UINT32_C(1) << 19)
#define VIEW_MAX_SETTING_WORDS (UINT32_C(1) << 20)
/* Numbers of scripts are doubles. */
#define VIEW_MAX_TIME (UINT64_C(1) << 53)

struct view_page {
    const struct schedule *schedule;
    const struct image *image; /* of the machine that it was routed for; NULL: none */

    /* What the page tells in words: its `title`, all keys of `run --json` that are known, `legal`
     * (NULL or the error of verify); the caller's. The index of pages shows the same. */
    json_t *report;
};

/* Write the page; `name` is what messages call the file. E104 for more transfers or settings than
 * above, or no memory; E102 for later times; E202. O(transfers + settings). */
bool view_write(FILE *to, const char *name, const struct view_page *page, struct err *err);

/* Write the index of pages: `reports` is an array of their reports, each with the `page` to link
 * to. E104, E202. */
bool view_write_index(FILE *to, const char *name, json_t *reports, struct err *err);

/* The report of a page that view_write wrote. E104, E201, and E204 of any other file. To be
 * released by the caller. O(bytes). */
json_t *view_read_report(FILE *from, const char *name, struct err *err);

#endif
