/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_exchange: a file of another tool that can be read is a schedule that can be written, under
 * each model for which rounds are found, and, if the file gives the rounds, on a torus, in a tree
 * and with times. If the schedule is valid, it is unchanged after writing and reading it in that
 * format; under send-receive it has at most as many rounds. Every format, for each executor,
 * accepts or rejects a valid schedule.
 */
#include "sched/exchange/exchange.h"
#include "sched/verify/verify.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static bool read_schedule(const struct exchange_format *format, const struct exchange_reading *how,
                          const void *bytes, size_t size, struct schedule *schedule,
                          struct err *err)
{
    FILE *file = fuzz_open(bytes, size);
    bool read = exchange_load_from(file, "input", how, &format, schedule, err);
    fclose(file);
    return read;
}

/* Checks that the reader of schedules accepts the text of the schedule. */
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

/* Writes the schedule in another tool's format. Returns the text, NULL if the schedule is
 * rejected. */
static char *write_as(const struct exchange_format *format, unsigned executor,
                      const struct schedule *schedule, size_t *size)
{
    struct err err = {0};
    const struct exchange_options options = {.bytes = 1, .executor = executor};
    char *text;
    FILE *file = open_memstream(&text, size);
    bool written = exchange_write(format, file, "written", schedule, &options, &err);
    fclose(file);
    if (written)
        return text;
    fuzz_refused(&err);
    free(text);
    return NULL;
}

static void check_again(const struct exchange_format *format, const struct exchange_reading *how,
                        const struct schedule *schedule, const char *text, size_t size)
{
    struct err err = {0};
    struct schedule again = {0};
    fuzz_holds(read_schedule(format, how, text, size, &again, &err), &err,
               "reading what was written");
    bool later = schedule->model == MODEL_SEND_RECEIVE && again.end > schedule->end;
    if (again.transfer_count != schedule->transfer_count || later || FUZZ_FAULT)
        fuzz_fail("%s, %s: %zu transfers in %zu rounds, and again %zu in %zu", format->name,
                  model_name(schedule->model), schedule->transfer_count, (size_t)schedule->end,
                  again.transfer_count, (size_t)again.end);
    schedule_free(&again);
}

static void check_formats(const struct exchange_format *from, const struct exchange_reading *how,
                          const struct schedule *schedule)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        for (unsigned executor = 0; (*row)->write != NULL &&
                                    executor <= ((*row)->executor != NULL ? EXCHANGE_EXECUTORS : 0);
             executor++) {
            size_t size;
            char *text = write_as(*row, executor, schedule, &size);
            if (text != NULL && *row == from)
                check_again(*row, how, schedule, text, size);
            free(text);
        }
}

static void check_rules(const struct exchange_format *format, const struct exchange_reading *how,
                        const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct verify_report report;
    if (read_schedule(format, how, data, size, &schedule, &err)) {
        check_text(&schedule);
        if (verify_schedule("input", &schedule, &report, &err))
            check_formats(format, how, &schedule);
    } else {
        fuzz_refused(&err);
    }
    schedule_free(&schedule);
}

/* Checks lists of transfers under other rules. */
static void check_given(const struct exchange_format *format, const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct topology torus, tree;
    fuzz_holds(topology_parse_direct(TOPOLOGY_TORUS, "3,2", &torus, &err), &err, "a torus");
    fuzz_holds(topology_parse_tree("2,2", "1,2", &tree, &err), &err, "a tree");
    const struct exchange_reading rules[] = {
        {.model = MODEL_TORUS_MULTIPORT, .has_model = true, .topology = &torus},
        {.model = MODEL_MULTIPORT, .has_model = true, .topology = &tree},
        {.model = MODEL_POSTAL, .has_model = true, .lambda = {5, 2}, .ports = 2}};
    for (size_t which = 0; which < sizeof rules / sizeof *rules; which++)
        check_rules(format, &rules[which], data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum model models[] = {MODEL_SEND_RECEIVE, MODEL_TELEPHONE, MODEL_TELEGRAPH};
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++) {
        for (size_t which = 0; exchange_is_read(*row) && which < 3; which++)
            check_rules(*row, &(struct exchange_reading){.model = models[which], .has_model = true},
                        data, size);
        if ((*row)->given)
            check_given(*row, data, size);
    }
    return 0;
}
