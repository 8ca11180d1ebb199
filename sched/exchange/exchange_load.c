/* SPDX-License-Identifier: Apache-2.0 */
/* exchange_load: reads schedules in any format, under the rules that are asked for. */
#include "sched/exchange/exchange.h"

#include "sched/base/files.h"
#include "sched/exchange/compact.h"
#include "sched/exchange/recognise.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* Returns whether readers find rounds under the rules themselves: on a complete graph, for nodes
 * with one port. */
static bool is_simple(const struct exchange_reading *how)
{
    struct err err = {0};
    return how->topology == NULL && how->ports <= 1 && rounds_have(how->model, &err);
}

/* Asks for the order of the transfers only, as rounds under send-receive, which compaction replaces
 * by those under the rules. */
static void forget_rules(struct exchange_reading *how)
{
    how->model = MODEL_SEND_RECEIVE;
    how->topology = NULL;
    how->lambda = (struct rational){0};
    how->ports = 0;
}

/* Reads a list of transfers, and makes its schedule. A list without times has an order, from which
 * compaction finds times. */
static bool read_list(const struct exchange_format *format, FILE *from, const char *name,
                      const struct exchange_reading *how, struct schedule *schedule,
                      struct err *err)
{
    struct document document;
    struct transfers transfers = {.document = &document,
                                  .model = how->model,
                                  .topology = how->topology,
                                  .ticks =
                                      model_has_times(how->model) ? how->lambda.denominator : 0,
                                  .apart = how->expects && !collective_rows[how->expected].to_all};
    if (!document_read(from, name, format->binary, &document, err))
        return false;
    struct exchange_reading rules = *how;
    bool read = format->list(&document, &transfers, err);
    if (read && !transfers.timed && how->compact && model_has_times(how->model)) {
        forget_rules(&rules);
        transfers.ticks = 0;
    }
    read = read && transfers_schedule(&transfers, &rules, schedule, err);
    transfers_free(&transfers);
    document_free(&document);
    return read;
}

/* Takes the rules of the demands, which a list must obey, unless others are given. */
static void take_rules(const struct schedule *demands, struct exchange_reading *how)
{
    how->model = how->has_model ? how->model : demands->model;
    how->lambda = how->lambda.denominator > 0 ? how->lambda : demands->lambda;
    how->ports = how->ports > 0 ? how->ports : demands->ports;
    if (how->topology == NULL && !topology_joins_all(&demands->topology))
        how->topology = &demands->topology;
}

/* Returns the model that is asked for. The field `ports` selects one of the topology. */
static enum model model_of(const struct exchange_reading *how, const struct schedule *schedule)
{
    return model_on(how->topology != NULL ? how->topology->kind : schedule->topology.kind,
                    how->model);
}

/* Checks that the model is one of the topology, and has what it requires. E101, E103. */
static bool check_rules(const struct exchange_reading *how, struct err *err)
{
    const enum topology_kind kind = how->topology != NULL ? how->topology->kind : TOPOLOGY_COMPLETE;
    if (!model_check_topology(how->model, kind, err))
        return false;
    return !model_has_times(how->model) || how->lambda.denominator > 0 ||
           err_missing(err, "lambda", "λ of the postal model");
}

/* Finds the earliest rounds under the rules that are asked for; else those of the schedule.
 * Messages name lines of the file, if `lines` is set or the schedule knows them. */
static bool compact(const char *name, bool lines, const struct exchange_reading *how,
                    struct schedule *schedule, struct err *err)
{
    struct rounds_rules rules = compact_rules_of(schedule);
    const bool moves = how->topology != NULL && how->topology->kind != schedule->topology.kind;
    if (how->has_model || moves)
        rules.model = model_of(how, schedule);
    if (how->topology != NULL)
        rules.topology = how->topology;
    if (how->lambda.denominator > 0)
        rules.lambda = how->lambda;
    if (how->ports > 0)
        rules.ports = how->ports;
    return compact_schedule(lines || schedule->origin_count > 0 ? name : "the imported schedule",
                            &rules, schedule, err);
}

