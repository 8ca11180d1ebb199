/* SPDX-License-Identifier: Apache-2.0 */
/* files: input files, and output files that appear complete or not at all; `-` is standard input or
 * output. */
#ifndef ROUNDCAST_LIB_FILES_H
#define ROUNDCAST_LIB_FILES_H

#include "roundcast/error.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return the name of a file in messages: its path, or "standard input" and "standard output" for
 * `-`. */
const char *roundcast_input_name(const char *path);
const char *roundcast_output_name(const char *path);

/* Opens a file for reading; NULL with E201. Close it with roundcast_input_close. */
FILE *roundcast_input_open(const char *path, struct roundcast_error *error);
void roundcast_input_close(FILE *file);

/* Returns the absolute path of a file without symbolic links, whether or not the file exists yet.
 * The caller frees it with free(). NULL if there is no such folder or no memory (errno). */
char *roundcast_output_place(const char *path);

/* A file that is written next to its target and moved there by roundcast_output_commit. Devices and
 * pipes are written directly. */
struct roundcast_output;

/* Opens a file for writing; NULL with E104, E202. Call commit or discard afterwards; both free
 * it. */
struct roundcast_output *roundcast_output_open(const char *path, struct roundcast_error *error);

/* Returns the file to write. */
FILE *roundcast_output_file(const struct roundcast_output *output);

/* Closes the file and moves it to its target. E202; the file is then removed. */
bool roundcast_output_commit(struct roundcast_output *output, struct roundcast_error *error);

/* Closes and removes the file; the target is unchanged. NULL is allowed. */
void roundcast_output_discard(struct roundcast_output *output);

/* Sets "NAME: cannot write: REASON; …", E202, for an errno value. Returns false. */
bool roundcast_output_refuse(const char *name, int number, struct roundcast_error *error);

/* Makes signals that end the program remove unfinished output files and end the processes that the
 * library started. Call it in the program's main function; without this call, the library installs
 * no signal handler. */
void roundcast_interrupt_begin(void);

#ifdef __cplusplus
}
#endif

#endif
