/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/field.h"

#include "sched/base/text.h"
#include "sched/machine/machine_network.h"
#include "sched/machine/machine_run.h"
#include "sched/request/request.h"
#include "sched/schedule/schedule.h"
#include "sched/traffic/traffic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- names of values ------------------------------------------------------------------------ */

const char *field_model_choice(unsigned which)
{
    return which < MODEL_COUNT ? model_name((enum model)which) : NULL;
}

/* Returns the name of a collective that can be requested by name, without sources or a matrix. */
const char *field_collective_choice(unsigned which)
{
    unsigned kind = 0;
    for (;; kind++) {
        if (kind == COLLECTIVE_KINDS)
            return NULL;
        const struct collective_row *row = &collective_rows[kind];
        if (!row->listed && !row->weighed && which-- == 0)
            return row->name;
    }
}

const char *field_pattern_choice(unsigned which)
{
    return traffic_patterns[which].syntax;
}

const char *field_network_choice(unsigned which)
{
    static _Thread_local struct network_form form;
    return machine_network_form(which, &form) ? form.written : NULL;
}

const char *field_settings_choice(unsigned which)
{
    return which < MACHINE_SETTINGS_KINDS ? machine_settings_rows[which].text : NULL;
}

static const char *name_of(const char *const names[], unsigned count, unsigned which)
{
    return which < count ? names[which] : NULL;
}

const char *field_programs_choice(unsigned which)
{
    static const char *const names[] = {"stored", "computed", "ranges"};
    return name_of(names, 3, which);
}

const char *field_ports_choice(unsigned which)
{
    static const char *const names[] = {"single", "multi"};
    return name_of(names, 2, which);
}

const char *field_capacity_choice(unsigned which)
{
    static const char *const names[] = {"const", "exp"};
    return name_of(names, 2, which);
}

const char *field_prefix_choice(unsigned which)
{
    static const char *const names[] = {"tree", "exchange"};
    return name_of(names, 2, which);
}

const char *field_overlap_choice(unsigned which)
{
    static const char *const names[] = {"gather", "spread", "detect"};
    return name_of(names, 3, which);
}

const char *run_engine_name(unsigned engine)
{
    static const char *const names[RUN_ENGINES] = {[RUN_CSIM] = "csim",
                                                   [RUN_RTL] = "rtl",
                                                   [RUN_NETLIST] = "netlist",
                                                   [RUN_BOTH] = "both",
                                                   [RUN_NONE] = "none"};
    return name_of(names, RUN_ENGINES, engine);
}

/* --- readers -------------------------------------------------------------------------------- */

/* Rejects an unknown name of a model or a collective, with E103 instead of E101. */
static bool reject_name(const char *field, const char *text, const char *(*choice)(unsigned which),
                        struct err *err)
{
    struct err unknown = {0};
    unsigned which;
    field_choose(field, text, choice, &which, &unknown);
    if (err != NULL)
        *err = unknown;
    if (err != NULL)
        err->code = ERR_ALGORITHM;
    return false;
}

bool field_set_model(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    return model_parse(text, &request->problem.model) ||
           reject_name("model", text, field_model_choice, err);
}

bool field_set_collective(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    enum collective_kind kind;
    if (!collective_parse(text, &kind) || collective_rows[kind].listed ||
        collective_rows[kind].weighed)
        return reject_name("collective", text, field_collective_choice, err);
    request->problem.collective = kind;
    return true;
}

/* Reads P/Q, P or a decimal number such as 2.5. */
static bool read_lambda(const char *text, struct rational *lambda)
{
    unsigned whole, part;
    int before = 0, point = 0, end = 0;
    if (rational_parse(text, lambda))
        return true;
    if (sscanf(text, "%5u%n.%n%4u%n", &whole, &before, &point, &part, &end) != 2 ||
        text[end] != '\0' || strspn(text, "0123456789") != (size_t)before ||
        strspn(text + point, "0123456789") != strlen(text + point))
        return false;
    uint32_t scale = 1;
    for (int digit = point; digit < end; digit++)
        scale *= 10;
    *lambda = rational_make(whole * scale + part, scale);
    return lambda->numerator <= RATIONAL_MAX && lambda->denominator <= RATIONAL_MAX;
}

