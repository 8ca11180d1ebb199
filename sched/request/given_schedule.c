/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/given_schedule.h"

#include "sched/base/text.h"
#include "sched/exchange/exchange.h"
#include "sched/request/problem.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_ROOM 1024 /* maximum length of a path or a command, with its 0 */
#define COMMAND '|'

bool given_schedule_is(const char *algorithm)
{
    return algorithm[0] == COMMAND || strpbrk(algorithm, "./") != NULL ||
           strcmp(algorithm, "-") == 0;
}

bool given_schedule_is_file(const char *algorithm)
{
    return algorithm[0] != COMMAND && strcmp(algorithm, "-") != 0;
}

/* --- the fields of the request -------------------------------------------------------------- */

/* A field that a pattern may contain. */
struct part {
    const char *name, *letter;
    size_t offset;
    uint64_t (*value)(const struct problem *problem);
};

static uint64_t nodes_of(const struct problem *problem)
{
    return problem->nodes;
}

static uint64_t packets_of(const struct problem *problem)
{
    return problem->packets;
}

static uint64_t source_of(const struct problem *problem)
{
    return problem->source;
}

static uint64_t seed_of(const struct problem *problem)
{
    return problem->seed;
}

#define PART(member) offsetof(struct request, problem.member)

static const struct part parts[] = {{"nodes", "n", PART(nodes), nodes_of},
                                    {"packets", "m", PART(packets), packets_of},
                                    {"source", "s", PART(source), source_of},
                                    {"seed", "seed", PART(seed), seed_of}};
#define PARTS (sizeof parts / sizeof *parts)

static const struct part *find_part(const char *name, size_t length)
{
    for (size_t which = 0; which < PARTS; which++) {
        const struct part *part = &parts[which];
        if ((strlen(part->name) == length && strncmp(part->name, name, length) == 0) ||
            (strlen(part->letter) == length && strncmp(part->letter, name, length) == 0))
            return part;
    }
    return NULL;
}

/* Appends the value of the field at *at, which is a brace, and advances past it. Other text in
 * braces is kept. */
static bool append_part(const struct request *request, const char **at, char text[TEXT_ROOM],
                        struct err *err)
{
    size_t length = strcspn(*at + 1, "}");
    const struct part *part = (*at)[1 + length] == '}' ? find_part(*at + 1, length) : NULL;
    if (part == NULL) {
        text_append(text, TEXT_ROOM, "{");
        ++*at;
        return true;
    }
    *at += length + 2;
    bool given =
        request_has_at(request, part->offset) || part->value == source_of || part->value == seed_of;
    if (!given)
        return field_reject(err, ERR_OPTION, part->name, " is required, because %.60s contains it",
                            request->problem.algorithm);
    text_append(text, TEXT_ROOM, "%" PRIu64, part->value(&request->problem));
    return true;
}

/* Writes the pattern with the values of its fields. */
static bool expand(const struct request *request, char text[TEXT_ROOM], struct err *err)
{
    const char *at = request->problem.algorithm;
    text[0] = '\0';
    while (*at != '\0') {
        size_t plain = strcspn(at, "{");
        text_append(text, TEXT_ROOM, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '{' && !append_part(request, &at, text, err))
            return false;
    }
    return strlen(text) < TEXT_ROOM - 1 ||
           err_set(err, ERR_RANGE, "{algorithm}: %.60s … is too long; expected at most %d bytes",
                   text, TEXT_ROOM - 2);
}

/* Returns whether a schedule may be given together with this field of a request. The fields of the
 * topology are the rules by which the schedule is read. */
static bool may_be_given(const struct field *field)
{
    static const char *const names[] = {"nodes", "packets", "source", "demands"};
    bool may = field->group != FIELD_PROBLEM;
    for (size_t which = 0; which < sizeof names / sizeof *names; which++)
        may = may || strcmp(field->name, names[which]) == 0;
    return may;
}

