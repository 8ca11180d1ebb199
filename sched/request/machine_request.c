/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/request/problem.h"

#include "sched/base/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHANGE UINT32_MAX /* in cycles */

/* Returns the nanoseconds of a unit of time; 0 if the suffix is unknown. */
static uint64_t nanoseconds_of(const char *suffix)
{
    static const struct {
        const char *suffix;
        uint64_t nanoseconds;
    } suffixes[] = {{"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    for (size_t which = 0; which < sizeof suffixes / sizeof *suffixes; which++)
        if (strcmp(suffix, suffixes[which].suffix) == 0)
            return suffixes[which].nanoseconds;
    return 0;
}

bool machine_request_change(const struct problem *problem, uint32_t *cycles, struct err *err)
{
    char *suffix;
    const char *text = problem->reconfigure;
    *cycles = 0;
    if (text == NULL)
        return problem->clock == 0 || err_requires(err, "clock", "reconfigure");
    errno = 0;
    unsigned long long number = strtoull(text, &suffix, 10);
    bool plain = *suffix == '\0';
    uint64_t nanoseconds = nanoseconds_of(suffix);
    if (text[0] < '0' || text[0] > '9' || (!plain && nanoseconds == 0))
        return err_set(err, ERR_OPTION,
                       "{reconfigure}: '%.40s'; expected a number of cycles, or, with {clock}, a "
                       "time in ms, us or ns, such as 20us",
                       text);
    if (plain && problem->clock != 0)
        return err_set(err, ERR_OPTION,
                       "{clock}: %.40s are cycles already; expected {reconfigure} in ms, us or ns",
                       text);
    if (!plain && problem->clock == 0)
        return err_set(err, ERR_OPTION, "{clock} is required with {reconfigure} in ms, us or ns");
    uint64_t scaled = 0;
    bool large = errno != 0 ||
                 __builtin_mul_overflow(number, plain ? 1 : nanoseconds * problem->clock, &scaled);
    uint64_t most = plain ? MAX_CHANGE : UINT64_C(1000) * MAX_CHANGE;
    if (large || scaled > most)
        return err_set(err, ERR_RANGE,
                       "{reconfigure}: %.40s is out of range; expected at most %" PRIu32 " cycles",
                       text, MAX_CHANGE);
    *cycles = (uint32_t)(plain ? scaled : bits_divide_up(scaled, 1000));
    return true;
}

/* Returns the request for a machine before the problem is known. */
static struct compile_request compile_of(const struct request *request)
{
    const struct machine_request *asked = &request->machine;
    const bool has_operator = request_has(request, machine.operation);
    return (struct compile_request){
        .has_network = request_has(request, machine.machine.network),
        .has_latency = asked->has_latency,
        .has_memory = request_has(request, machine.machine.log2_packets),
        .operation = has_operator ? asked->operation : machine_first_operator(&asked->machine),
        .has_operator = has_operator,
        .has_operators = request_has(request, machine.machine.operators),
        .split = asked->split,
        .machine = asked->machine,
        .flits = asked->flits,
        .payload = request->run.payload,
        .seed = request->problem.seed};
}

bool machine_request(const struct request *request, struct compile_request *compile,
                     struct err *err)
{
    *compile = compile_of(request);
    compile->machine.reconfigures = request->problem.reconfigure != NULL;
    return machine_request_change(&request->problem, &compile->reconfigure, err);
}

/* Sets the cycles of a round to those of the machine that a run builds for the collective. */
static bool round_of_machine(const struct request *request, struct collective *collective,
                             struct err *err)
{
    struct compile_request compile = compile_of(request);
    uint32_t cycles;
    compile.machine.reconfigures = true;
    if (multistage_blocks(&compile.machine.network))
        return err_set(err, ERR_NETWORK,
                       "{network}: an omega network may block the rounds; expected one that passes "
                       "all, benes:N or clos:m,n,r");
    if (!compile_round_cycles(&compile, collective, &cycles, err))
        return false;
    collective->cost.round = cycles;
    return true;
}

/* Checks that fields of a round, which only a price requires, are not given. */
static bool check_no_round(const struct request *request, struct err *err)
{
#define REFUSE "; expected the cycles of a change of settings, which may be 0"
    if (request->problem.round_cycles != 0)
        return err_set(err, ERR_OPTION, "{round-cycles} requires {reconfigure}" REFUSE);
    if (request->machine.flits != 0)
        return err_set(err, ERR_OPTION, "{flits} requires {reconfigure}" REFUSE);
    return !request_has(request, machine.machine.network) ||
           err_set(err, ERR_OPTION, "{network} requires {reconfigure}" REFUSE);
#undef REFUSE
}

bool machine_request_round(const struct request *request, struct collective *collective,
                           struct err *err)
{
    if (!collective->priced)
        return check_no_round(request, err);
    if (request->problem.round_cycles == 0)
        return round_of_machine(request, collective, err);
    collective->cost.round = request->problem.round_cycles;
    return (request->machine.flits == 0 && !request_has(request, machine.machine.network)) ||
           err_set(err, ERR_OPTION,
                   "{round-cycles}: with {network} or {flits}; expected the cycles of a round, or "
                   "the machine that has them");
}

/* Checks that a run without an engine has no options of a machine or a simulation. */
static bool check_no_engine(const struct request *request, struct err *err)
{
    for (size_t which = 0; which < request_field_count; which++) {
        const struct field *field = &request_fields[which];
        bool other = (field->group == FIELD_MACHINE || field->group == FIELD_RUN) &&
                     field->offset != offsetof(struct request, run.engine);
        if (other && request_has_at(request, field->offset))
            return field_reject(err, ERR_OPTION, field->name,
                                " cannot be used together with {engine} none, which runs nothing");
    }
    return true;
}

bool run_request_check(const struct request *request, struct err *err)
{
    const struct run_request *run = &request->run;
    if (run->engine == RUN_NONE && !check_no_engine(request, err))
        return false;
    if (run->waves != NULL || (run->waves_from == 0 && run->waves_to == 0))
        return true;
    return run->waves_from != 0 ? err_requires(err, "waves-from", "waves")
                                : err_requires(err, "waves-to", "waves");
}
