/* SPDX-License-Identifier: Apache-2.0 */
/* shown: computes the text that GTKWave shows for a trace, from the save file, its filters and the
 * trace itself.
 *
 * A .gtkw file is read as GTKWave reads it, the trace through GTKWave's own reader, and a value is
 * what the bits of a line are at a time, translated by the line's filter.
 */
#ifndef ROUNDCAST_SHOWN_H
#define ROUNDCAST_SHOWN_H

#include <fstapi.h>
#include <stddef.h>
#include <stdint.h>

/* -- A trace, as the reader sees it ------------------------------------------------------------ */

struct shown_signal {
    char name[200]; /* TOP.machine.row[5:0]; a signal of one bit has no range */
    unsigned width;
    fstHandle handle;
};

struct shown_trace {
    void *reader;
    struct shown_signal *signals;
    size_t count;
};

struct shown_trace shown_open_trace(const char *path);
void shown_close_trace(struct shown_trace *trace);

/* -- A save file, as GTKWave reads it ---------------------------------------------------------- */

struct shown_line {
    char group[64]; /* the innermost: "sends", "node 3", "stage 2" */
    char label[64];
    char filter[512]; /* absolute path, or "" */
    char *signals;    /* `name` or `(bit)name (bit)name name …` */
};

struct shown {
    struct shown_line *line;
    size_t count;
    uint64_t from, ruler_origin, ruler_step, markers[26];
    unsigned comments; /* lines such as "nodes 0 ... 63 of 100" */
};

struct shown shown_read(const char *path);
void shown_free(struct shown *shown);
const struct shown_line *shown_find_line(const struct shown *shown, const char *group,
                                         const char *label);

/* -- One with the other ------------------------------------------------------------------------ */

/* Returns the number of parts of lines that the trace does not contain; the last of them is stored
 * in `wrong`. */
unsigned shown_missing(const struct shown_trace *trace, const struct shown *shown, char wrong[256]);

#define SHOWN_TEXT 160 /* of a line, and a NUL */

/* Writes the text that GTKWave shows on a line at a time. */
void shown_text(const struct shown_trace *trace, const struct shown_line *line, uint64_t ns,
                char text[SHOWN_TEXT]);

void shown_assert(const struct shown_trace *trace, const struct shown *shown, const char *group,
                  const char *label, uint64_t ns, const char *expected);

/* Returns the time at which run rises: the second cycle of the first row. */
uint64_t shown_run_rises(const struct shown_trace *trace);

#endif