bool field_set_lambda(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    struct rational lambda;
    if (!read_lambda(text, &lambda) || lambda.numerator < lambda.denominator)
        return err_set(
            err, ERR_RANGE,
            "{lambda}: '%.40s'; expected P/Q, P or a decimal number, at least 1, P and Q "
            "at most %d",
            text, RATIONAL_MAX);
    request->problem.lambda = lambda;
    return true;
}

/* Reads a processor, or LEVEL:INDEX, a router of a tree. */
bool field_set_source(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    const char *colon = strchr(text, ':');
    uint64_t level = 0, index;
    char before[8] = "";
    if (colon != NULL && (size_t)(colon - text) < sizeof before) {
        memcpy(before, text, (size_t)(colon - text));
        if (!field_number("source", before, 1, TOPOLOGY_MAX_HEIGHT, &level, err))
            return false;
    }
    if (!field_number("source", level > 0 ? colon + 1 : text, 0, SCHEDULE_MAX_NODES - 1, &index,
                      err))
        return false;
    request->problem.source = (uint32_t)index;
    request->problem.source_level = (unsigned)level;
    return true;
}

/* Reads a number of ports, or the name of a model of trees and hypercubes. */
bool field_set_ports(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    uint64_t ports;
    unsigned which;
    if (text[0] >= '0' && text[0] <= '9') {
        if (!field_number("ports", text, 1, SCHEDULE_MAX_PORTS, &ports, err))
            return false;
        request->problem.ports = (uint32_t)ports;
        return true;
    }
    if (!field_choose("ports", text, field_ports_choice, &which, err))
        return false;
    request->problem.model = which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT;
    request_mark(request, problem.model);
    return true;
}

bool field_set_network(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    request->machine.has_latency = strchr(text, ',') != NULL;
    return machine_parse_network(text, &request->machine.machine, err);
}

bool field_set_programs(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    unsigned which;
    if (!field_choose("programs", text, field_programs_choice, &which, err))
        return false;
    request->machine.machine.computed = which == 1;
    request->machine.machine.ranges = which == 2;
    return true;
}

bool field_set_operators(void *base, const char *text, struct err *err)
{
    struct machine *machine = &((struct request *)base)->machine.machine;
    char all[MACHINE_OPERATORS_TEXT];
    if (!machine_operators_parse(text, &machine->operators))
        return err_set(err, ERR_OPTION,
                       "{operators}: '%.60s'; expected a list such as sum,max, of %s", text,
                       machine_operators_text(MACHINE_ALL_OPERATORS, all));
    if (machine->operators == MACHINE_ALL_OPERATORS)
        machine->operators = 0;
    return true;
}

/* Reads the optional `,depth=D`, the buffer depth of all routers. */
static bool read_depth(const char *text, struct machine *machine)
{
    unsigned depth;
    int end = 0;
    if (*text == '\0')
        return true;
    if (sscanf(text, ",depth=%9u%n", &depth, &end) != 1 || text[end] != '\0' || depth < 1 ||
        depth > MACHINE_MAX_DEPTH)
        return false;
    for (unsigned level = 1; level <= TOPOLOGY_MAX_HEIGHT; level++)
        machine->depth[level] = depth;
    return true;
}

bool field_set_memory(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    struct machine *machine = &request->machine.machine;
    unsigned packets, flits, rows;
    int end = 0;
    int fields = sscanf(text, "packets=%9u,flits=%9u,rows=%9u%n", &packets, &flits, &rows, &end);
    if (fields == 3 && read_depth(text + end, machine)) {
        machine->log2_packets = machine_log2(packets);
        machine->log2_flits = machine_log2(flits);
        machine->log2_rows = machine_log2(rows);
        if (machine->log2_packets && machine->log2_flits && machine->log2_rows)
            return true;
    }
    return err_set(err, ERR_OPTION,
                   "{memory}: '%.60s'; expected packets=K,flits=F,rows=R[,depth=D], K, F and R "
                   "powers of two from 2, D 1 … %" PRIu32,
                   text, MACHINE_MAX_DEPTH);
}

bool field_set_waves(void *base, const char *text, struct err *err)
{
    struct request *request = base;
    size_t length = strlen(text);
    request->run.waves = text;
    return (length > 4 && strcmp(text + length - 4, ".fst") == 0) ||
           err_set(err, ERR_OPTION, "{waves}: '%.200s'; expected a name that ends in .fst", text);
}
