/* SPDX-License-Identifier: Apache-2.0 */
/* files: files that are read, and that appear whole or not at all; `-` is standard input or
 * output. */
#ifndef ROUNDCAST_FILES_H
#define ROUNDCAST_FILES_H

#include "sched/base/err.h"

#include <stdbool.h>
#include <stdio.h>

/* What messages call a file: its path, or "standard input" and "standard output" for `-`. */
const char *files_input_name(const char *path);
const char *files_output_name(const char *path);

/* Open for reading; E201. Close with files_close_input. */
FILE *files_open_input(const char *path, struct err *err);
void files_close_input(FILE *file);

/* A file that appears whole or not at all: it is written beside its place and moved there by
 * files_commit. (Devices and pipes are written directly.) */
struct files_output {
    FILE *file;
    const char *name; /* for messages */
    char *target;     /* the file to replace; NULL: nothing to move */
    char *temporary;  /* where it is written until then; NULL: nothing to move */
};

/* Open for writing; E202. Then either commit or discard, once. */
bool files_open_output(const char *path, struct files_output *output, struct err *err);

/* Close, and put the file in its place. E202; nothing is left behind then. */
bool files_commit(struct files_output *output, struct err *err);

/* Close, and leave everything as it was. */
void files_discard(struct files_output *output);

#endif
