/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/support.h"

#include "cli/command.h"
#include "sched/route/machine_sizing.h"

#include "sched/route/route.h"
#include "sched/traffic/traffic.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/judge_circuits.h"
#include "tests/support/running.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void support_error_(const struct err *err, enum err_code expected, const char *const parts[],
                    const char *file, int line)
{
    bool right = err->code == expected;
    for (; right && *parts != NULL; parts++)
        right = strstr(err->text, *parts) != NULL;
    if (right)
        return;
    print_error("got: %s [E%03d], expected E%03d with '%s'\n", err->text, (int)err->code,
                (int)expected, *parts ? *parts : "");
    _fail(file, line);
}

void support_verdict(size_t which, bool holds, const struct err *err, enum err_code code,
                     uint64_t further, const char *text)
{
    if (holds != (code == ERR_NONE) || err->code != code || err->further != further ||
        strcmp(err->text, text) != 0)
        fail_msg("case %zu: %s [E%d] and %llu more; expected %s [E%d] and %llu more", which,
                 err->text, (int)err->code, (unsigned long long)err->further, text, (int)code,
                 (unsigned long long)further);
}

void support_true_(bool held, const struct err *err, const char *file, int line)
{
    if (held)
        return;
    print_error("%s [E%03d]\n", err->text, (int)err->code);
    _fail(file, line);
}

bool support_broadcast(struct schedule *schedule, const char *algorithm,
                       const struct collective *asked, struct err *err)
{
    if (!schedule_check_range(asked->n, asked->m, asked->source, err) ||
        !schedule_init(schedule, algorithm, asked, err))
        return false;
    schedule->demand[0].source = asked->source;
    return true;
}

const struct algorithm *const *support_routable(void)
{
    static const struct algorithm *routable[100];
    size_t count = 0;
    for (const struct algorithm *const *entry = algorithm_table; *entry != NULL; entry++)
        if (!collective_rows[(*entry)->kind].combined &&
            topology_rows[(*entry)->topology]->make == NULL)
            routable[count++] = *entry;
    assert_true(count < sizeof routable / sizeof *routable);
    return routable;
}

struct multistage support_network(enum model model, unsigned log2_ports)
{
    uint32_t ports = UINT32_C(1) << log2_ports;
    return model_copies(model) && model_combines(model) ? multistage_all_reduce(ports)
           : model_copies(model)                        ? multistage_multicast(ports)
           : model_combines(model)                      ? multistage_combine(ports)
                                                        : multistage_benes(ports);
}

struct machine support_machine(unsigned log2_ports, unsigned pipe, unsigned pad)
{
    return (struct machine){.network = multistage_benes(UINT32_C(1) << log2_ports),
                            .pipe = pipe,
                            .pad = pad,
                            .width = 16,
                            .log2_packets = MACHINE_SIZING_MIN_LOG2_PACKETS,
                            .log2_flits = MACHINE_SIZING_MIN_LOG2_FLITS,
                            .log2_rows = MACHINE_SIZING_MIN_LOG2_ROWS};
}

void support_job_free(struct support_job *job)
{
    schedule_free(&job->schedule);
    payload_free(&job->payload);
    image_free(&job->image);
}

void support_asked_free(struct support_asked *asked)
{
    traffic_free(&asked->traffic);
    schedule_free(&asked->demands);
}

static struct collective any_demands(struct collective collective, struct schedule *demands)
{
    struct err err = {0};
    uint32_t first = 0, last = collective.n - 1;
    const struct topology complete = topology_complete(collective.n);
    support_true(schedule_init_empty(demands, "any", &complete, collective.model, &err) &&
                     schedule_add_demand(demands, collective.m, first, NULL, 0, &err) &&
                     schedule_add_demand(demands, collective.m, last, &first, 1, &err),
                 &err);
    collective.m = 1;
    collective.demands = demands;
    collective.load.packets = demands->packets;
    return collective;
}

struct collective support_demand(const struct algorithm *algorithm, struct collective collective,
                                 struct support_asked *asked)
{
    struct err err = {0};
    struct traffic *traffic = &asked->traffic;
    if (collective_rows[algorithm->kind].written && collective.demands == NULL)
        return any_demands(collective, &asked->demands);
    if (algorithm->kind != COLLECTIVE_TRAFFIC || collective.traffic != NULL || collective.n < 2)
        return collective;
    char pattern[40];
    snprintf(pattern, sizeof pattern, "uniform:%" PRIu32, collective.m);
    support_true(traffic_make(pattern, collective.n, collective.n, traffic, &err), &err);
    support_true(traffic_load(traffic, &collective.load, &err), &err);
    collective.m = 1;
    collective.traffic = traffic;
    return collective;
}

