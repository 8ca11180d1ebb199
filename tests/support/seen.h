/* SPDX-License-Identifier: Apache-2.0 */
/* seen: a command that a test runs as a call, and what it did as seen from outside.
 *
 * It runs in the working folder, where what commands make is called made, made.X or stands in the
 * folder made. Memory runs out where no_memory.h says.
 */
#ifndef ROUNDCAST_SEEN_H
#define ROUNDCAST_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEEN_ROOM 40000

struct seen {
    int status;
    uint64_t calls; /* for memory */
    int64_t left;   /* pieces of memory */
    unsigned open;  /* descriptors more than before */
    uint64_t files; /* a sum over names, sizes and bytes of the files */
    size_t printed;
    char output[SEEN_ROOM], error[SEEN_ROOM]; /* what was printed, with a 0 behind */
};

/* From now on the working folder is looked at. */
void seen_prepare(void);

/* Run a command, of whose calls for memory `number` fails (0: none does), and those after it if
 * `on`. What it takes, which is another number each time, is left out of what was printed. */
void seen_run(int (*program)(int, char **), const char *command, uint64_t number, bool on,
              struct seen *seen);

/* Remove what a command can have made. */
void seen_remove_made(void);

/* The sum over all files, as in struct seen. */
uint64_t seen_files(void);

#endif
