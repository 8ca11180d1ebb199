/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_exchange: what reads as a file of another tool is a schedule that can be written; if it
 * holds, it is the same, in as many rounds or fewer, when it went through that format once more.
 */
#include "sched/exchange/exchange.h"
#include "sched/verify/verify.h"
#include "testbench/fuzz/fuzz.h"

#include <stdlib.h>

static bool read(const struct exchange_format *format, const void *bytes, size_t size,
                 struct schedule *schedule, struct err *err)
{
    FILE *file = fuzz_open(bytes, size);
    bool read = format->read(file, "input", schedule, err);
    fclose(file);
    return read;
}

/* The reader of schedules takes what is written of it. */
static void check_text(const struct schedule *schedule)
{
    struct err err = {0};
    struct schedule again = {0};
    size_t size;
    char *text = fuzz_schedule_text(schedule, &size);
    FILE *file = fuzz_open(text, size);
    fuzz_holds(schedule_read(file, "written", &again, &err), &err, "reading the schedule");
    fclose(file);
    free(text);
    schedule_free(&again);
}

static void check_again(const struct exchange_format *format, const struct schedule *schedule)
{
    struct err err = {0};
    struct schedule again = {0};
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    bool written = exchange_write(format, file, "written", schedule, 1, &err);
    fclose(file);
    if (written) {
        fuzz_holds(read(format, text, size, &again, &err), &err, "reading what was written");
        if (again.transfer_count != schedule->transfer_count || again.end > schedule->end ||
            FUZZ_FAULT)
            fuzz_fail("%zu transfers in %zu rounds, and again %zu in %zu", schedule->transfer_count,
                      (size_t)schedule->end, again.transfer_count, (size_t)again.end);
    } else {
        fuzz_refused(&err);
    }
    free(text);
    schedule_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++) {
        struct err err = {0};
        struct schedule schedule = {0};
        struct verify_report report;
        if ((*row)->read == NULL)
            continue;
        if (read(*row, data, size, &schedule, &err)) {
            check_text(&schedule);
            if (verify_schedule("input", &schedule, &report, &err))
                check_again(*row, &schedule);
        } else {
            fuzz_refused(&err);
        }
        schedule_free(&schedule);
    }
    return 0;
}