bool given_schedule_check(const struct request *request, struct err *err)
{
    const char *pattern = request->problem.algorithm;
    for (size_t which = 0; which < request_field_count; which++) {
        const struct field *field = &request_fields[which];
        if (request_has_at(request, field->offset) && !may_be_given(field) &&
            field->offset != offsetof(struct request, problem.seed))
            return field_reject(err, ERR_OPTION, field->name,
                                " cannot be used together with a schedule, %.60s", pattern);
    }
    return true;
}

/* --- reading -------------------------------------------------------------------------------- */

/* Reads the output of a command. */
static bool read_command(const char *command, const struct exchange_reading *how,
                         struct schedule *schedule, struct err *err)
{
    const struct exchange_format *format = NULL;
    struct err inner = {0};
    fflush(NULL);
    FILE *from = popen(command, "r");
    if (from == NULL)
        return err_set(err, ERR_TOOL, "{algorithm}: cannot run '%.200s': %s", command,
                       strerror(errno));
    bool read = exchange_load_from(from, command, how, &format, schedule, &inner);
    int status = pclose(from);
    if (status != 0 && read)
        schedule_free(schedule);
    if (status != 0)
        return err_set(err, ERR_TOOL,
                       "{algorithm}: '%.200s' failed; expected it to print a schedule", command);
    return read || err_copy(err, &inner);
}

static bool read_any(const char *text, const struct exchange_reading *how,
                     struct schedule *schedule, struct err *err)
{
    const struct exchange_format *format = NULL;
    return text[0] == COMMAND ? read_command(text + 1, how, schedule, err)
                              : exchange_load(text, how, &format, schedule, err);
}

/* Checks that the packets and the source are those of the request. */
static bool check_collective(const struct request *request, const struct schedule *schedule,
                             struct err *err)
{
    struct collective found;
    bool known = schedule_collective(schedule, &found) && !collective_rows[found.kind].weighed;
    uint32_t packets = known ? found.m : schedule->packets;
    if (request_has(request, problem.packets) && request->problem.packets != packets)
        return err_set(err, ERR_RANGE,
                       "{packets}: %" PRIu32 ", but the schedule has %" PRIu32
                       "; expected %" PRIu32,
                       request->problem.packets, packets, packets);
    bool rooted = known && collective_rows[found.kind].rooted;
    if (!request_has(request, problem.source) ||
        (rooted && request->problem.source == found.source))
        return true;
    return rooted ? err_set(err, ERR_RANGE,
                            "{source}: %" PRIu32 ", but that of the schedule is %" PRIu32
                            "; expected %" PRIu32,
                            request->problem.source, found.source, found.source)
                  : err_set(err, ERR_OPTION,
                            "{source}: the schedule has no single source; expected none");
}

bool given_schedule_read(const struct request *request, struct schedule *schedule, struct err *err)
{
    char text[TEXT_ROOM];
    struct schedule demands = {0};
    struct topology topology;
    struct exchange_reading how;
    if (!given_schedule_check(request, err) || !problem_rules(request, &topology, &how, err) ||
        !expand(request, text, err))
        return false;
    how.nodes = request->problem.nodes;
    if (request->problem.demands != NULL) {
        if (!schedule_file_read_any(request->problem.demands, &demands, err))
            return false;
        how.demands = &demands;
    }
    bool read = read_any(text, &how, schedule, err);
    schedule_free(&demands);
    if (!read || check_collective(request, schedule, err))
        return read;
    schedule_free(schedule);
    return false;
}

bool given_schedule_machine(const struct request *request, struct schedule *schedule,
                            struct compile_request *compile, struct machine *machine,
                            struct payload *payload, struct err *err)
{
    if (!machine_request(request, compile, err) || !given_schedule_read(request, schedule, err))
        return false;
    if (compile_machine_of(compile, schedule, machine, payload, err))
        return true;
    schedule_free(schedule);
    return false;
}
