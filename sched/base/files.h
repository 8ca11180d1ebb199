/* SPDX-License-Identifier: Apache-2.0 */
/* files: files that are read, and that appear whole or not at all; `-` is standard input or
 * output. */
#ifndef ROUNDCAST_FILES_H
#define ROUNDCAST_FILES_H

#include "sched/base/err.h"
#include "sched/base/interrupt.h"

#include <stdbool.h>
#include <stdio.h>

/* What messages call a file: its path, or "standard input" and "standard output" for `-`. */
const char *files_input_name(const char *path);
const char *files_output_name(const char *path);

/* Open for reading; E201. Close with files_close_input. */
FILE *files_open_input(const char *path, struct err *err);
void files_close_input(FILE *file);

/* A file that appears whole or not at all: it is written beside its place, under a name that no
 * other process has, and moved there by files_commit. (Devices and pipes are written directly.) A
 * signal that ends the program removes it (interrupt.h): it stays where it is until then. */
struct files_output {
    FILE *file;       /* NULL: reserved only */
    const char *name; /* for messages */
    char *target;     /* the file to replace; NULL: nothing to move */
    char *temporary;  /* where it is written until then; NULL: nothing to move */
    struct interrupt_path noted;
};

/* What all paths to a file have in common, whether or not it is there yet: its whole path without
 * links. To be freed; NULL if there is no such folder or no memory (errno). */
char *files_place(const char *path);

/* "NAME: cannot write: WHY; …", E202, of an errno. */
bool files_refuse_output(const char *name, int error, struct err *err);

/* Open for writing; E202. Then either commit or discard, once. */
bool files_open_output(const char *path, struct files_output *output, struct err *err);

/* The same for a regular file that somebody else opens, writes and closes by the name
 * output->temporary, whose extension is that of the path. E202. */
bool files_reserve_output(const char *path, struct files_output *output, struct err *err);

/* Close, and put the file in its place. E202; nothing is left behind then. */
bool files_commit(struct files_output *output, struct err *err);

/* The same of output[count], all in one folder: all of them or none. Files that several processes
 * put there at once are those of one of them. */
bool files_commit_all(struct files_output *const output[], size_t count, struct err *err);

/* Close, and leave everything as it was. */
void files_discard(struct files_output *output);

/* Wait until no process puts files into the folder by files_commit_all, and keep it so; to read, or
 * exclusive. To be closed; -1 where folders have no locks. */
int files_lock_folder(const char *folder, bool exclusive);

#endif
