/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/exchange_lab.h"

#include "sched/traffic/traffic.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- schedules ----------------------------------------------------------------------------------*/

void exchange_lab_build(const struct exchange_lab_asked *asked, struct schedule *schedule)
{
    struct err err = {0};
    struct traffic traffic = {0};
    struct topology cube;
    const struct algorithm *algorithm = support_algorithm(asked->algorithm);
    struct collective collective = {.n = asked->n,
                                    .m = asked->m,
                                    .source = asked->source,
                                    .model = asked->model,
                                    .kind = algorithm->kind};
    if (asked->dim > 0) {
        collective.n = 1u << asked->dim;
        support_true(topology_hypercube(asked->dim, &cube, &err), &err);
        collective.topology = &cube;
    }
    if (asked->pattern != NULL) {
        support_true(traffic_make(asked->pattern, asked->n, 1, &traffic, &err), &err);
        support_true(traffic_load(&traffic, &collective.load, &err), &err);
        collective.traffic = &traffic;
    }
    struct verify_report report;
    *schedule = (struct schedule){0};
    running("%s -n %u -m %u", algorithm->name, collective.n, collective.m);
    support_true(algorithm_build(algorithm, &collective, schedule, &err), &err);
    support_true(verify_schedule(algorithm->name, schedule, &report, &err), &err);
    traffic_free(&traffic);
}

void exchange_lab_schedule(const char *text, struct schedule *schedule)
{
    struct err err = {0};
    support_true(support_read(text, "s", schedule, &err), &err);
}

void exchange_lab_every_other(unsigned packets, struct schedule *schedule)
{
    char *text = exchange_lab_format("roundcast-schedule 1\nalgorithm a\ntopology complete 2\n"
                                     "model send-receive\ndemand 1-%u 0 *\n",
                                     packets);
    for (unsigned packet = 1; packet <= packets; packet++) {
        char *more = exchange_lab_format("%sround %u\n0 1 %u\n", text, 2 * packet, packet);
        free(text);
        text = more;
    }
    char *whole = exchange_lab_format("%send %u\n", text, 2 * packets);
    exchange_lab_schedule(whole, schedule);
    free(whole);
    free(text);
}

/* The properties in which renamed packets are equal, and the number of the packet. */
struct name {
    const struct demand *demand;
    uint32_t packet;
};

static int by_demand(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    const struct demand *p = a->demand, *q = b->demand;
    int order = COMPARE(p->source, q->source);
    order = compare_then(order, COMPARE(p->wanted_count, q->wanted_count));
    for (uint32_t k = 0; order == 0 && k < p->wanted_count; k++)
        order = COMPARE(p->wanted[k], q->wanted[k]);
    return compare_then(order, COMPARE(a->packet, b->packet));
}

static int by_transfer(const void *left, const void *right)
{
    const struct transfer *a = left, *b = right;
    return compare_then(
        COMPARE(a->source, b->source),
        compare_then(COMPARE(a->destination, b->destination), COMPARE(a->packet, b->packet)));
}

/* Returns the sorted transfers; `renamed`: with packets numbered by their demands. */
static struct transfer *list(const struct schedule *schedule, bool renamed)
{
    size_t count = schedule->transfer_count;
    struct transfer *transfer = calloc(count + 1, sizeof *transfer);
    struct name *name = calloc(schedule->packets + 1u, sizeof *name);
    uint32_t *number = calloc(schedule->packets + 1u, sizeof *number);
    assert_true(transfer != NULL && name != NULL && number != NULL);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++)
        name[packet - 1] = (struct name){schedule_demand_of(schedule, packet), packet};
    qsort(name, schedule->packets, sizeof *name, by_demand);
    for (uint32_t k = 0; k < schedule->packets; k++)
        number[name[k].packet] = k;
    for (size_t k = 0; k < count; k++) {
        transfer[k] = schedule->transfer[k];
        transfer[k].packet = renamed ? number[transfer[k].packet] : transfer[k].packet;
    }
    qsort(transfer, count, sizeof *transfer, by_transfer);
    free(name);
    free(number);
    return transfer;
}

/* struct transfer has no padding. */
static void same_transfers(const struct transfer expected[], const struct transfer found[],
                           size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (by_transfer(&expected[k], &found[k]) != 0)
            fail_msg("transfer %zu: %u > %u: %u; expected %u > %u: %u", k, found[k].source,
                     found[k].destination, found[k].packet, expected[k].source,
                     expected[k].destination, expected[k].packet);
}

void exchange_lab_same(const struct schedule *schedule, const struct schedule *again)
{
    struct transfer *expected = list(schedule, true), *found = list(again, true);
    assert_int_equal(again->packets, schedule->packets);
    assert_int_equal(again->transfer_count, schedule->transfer_count);
    same_transfers(expected, found, schedule->transfer_count);
    assert_true(again->end <= schedule->end);
    free(expected);
    free(found);
}

void exchange_lab_moves(const struct schedule *schedule, struct transfer moved[], size_t count)
{
    struct transfer *expected = list(schedule, false);
    assert_int_equal(count, schedule->transfer_count);
    qsort(moved, count, sizeof *moved, by_transfer);
    same_transfers(expected, moved, count);
    free(expected);
}

