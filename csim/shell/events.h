/* SPDX-License-Identifier: Apache-2.0 */
/* events: what the end of a run reports to the host: interrupts, the first error, numbers of runs
 * and cycles; rtl/shell/rc_events.sv, which numbers the cycles.
 *
 * Nodes and routers compute their first flag where they raise flags, so that this module reads a
 * word of each instead of all flags:
 *
 *     node_first_i     {0, flags[2:0], node[27:0]}    0: no flag is set
 *     router_first_i   {1, flags[2:0], router[27:0]}
 */
#ifndef ROUNDCAST_EVENTS_H
#define ROUNDCAST_EVENTS_H

#include "csim/kernel/ports.h"
#include "sched/machine/machine.h"
#include "sched/machine/machine_address.h"

#define EVENTS_PORTS(INPUT, OUTPUT)             \
    INPUT(rst, 1)                               \
    INPUT(start, 1)                             \
    INPUT(active, 1)                            \
    INPUT(done, 1)                              \
    INPUT(node_first, 32)                       \
    INPUT(host_we_event, 1)                     \
    INPUT(host_register, MACHINE_REGISTER_BITS) \
    INPUT(host_data, 32)                        \
    OUTPUT(state, 2)                            \
    OUTPUT(enable, 2)                           \
    OUTPUT(runs, 16)                            \
    OUTPUT(cycles, 32)                          \
    OUTPUT(cause, 32)                           \
    OUTPUT(error, 1)                            \
    OUTPUT(irq, 1)

struct events {
    EVENTS_PORTS(PORTS_INPUT_FIELD, PORTS_OUTPUT_FIELD)
    struct csim_in router_first_i; /* of machines of routers */
    bool hops;                     /* the machine is made of routers */
    bool done;                     /* done_i of the cycle before */
    bool ends;                     /* the cycle before was the first of done_i */
    uint32_t first;                /* then its first flag */
    bool clears, counts;           /* the count of cycles becomes 0, or grows, at this edge */
};

/* Builds the events in `parent`; NULL if a building call failed. */
struct events *events_new(struct csim_module *parent, const char *name,
                          const struct machine *machine);

/* Counts the cycles of a leap (sequencer.h); edges >= 1, and the machine is active in all, and was
 * not started or reset in the cycle before. */
void events_leap(struct events *events, uint32_t edges);

/* Returns the cause word of the first of `count` flags that is not 0; 0 if there is none. */
static inline uint32_t events_first(const uint32_t flags[], uint32_t count)
{
    for (uint32_t number = 0; number < count; number++)
        if (flags[number] != 0)
            return flags[number] << MACHINE_ERROR_CAUSE_FLAGS_LOW | number;
    return 0;
}

#endif