static bool read_as(const struct exchange_format *format, FILE *from, const char *name,
                    const struct exchange_reading *how, struct schedule *schedule, struct err *err)
{
    struct exchange_reading named = *how;
    named.algorithm = format->name;
    if (how->demands != NULL)
        take_rules(how->demands, &named);
    if (!check_rules(&named, err))
        return false;
    const struct exchange_reading rules = named;
    const bool found = !format->given && !is_simple(&rules);
    if (found)
        forget_rules(&named);
    if (!(format->list != NULL ? read_list(format, from, name, &named, schedule, err)
                               : format->read(from, name, named.model, schedule, err)))
        return false;
    if (!found)
        return true;
    named = rules;
    named.has_model = true;
    return compact(name, false, &named, schedule, err);
}

bool exchange_read(const struct exchange_format *format, FILE *from, const char *name,
                   enum model model, struct schedule *schedule, struct err *err)
{
    return read_as(format, from, name, &(struct exchange_reading){.model = model}, schedule, err);
}

/* --- files of any format -------------------------------------------------------------------- */

#define HEAD 4096
#define OWN_FORMAT "roundcast-schedule"

/* Copies a file that cannot be rewound, such as a pipe, to one that can. */
static FILE *copy(FILE *from, const char *name, struct err *err)
{
    char block[HEAD];
    FILE *to = tmpfile();
    if (to == NULL) {
        err_set(err, ERR_WRITE, "%s: cannot copy to a temporary file: %s", name, strerror(errno));
        return NULL;
    }
    for (size_t count; !ferror(to) && (count = fread(block, 1, sizeof block, from)) > 0;)
        fwrite(block, 1, count, to);
    const bool read = !ferror(from);
    if (read && fflush(to) == 0 && !ferror(to)) {
        rewind(to);
        return to;
    }
    if (read)
        err_set(err, ERR_WRITE, "%s: cannot copy to a temporary file: %s", name, strerror(errno));
    else
        err_set(err, ERR_READ, "%s: cannot read: %s", name, strerror(errno));
    fclose(to);
    return NULL;
}

/* Recognises the format; NULL if it is roundcast's own, or unknown. E201. */
static bool recognise(FILE *from, const char *name, const struct exchange_format **format,
                      struct err *err)
{
    char text[HEAD + 1], *head = text;
    errno = 0;
    text[fread(text, 1, HEAD, from)] = '\0';
    if (ferror(from))
        return err_set(err, ERR_READ, "%s: cannot read: %s", name, strerror(errno));
    rewind(from);
    head += strncmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    head += strspn(head, " \t\r\n");
    *format = NULL;
    if (strstr(head, OWN_FORMAT) != NULL)
        return true;
    const struct exchange_format *const *row = exchange_table;
    while (*row != NULL && ((*row)->is_like == NULL || !(*row)->is_like(head)))
        row++;
    *format = *row;
    return true;
}

/* Returns whether schedules of the model can be judged by another model of their topology: both
 * have rounds, and a network that neither copies nor combines. */
static bool is_plain(enum model model)
{
    return !model_has_times(model) && !model_copies(model) && !model_combines(model);
}

/* Checks that a schedule of roundcast has the topology, the ports and λ that are asked for. */
static bool has_rules(const char *name, const struct exchange_reading *how,
                      const struct schedule *schedule, struct err *err)
{
    if (how->topology != NULL && !topology_equal(how->topology, &schedule->topology))
        return err_set(err, ERR_ALGORITHM,
                       "%s: the schedule has another topology; expected that of the schedule, "
                       "which need not be given",
                       name);
    if (how->ports > 0 && how->ports != schedule->ports)
        return err_set(err, ERR_ALGORITHM,
                       "{ports}: %" PRIu32 "; expected %" PRIu32 ", the ports of %s", how->ports,
                       schedule->ports, name);
    return how->lambda.denominator == 0 || !model_has_times(schedule->model) ||
           rational_equal(how->lambda, schedule->lambda) ||
           err_set(err, ERR_ALGORITHM, "{lambda}: %s has another λ; expected that of the schedule",
                   name);
}

