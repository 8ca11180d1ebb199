/* SPDX-License-Identifier: Apache-2.0 */
/* no_memory_commands: the command lines of test_no_memory, and the files that they read. */
#ifndef ROUNDCAST_NO_MEMORY_COMMANDS_H
#define ROUNDCAST_NO_MEMORY_COMMANDS_H

/* Commands that make files which the others read, in order, before any memory is missing. Ends with
 * NULL. */
extern const char *const no_memory_prepared[];

/* The commands that run out of memory. Lines with a ! are rejected, even with enough memory. Ends
 * with NULL. */
extern const char *const no_memory_tried[];

/* Writes the other files into the working folder, which is `folder`, and programs that stand in for
 * tools, and puts the folder first in PATH. */
void no_memory_write_files(const char *folder);

#endif
