/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/exchange.h"

#include "sched/base/files.h"
#include "sched/base/text.h"
#include "sched/exchange/compact.h"
#include "sched/exchange/recognise.h"
#include "sched/exchange/rounds.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

const struct exchange_format *const exchange_table[] = {
#define TABLE_ROW(name) &exchange_##name,
    EXCHANGE_TABLE(TABLE_ROW)
#undef TABLE_ROW
        NULL};

/* Returns whether the format can be written, or read. */
static bool supports(const struct exchange_format *format, bool written)
{
    return written ? format->write != NULL : exchange_is_read(format);
}

const char *exchange_names(bool written, char text[EXCHANGE_NAMES])
{
    text[0] = '\0';
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if (supports(*row, written))
            text_append(text, EXCHANGE_NAMES, "%s%s", text[0] != '\0' ? "|" : "", (*row)->name);
    return text;
}

const struct exchange_format *exchange_find(const char *name, bool written, struct err *err)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if (supports(*row, written) && strcmp((*row)->name, name) == 0)
            return *row;
    char names[EXCHANGE_NAMES];
    err_set(err, ERR_OPTION, "%.40s: no such format; expected %s", name,
            exchange_names(written, names));
    return NULL;
}

/* Returns the features of a schedule, as bits. */
static unsigned features_of(const struct schedule *schedule)
{
    bool routers = topology_has_routers(&schedule->topology);
    bool control = schedule_data_packets(schedule) < schedule->packets;
    return (routers ? EXCHANGE_TREE : 0u) | (control ? EXCHANGE_CONTROL : 0u) |
           (model_has_times(schedule->model) ? EXCHANGE_TIMES : 0u) |
           (model_copies(schedule->model) ? EXCHANGE_COPIES : 0u) |
           (model_combines(schedule->model) ? EXCHANGE_FABRIC : 0u) |
           (schedule->topology.arcs > 0 || schedule->ports > 1 ? EXCHANGE_PORTS : 0u) |
           (schedule->has_reductions ? EXCHANGE_COMBINES : 0u);
}

/* Rejects a schedule with a feature that the format cannot express, and names the feature. */
static bool check_supported(const struct exchange_format *format, const struct schedule *schedule,
                            struct err *err)
{
    static const char *const name[] = {"a tree with routers",
                                       "packets of control",
                                       "times in place of rounds",
                                       "packets that the network copies",
                                       "several packets from or to a node in a round",
                                       "packets that are combined",
                                       "packets that the network combines"};
    unsigned lacks = (format->lacks | EXCHANGE_FABRIC) & features_of(schedule);
    for (unsigned bit = 0; bit < sizeof name / sizeof *name; bit++)
        if (lacks >> bit & 1)
            return err_set(err, ERR_UNSUPPORTED,
                           "%s: the schedule has %s, which the format cannot express; expected a "
                           "schedule without",
                           format->name, name[bit]);
    return schedule->nodes <= format->most ||
           err_set(err, ERR_RANGE, "%s: %" PRIu32 " node%s; expected 1 … %" PRIu32, format->name,
                   schedule->nodes, text_s(schedule->nodes), format->most);
}

/* Reads a list of transfers, and makes its schedule. */
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
    if (!document_read(from, name, &document, err))
        return false;
    bool read = format->list(&document, &transfers, err) &&
                transfers_schedule(&transfers, how, schedule, err);
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

/* Checks that the schedule of a file can obey the rules. E101, E103. */
static bool check_rules(const struct exchange_format *format, const char *name,
                        const struct exchange_reading *how, struct err *err)
{
    const struct topology_row *row =
        topology_rows[how->topology != NULL ? how->topology->kind : TOPOLOGY_COMPLETE];
    if (!format->given)
        return rounds_have(how->model, err) &&
               (how->ports <= 1 ||
                err_set(err, ERR_OPTION,
                        "{ports}: the rounds of %s are found for 1 port; expected "
                        "no other number",
                        name));
    if (topology_rows[model_topology(how->model)] != row)
        return err_set(err, ERR_ALGORITHM, "{model}: %s is not for a %s; expected another model",
                       model_name(how->model), row->title);
    return !model_has_times(how->model) || how->lambda.denominator > 0 ||
           err_missing(err, "lambda", "λ of the postal model");
}

static bool read_as(const struct exchange_format *format, FILE *from, const char *name,
                    const struct exchange_reading *how, struct schedule *schedule, struct err *err)
{
    struct exchange_reading named = *how;
    named.algorithm = format->name;
    if (how->demands != NULL)
        take_rules(how->demands, &named);
    return check_rules(format, name, &named, err) &&
           (format->list != NULL ? read_list(format, from, name, &named, schedule, err)
                                 : format->read(from, name, named.model, schedule, err));
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
    for (size_t count; (count = fread(block, 1, sizeof block, from)) > 0;)
        fwrite(block, 1, count, to);
    bool copied = !ferror(from) && fflush(to) == 0;
    if (copied) {
        rewind(to);
        return to;
    }
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

/* Gives a schedule of roundcast the model that is asked for. */
static bool take_model(const char *name, const struct exchange_reading *how,
                       struct schedule *schedule, struct err *err)
{
    const struct model_row *row = model_row(how->model);
    const enum topology_kind kind = schedule->topology.kind;
    const enum model model =
        row->by_ports ? model_by_ports(kind, row->one_link, how->model) : how->model;
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
           (!how->compact ||
            compact_schedule(name, how->has_model ? how->model : schedule->model, schedule, err));
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
    bool folder = fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
    bool read = *format == NULL && folder
                    ? schedule_file_read_any(path, schedule, err) /* it reports what to read */
                    : exchange_load_from(file, files_input_name(path), how, format, schedule, err);
    files_close_input(file);
    return read;
}

const char *exchange_executor_name(unsigned which)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        for (unsigned k = 0; (*row)->executor != NULL && (*row)->executor(k) != NULL; k++)
            if (which-- == 0)
                return (*row)->executor(k);
    return NULL;
}

/* Writes the names of the formats with executors: "a or b". Returns text. */
static const char *names_with_executors(char text[EXCHANGE_NAMES])
{
    const char *name[sizeof exchange_table / sizeof *exchange_table];
    size_t count = 0;
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if ((*row)->executor != NULL)
            name[count++] = (*row)->name;
    return text_list(name, count, " or ", text, EXCHANGE_NAMES);
}

bool exchange_check_options(const struct exchange_format *format,
                            const struct exchange_options *options, struct err *err)
{
    char names[EXCHANGE_NAMES];
    return options->executor == 0 || format->executor != NULL ||
           err_set(err, ERR_OPTION, "{executor}: %s has no executors; expected {to} %s",
                   format->name, names_with_executors(names));
}

bool exchange_write(const struct exchange_format *format, FILE *to, const char *name,
                    const struct schedule *schedule, const struct exchange_options *options,
                    struct err *err)
{
    if (!exchange_check_options(format, options, err) || !check_supported(format, schedule, err) ||
        !schedule_check_unshared("the schedule", schedule, err))
        return false;
    errno = 0;
    if (!format->write(to, schedule, options, err))
        return false;
    fflush(to);
    return !ferror(to) || err_set(err, ERR_WRITE, "%s: cannot write: %s", name, strerror(errno));
}
