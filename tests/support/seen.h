/* SPDX-License-Identifier: Apache-2.0 */
/* seen: runs a command as a function call, and records its externally visible effects.
 *
 * It runs in the working folder, in which commands create files named made or made.X, or in the
 * folder made. no_memory.h defines which allocations fail.
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
    char output[SEEN_ROOM], error[SEEN_ROOM]; /* what was printed, null-terminated */
};

/* Watches the working folder from now on. */
void seen_prepare(void);

/* Runs a command in which memory allocation `number` fails (0: none), and those after it if `on`.
 * Times and memory use, which differ each time, are removed from the output. */
void seen_run(int (*program)(int, char **), const char *command, uint64_t number, bool on,
              struct seen *seen);

/* Removes everything that a command can have created. */
void seen_remove_made(void);

/* Returns the checksum over all files, as in struct seen. */
uint64_t seen_files(void);

#endif