void support_schedule(const struct algorithm *algorithm, const struct collective *collective,
                      struct schedule *schedule)
{
    struct err err = {0};
    struct verify_report verified;
    struct support_asked made = {0};
    struct collective asked = support_demand(algorithm, *collective, &made);
    *schedule = (struct schedule){0};
    running("%s -n %u -m %u --source %u --model %s", algorithm->name, collective->n, collective->m,
            collective->source, model_name(collective->model));
    support_true(algorithm_build(algorithm, &asked, schedule, &err), &err);
    support_asked_free(&made);
    support_true(verify_schedule(algorithm->name, schedule, &verified, &err), &err);
    assert_int_equal(verified.redundant, 0);
}

void support_payload(const struct schedule *schedule, const struct machine *machine, uint32_t flits,
                     uint64_t seed, struct payload *payload)
{
    struct err err = {0};
    const uint32_t packets = schedule->packets * (schedule->has_reductions ? schedule->nodes : 1);
    size_t size = (size_t)flits * machine->width / 8 * packets;
    support_true(payload_random(seed, size > 1 ? size - 1 : 1, payload, &err), &err);
    payload->node_packets = schedule->has_reductions ? schedule->packets : 0;
    support_true(payload_cut(payload, packets, flits, flits, machine->width, &err), &err);
}

void support_job(const struct algorithm *algorithm, const struct collective *collective,
                 const struct machine *machine, uint32_t flits, uint64_t seed,
                 struct support_job *job)
{
    struct err err = {0};
    support_schedule(algorithm, collective, &job->schedule);
    support_payload(&job->schedule, machine, flits, seed, &job->payload);
    support_true(route_schedule(&job->schedule, machine, &job->payload, &job->image, &err), &err);
}

static ssize_t read_then_fail(void *cookie, char *to, size_t size)
{
    const char **text = cookie;
    size_t length = strlen(*text);
    if (length == 0) {
        errno = EIO;
        return -1;
    }
    length = length < size ? length : size;
    memcpy(to, *text, length);
    *text += length;
    return (ssize_t)length;
}

FILE *support_unreadable(const char **text)
{
    FILE *file = fopencookie(text, "r", (cookie_io_functions_t){.read = read_then_fail});
    assert_non_null(file);
    return file;
}

char *support_text(const struct schedule *schedule)
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    support_true(schedule_write(file, "a schedule", schedule, &err), &err);
    fclose(file);
    return text;
}

bool support_read(const char *text, const char *name, struct schedule *schedule, struct err *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    *schedule = (struct schedule){0};
    bool read = schedule_read(file, name, schedule, err);
    fclose(file);
    return read;
}

const struct algorithm *support_algorithm(const char *name)
{
    struct err err = {0};
    const struct algorithm *algorithm = algorithm_find(name, &err);
    support_true(algorithm != NULL, &err);
    return algorithm;
}

unsigned support_method(const struct algorithm *algorithm, const char *name)
{
    unsigned method = 0;
    while (name != NULL && strcmp(algorithm->methods[method], name) != 0)
        assert_non_null(algorithm->methods[++method]);
    return method;
}

bool support_same_transfer(const struct schedule *left, size_t i, const struct schedule *right,
                           size_t k)
{
    const struct transfer a = left->transfer[i], b = right->transfer[k];
    return a.source == b.source && a.destination == b.destination && a.packet == b.packet &&
           schedule_combining(left, i) == schedule_combining(right, k);
}

uint64_t support_strays(const struct schedule *schedule, const struct image *image)
{
    uint64_t strays = 0;
    struct err err = {0};
    support_true(judge_circuits(schedule, image, &strays, &err), &err);
    return strays;
}

struct err support_err(const struct roundcast_error *error)
{
    struct err err = {.code = (enum err_code)error->code, .further = error->further};
    memcpy(err.text, error->text, sizeof err.text);
    memcpy(err.field, error->field, sizeof err.field);
    return err;
}

#define WORDS 16 /* of a command line */

bool support_run_command(const struct command *command, const char *line, struct err *err)
{
    char text[200], *argv[WORDS + 1], *rest = NULL;
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word != NULL && argc < WORDS;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    argv[argc] = NULL;
    struct roundcast_error error = {0};
    bool held = command->run(argc, argv, &error);
    *err = support_err(&error);
    return held;
}