/* -- formats ------------------------------------------------------------------------------------*/

static bool write_as(const char *format, const struct schedule *schedule,
                     const struct exchange_options *options, char **text, struct err *err)
{
    static const struct exchange_options none = {.bytes = 1};
    const struct exchange_format *row = exchange_find(format, true, err);
    size_t size;
    assert_non_null(row);
    FILE *file = open_memstream(text, &size);
    assert_non_null(file);
    bool written =
        exchange_write(row, file, "written", schedule, options != NULL ? options : &none, err);
    fclose(file);
    return written;
}

char *exchange_lab_write(const char *format, const struct schedule *schedule,
                         const struct exchange_options *options)
{
    char *text;
    struct err err = {0};
    support_true(write_as(format, schedule, options, &text, &err), &err);
    return text;
}

void exchange_lab_no_write(const char *format, const struct schedule *schedule,
                           const struct exchange_options *options, enum err_code code,
                           const char *part)
{
    char *text;
    struct err err = {0};
    assert_false(write_as(format, schedule, options, &text, &err));
    support_error(&err, code, part);
    assert_string_equal(text, "");
    free(text);
}

void exchange_lab_no_times(const char *format)
{
    struct schedule schedule;
    exchange_lab_schedule(
        "roundcast-schedule 1\nalgorithm a\ntopology complete 2\nmodel postal 5/2\n"
        "demand 1 0 *\ntime 0\n0 1 1\nend 5/2\n",
        &schedule);
    exchange_lab_no_write(format, &schedule, NULL, ERR_UNSUPPORTED, "times in place of rounds");
    schedule_free(&schedule);
}

bool exchange_lab_read(const char *format, const char *text, enum model model,
                       struct schedule *schedule, struct err *err)
{
    const struct exchange_format *row = exchange_find(format, false, err);
    assert_non_null(row);
    *schedule = (struct schedule){0};
    FILE *file = tmpfile(); /* fmemopen does not open an empty text */
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    rewind(file);
    bool read = exchange_read(row, file, "file", model, schedule, err);
    fclose(file);
    return read;
}

void exchange_lab_import(const char *format, const char *text, enum model model,
                         struct schedule *schedule)
{
    struct err err = {0};
    struct verify_report report;
    support_true(exchange_lab_read(format, text, model, schedule, &err), &err);
    assert_int_equal(schedule->model, model);
    support_true(verify_schedule("the imported schedule", schedule, &report, &err), &err);
}

void exchange_lab_lists(const char *format, const char *text, enum model model, const char *table)
{
    struct schedule schedule;
    exchange_lab_import(format, text, model, &schedule);
    char *found = exchange_lab_write("csv", &schedule, NULL);
    assert_string_equal(found, table);
    free(found);
    schedule_free(&schedule);
}

void exchange_lab_refuses(const char *format, const char *text, enum err_code code,
                          const char *part)
{
    struct err err = {0};
    struct verify_report report;
    struct schedule schedule;
    bool taken = exchange_lab_read(format, text, MODEL_SEND_RECEIVE, &schedule, &err) &&
                 verify_schedule("the imported schedule", &schedule, &report, &err);
    schedule_free(&schedule);
    if (taken)
        fail_msg("taken; expected '%s' of\n%s", part, text);
    support_error(&err, code, part);
}

/* -- texts --------------------------------------------------------------------------------------*/

static char *edit_one(const char *text, const struct exchange_lab_edit *edit)
{
    char *made = NULL;
    size_t size;
    bool changed = false;
    FILE *to = open_memstream(&made, &size);
    assert_non_null(to);
    for (unsigned line = 1; *text != '\0'; line++) {
        size_t length = strcspn(text, "\n"), whole = length + (text[length] == '\n');
        bool within = edit->last == 0 || (line >= edit->first && line <= edit->last);
        const char *found = within ? strstr(text, edit->from) : NULL;
        bool here = found != NULL && found + strlen(edit->from) <= text + length;
        changed = changed || here;
        if (here && edit->to != NULL) {
            fprintf(to, "%.*s%s", (int)(found - text), text, edit->to);
            found += strlen(edit->from);
            fprintf(to, "%.*s", (int)(text + whole - found), found);
        } else if (!here) {
            fprintf(to, "%.*s", (int)whole, text);
        }
        text += whole;
    }
    fclose(to);
    if (!changed)
        fail_msg("nothing is changed: no '%s'", edit->from);
    return made;
}

char *exchange_lab_edit(const char *text, const struct exchange_lab_edit edits[])
{
    char *made = strdup(text);
    assert_non_null(made);
    for (; edits->from != NULL; edits++) {
        char *next = edit_one(made, edits);
        free(made);
        made = next;
    }
    return made;
}

char *exchange_lab_file(const char *name)
{
    char path[200], *text = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "tests/data/exchange/%s", name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s: no such file", path);
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

char *exchange_lab_format(const char *format, ...)
{
    char *text = NULL;
    size_t size;
    va_list args;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    va_start(args, format);
    vfprintf(to, format, args);
    va_end(args);
    fclose(to);
    return text;
}