/* Gives a schedule of roundcast the model that is asked for, unless compaction will do it. */
static bool take_model(const char *name, const struct exchange_reading *how,
                       struct schedule *schedule, struct err *err)
{
    const enum topology_kind kind = schedule->topology.kind;
    const enum model model = model_of(how, schedule);
    if (how->compact)
        return true;
    if (!has_rules(name, how, schedule, err))
        return false;
    if (!how->has_model || model == schedule->model)
        return true;
    if (topology_joins_all(&schedule->topology) && !rounds_have(model, err))
        return false;
    if (model_topology(model) != kind || !is_plain(schedule->model) || !is_plain(model))
        return err_set(err, ERR_ALGORITHM,
                       "{model}: %s is a schedule of %s; expected no other model", name,
                       model_name(schedule->model));
    schedule->model = model;
    return true;
}

/* Reads a schedule of roundcast, or a file that no format is like. E203 lists the formats. */
static bool read_own(FILE *from, const char *name, const struct exchange_reading *how,
                     struct schedule *schedule, struct err *err)
{
    char names[EXCHANGE_NAMES];
    struct err inner = {0};
    if (schedule_read(from, name, schedule, &inner))
        return take_model(name, how, schedule, err);
    if (inner.code != ERR_VERSION || strstr(inner.text, "not a schedule") == NULL)
        return err_copy(err, &inner);
    return err_set(err, ERR_VERSION, "%s, or a file of %s", inner.text,
                   exchange_names(false, names));
}

static bool load(FILE *from, const char *name, const struct exchange_reading *how,
                 const struct exchange_format **format, struct schedule *schedule, struct err *err)
{
    if (*format == NULL && !recognise(from, name, format, err))
        return false;
    if (*format == NULL ? !read_own(from, name, how, schedule, err)
                        : !read_as(*format, from, name, how, schedule, err))
        return false;
    if (how->nodes > 0 && how->nodes != schedule->nodes)
        return err_set(err, ERR_RANGE,
                       "{nodes}: %" PRIu32 ", but %s has %" PRIu32 "; expected %" PRIu32,
                       how->nodes, name, schedule->nodes, schedule->nodes);
    bool numbered = *format != NULL && (*format)->list != NULL;
    if (how->demands != NULL && !numbered && !recognise_demands(name, schedule, how->demands, err))
        return false;
    return (!how->expects || recognise_expected(name, schedule, how->expected, err)) &&
           (!how->compact || compact(name, *format == NULL, how, schedule, err));
}

bool exchange_load_from(FILE *file, const char *name, const struct exchange_reading *how,
                        const struct exchange_format **format, struct schedule *schedule,
                        struct err *err)
{
    struct schedule loaded = {0};
    struct stat status;
    bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    FILE *from = regular ? file : copy(file, name, err);
    bool read = from != NULL && load(from, name, how, format, &loaded, err);
    if (from != NULL && from != file)
        fclose(from);
    if (read)
        *schedule = loaded;
    else
        schedule_free(&loaded);
    return read;
}

bool exchange_load(const char *path, const struct exchange_reading *how,
                   const struct exchange_format **format, struct schedule *schedule,
                   struct err *err)
{
    struct stat status;
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    bool read = false;
    if (fstat(fileno(file), &status) != 0)
        err_set(err, ERR_READ, "%s: cannot read: %s", files_input_name(path), strerror(errno));
    else if (*format == NULL && S_ISDIR(status.st_mode))
        read = schedule_file_read_any(path, schedule, err); /* it reports what to read */
    else
        read = exchange_load_from(file, files_input_name(path), how, format, schedule, err);
    files_close_input(file);
    return read;
}
