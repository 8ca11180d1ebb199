/* SPDX-License-Identifier: Apache-2.0 */
/* files: input files, and output files that appear complete or not at all; `-` is standard input or
 * output. */
#ifndef ROUNDCAST_FILES_H
#define ROUNDCAST_FILES_H

#include "sched/base/err.h"
#include "sched/base/interrupt.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns the name of a file in messages: its path, or "standard input" and "standard output" for
 * `-`. */
const char *files_input_name(const char *path);
const char *files_output_name(const char *path);

/* Opens a file for reading. E201. Close it with files_close_input. */
FILE *files_open_input(const char *path, struct err *err);
void files_close_input(FILE *file);

/* An output file that appears complete or not at all: it is written in the folder of its target,
 * under a name that no other process uses, and moved to the target by files_commit. (Devices and
 * pipes are written directly.) A signal that ends the program removes it (interrupt.h), so the
 * struct must not move until then. */
struct files_output {
    FILE *file;       /* NULL: the name is only reserved */
    const char *name; /* the name in messages */
    char *target;     /* the file to replace; NULL: nothing to move */
    char *temporary;  /* the file that is written before the move; NULL: nothing to move */
    struct interrupt_path noted;
};

/* Returns the absolute path of a file without symbolic links, whether or not the file exists yet.
 * The caller frees it. Returns NULL with errno if the folder does not exist or if there is no
 * memory. */
char *files_place(const char *path);

/* Reports "NAME: cannot write: REASON; …", E202, for an errno. Returns false. */
bool files_refuse_output(const char *name, int error, struct err *err);

/* Opens a file for writing. E202. The caller must commit or discard it once. */
bool files_open_output(const char *path, struct files_output *output, struct err *err);

/* Reserves a regular file that another program or library opens, writes and closes by the name
 * output->temporary, which has the extension of the path. Otherwise as files_open_output. E202. */
bool files_reserve_output(const char *path, struct files_output *output, struct err *err);

/* Closes the file and moves it to its target. E202; no file remains after an error. */
bool files_commit(struct files_output *output, struct err *err);

/* Commits output[count], all in one folder: all of them or none. If several processes commit to the
 * folder at once, the resulting files are all from one process. */
bool files_commit_all(struct files_output *const output[], size_t count, struct err *err);

/* Closes the file and removes it; the target stays as it was. */
void files_discard(struct files_output *output);

/* Waits until no process commits files to the folder by files_commit_all, and locks the folder,
 * shared or exclusively. Returns a descriptor that the caller closes, or -1 where folders cannot be
 * locked. */
int files_lock_folder(const char *folder, bool exclusive);

/* -- Compressed files -------------------------------------------------------------------------- */

/* Reads files that may be compressed. */

/* Opens a file for reading and decompresses it if gzip compressed it; `-` is standard input. E201.
 * Close it with fclose. Reading a damaged file ends early: ferror is set, errno is EBADMSG. */
FILE *gzip_open(const char *path, struct err *err);

#endif
