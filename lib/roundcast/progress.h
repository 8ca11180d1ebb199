/* SPDX-License-Identifier: Apache-2.0 */
/* progress: a line on standard error that shows the progress of long work, if standard error is a
 * terminal. Nothing is printed within the first second.
 */
#ifndef ROUNDCAST_LIB_PROGRESS_H
#define ROUNDCAST_LIB_PROGRESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct roundcast_progress;

/* Begins a task; `what` names its units, such as "transfers found", and is borrowed. Returns NULL
 * without memory, which the functions below accept. End it with roundcast_progress_end. */
struct roundcast_progress *roundcast_progress_begin(const char *what);

/* Shows that `done` of `all` units are done. The clock is read only occasionally. */
void roundcast_progress_update(struct roundcast_progress *progress, uint64_t done, uint64_t all);

/* Clears the line and frees the task. */
void roundcast_progress_end(struct roundcast_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
