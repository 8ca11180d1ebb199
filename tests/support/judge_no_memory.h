/* SPDX-License-Identifier: Apache-2.0 */
/* judge_no_memory: did a command without memory end as if it had not begun?
 *
 * It must exit with 2, tell E104 or the system's words for it, give back all memory and files, and
 * leave each file as it was, or whole. A report may have begun, but as JSON only the error is told.
 * It may also do without: then it prints and writes what it does when no call fails.
 */
#ifndef ROUNDCAST_JUDGE_NO_MEMORY_H
#define ROUNDCAST_JUDGE_NO_MEMORY_H

#include "tests/support/seen.h"

/* What is wrong with a run that had no memory, beside one that had; `before` is the sum of the
 * files before it. NULL if nothing is. */
const char *judge_no_memory(const char *command, const struct seen *seen, const struct seen *whole,
                            uint64_t before);

#endif
