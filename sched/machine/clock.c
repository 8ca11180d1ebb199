/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/clock.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>

static bool refuse(struct rational lambda, uint32_t given, uint64_t expected, struct err *err)
{
    char text[RATIONAL_TEXT];
    return err_set(err, ERR_NETWORK,
                   "{flits}: %" PRIu32 "; expected %" PRIu64 " for λ = %s on this network", given,
                   expected, rational_text(lambda.numerator, lambda.denominator, text));
}

bool clock_flits(const struct machine *machine, const struct clock_request *request,
                 uint32_t *flits, struct err *err)
{
    const struct rational lambda = request->lambda;
    const uint32_t given = request->given;
    uint32_t latency = machine_latency(machine), wait = lambda.numerator - lambda.denominator;
    char text[RATIONAL_TEXT];
    rational_text(lambda.numerator, lambda.denominator, text);
    if (wait == 0 && latency != 0)
        return err_set(err, ERR_NETWORK,
                       "{network}: %" PRIu32 " register%s; expected pipe=0,pad=0 for λ = 1",
                       latency, text_s(latency));
    if (wait != 0 && (latency == 0 || latency % wait != 0))
        return err_set(err, ERR_NETWORK,
                       "{network}: %" PRIu32 " register%s; expected a multiple of %" PRIu32
                       " for λ = %s",
                       latency, text_s(latency), wait, text);
    uint64_t exact = wait == 0 ? 0 : (uint64_t)latency / wait * lambda.denominator;
    if (given != 0 && exact != 0 && given != exact)
        return refuse(lambda, given, exact, err);
    *flits = exact != 0 ? (uint32_t)exact : given != 0 ? given : request->needed;
    return true;
}

/* Places as many registers between the stages as possible: a register after every pipe-th stage
 * makes stages / pipe registers. The others follow the network, except the one of an endpoint that
 * combines. Returns false if they are too many. Precondition: latency ≥ 1 if the machine combines.
 */
static bool place_registers(struct machine *machine, uint64_t latency)
{
    unsigned stages = machine_stages(machine);
    unsigned pipe = 1;
    latency -= machine->combines;
    while (pipe <= stages && stages / pipe > latency)
        pipe++;
    uint64_t piped = pipe <= stages ? stages / pipe : 0;
    if (latency - piped > MACHINE_MAX_PAD)
        return false;
    machine->pipe = pipe <= stages ? pipe : 0;
    machine->pad = (unsigned)(latency - piped);
    return true;
}

bool clock_registers(struct machine *machine, const struct clock_request *request, uint32_t *flits,
                     struct err *err)
{
    const struct rational lambda = request->lambda;
    const uint32_t given = request->given;
    uint32_t unit = lambda.denominator, wait = lambda.numerator - lambda.denominator;
    if (given % unit != 0)
        return err_set(err, ERR_NETWORK,
                       "{flits}: %" PRIu32 "; expected a multiple of %" PRIu32
                       ", the denominator of λ",
                       given, unit);
    uint32_t ticks = given != 0 ? given / unit : (uint32_t)bits_divide_up(request->needed, unit);
    while (!place_registers(machine, (uint64_t)ticks * wait)) {
        if (!request->shrink || ticks == 1) {
            char text[RATIONAL_TEXT];
            return err_set(err, ERR_NETWORK,
                           "{network}: λ = %s with %" PRIu64 " flit%s needs %" PRIu64
                           " register%s; expected at most %u on %" PRIu32
                           " port%s, so a smaller λ or fewer flits",
                           rational_text(lambda.numerator, unit, text), (uint64_t)ticks * unit,
                           text_s((uint64_t)ticks * unit), (uint64_t)ticks * wait,
                           text_s((uint64_t)ticks * wait),
                           machine_stages(machine) + MACHINE_MAX_PAD, machine_ports(machine),
                           text_s(machine_ports(machine)));
        }
        ticks--;
    }
    *flits = ticks * unit;
    return true;
}
