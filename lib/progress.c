/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/progress.h"

#include "testbench/run/progress.h"

#include <stdlib.h>

struct roundcast_progress {
    struct progress line;
};

struct roundcast_progress *roundcast_progress_begin(const char *what)
{
    struct roundcast_progress *progress = malloc(sizeof *progress);
    if (progress != NULL)
        progress->line = progress_begin(what, 0);
    return progress;
}

void roundcast_progress_update(struct roundcast_progress *progress, uint64_t done, uint64_t all)
{
    if (progress == NULL)
        return;
    progress->line.total = all;
    progress_update(&progress->line, done);
}

void roundcast_progress_end(struct roundcast_progress *progress)
{
    if (progress != NULL)
        progress_end(&progress->line);
    free(progress);
}
