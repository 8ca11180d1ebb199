/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/partial.h"

#include <string.h>

/* 1 for MULTISTAGE_IDLE, 0 for a port. As arithmetic, because whether a port is idle is no pattern
 * that a branch predictor learns. */
static inline uint32_t is_idle(uint32_t port)
{
    return port >> 31;
}

/* Idle is out of range too, so one count more. */
bool partial_count(const uint32_t to[], uint32_t ports, uint32_t *live)
{
    uint32_t idle = 0, inside = 0;
    for (uint32_t input = 0; input < ports; input++) {
        idle += to[input] == MULTISTAGE_IDLE;
        inside += to[input] < ports;
    }
    *live = inside;
    return inside + idle == ports;
}

/* Writing without a look at what is there is quick: two inputs for one output then show as an
 * output too few. Idle inputs write to from[ports]. */
uint32_t partial_invert(const uint32_t to[], uint32_t ports, uint32_t from[])
{
    uint32_t taken = 0;
    memset(from, 0xff, ports * sizeof from[0]);
    for (uint32_t input = 0; input < ports; input++) {
        uint32_t idle = is_idle(to[input]);
        from[(to[input] & (idle - 1)) | (ports & -idle)] = input;
    }
    for (uint32_t output = 0; output < ports; output++)
        taken += from[output] != MULTISTAGE_IDLE;
    return taken;
}

/* An entry of spare[] is written before it is counted, so that nothing branches; never one behind
 * its end, because an input that is not idle leaves an entry free. */
void partial_complete(const uint32_t to[], uint32_t ports, uint32_t spare[], uint32_t from[])
{
    uint32_t count = 0;
    for (uint32_t input = 0; input < ports; input++) {
        spare[count] = input;
        count += is_idle(to[input]);
    }
    count = 0;
    for (uint32_t output = 0; output < ports; output++) {
        uint32_t idle = is_idle(from[output]);
        from[output] ^= (from[output] ^ spare[count]) & -idle;
        count += idle;
    }
}

bool partial_refuse(const char *network, const uint32_t to[], uint32_t ports, uint32_t holder[],
                    struct err *err)
{
    memset(holder, 0xff, ports * sizeof holder[0]);
    for (uint32_t input = 0; input < ports; input++) {
        uint32_t output = to[input];
        if (output == MULTISTAGE_IDLE)
            continue;
        if (output >= ports)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: input %u wants output %u; expected 0 … %u or idle", network, input,
                           output, ports - 1);
        if (holder[output] != MULTISTAGE_IDLE)
            return err_set(err, ERR_NOT_PERMUTATION,
                           "%s: inputs %u and %u both want output %u; expected one input at most",
                           network, holder[output], input, output);
        holder[output] = input;
    }
    return err_set(err, ERR_BUG, "%s: a legal round was refused; expected settings", network);
}

bool partial_permutation(const char *network, const uint32_t to[], uint32_t ports, uint32_t spare[],
                         uint32_t from[], uint32_t *live, struct err *err)
{
    if (!partial_count(to, ports, live) || partial_invert(to, ports, from) != *live)
        return partial_refuse(network, to, ports, spare, err);
    if (*live < ports)
        partial_complete(to, ports, spare, from);
    return true;
}
