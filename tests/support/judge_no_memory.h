/* SPDX-License-Identifier: Apache-2.0 */
/* judge_no_memory: checks that a command that runs out of memory leaves no trace.
 *
 * It must exit with 2, report E104 or the system's message, release all memory and file
 * descriptors, and leave each file unchanged or complete. Text output may be partial; JSON output
 * contains only the error. Alternatively the command may succeed without the memory: then its
 * output and files equal those of a run without failures.
 */
#ifndef ROUNDCAST_JUDGE_NO_MEMORY_H
#define ROUNDCAST_JUDGE_NO_MEMORY_H

#include "tests/support/seen.h"

/* Compares a run without memory with a run that had memory; `before` is the checksum of the files
 * before the run. Returns what is wrong, or NULL. */
const char *judge_no_memory(const char *command, const struct seen *seen, const struct seen *whole,
                            uint64_t before);

#endif
