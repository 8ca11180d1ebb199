/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/outcome.h"

#include "sweep/pool.h"
#include "testbench/run/progress.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* What stands before the report. */
struct head {
    struct err err;
    double seconds;
};

void outcome_write(outcome_run *run, const void *context, size_t which, FILE *to)
{
    struct head head = {0};
    char *json = NULL;
    size_t size = 0;
    double begun = progress_seconds();
    FILE *report = open_memstream(&json, &size);
    if (report == NULL) {
        err_no_memory(&head.err, "a report");
    } else {
        omp_set_num_threads(1);
        run(context, which, report, &head.err);
        fclose(report);
    }
    head.seconds = progress_seconds() - begun;
    fwrite(&head, sizeof head, 1, to);
    fwrite(json, 1, size, to);
    free(json);
}

void outcome_read(struct outcome *outcome, const char *work, const char *bytes, size_t size,
                  int status)
{
    struct head head;
    *outcome = (struct outcome){0};
    if (bytes == NULL) {
        outcome->status = pool_report_death(work, status, &outcome->err);
        return;
    }
    memcpy(&head, bytes, sizeof head);
    outcome->err = head.err;
    outcome->status = err_exit_status(head.err.code);
    outcome->seconds = head.seconds;
    outcome->report = bytes + sizeof head;
    outcome->size = size - sizeof head;
}
