/* SPDX-License-Identifier: Apache-2.0 */
/* stage_switches: what a stage does to its lanes, for every shape of sched/shape/multistage.h.
 *
 * Columns of 2×2 switches between lanes that differ in a bit run in vectors (lanes.h); those of
 * other sizes go block by block; columns of crossbars, and of switches that copy, look up for each
 * output lane the input lane that it gives.
 */
#ifndef ROUNDCAST_STAGE_SWITCHES_H
#define ROUNDCAST_STAGE_SWITCHES_H

#include "csim/kernel/csim.h"
#include "sched/shape/multistage.h"

struct stage_switches {
    struct multistage net;
    unsigned stage;
    uint32_t lanes_in, lanes_out;
    /* source[lanes_out]: the input lane of each output lane, lanes_in: none; NULL if that is not
       looked up */
    uint32_t *source;
};

/* Those of one stage, in the memory of `module`; load settings before anything passes. False
 * without memory. */
bool stage_switches_new(struct stage_switches *switches, struct csim_module *module,
                        const struct multistage *net, unsigned stage);

/* Take over the settings of another row. setting[multistage_columns] */
void stage_switches_load(struct stage_switches *switches, const uint32_t setting[]);

/* out[lanes_out] from in[lanes_in], both as csim's vectors are (lanes.h), under the row that was
 * loaded. */
void stage_switches_pass(const struct stage_switches *switches, const uint32_t setting[],
                         uint32_t *restrict out, const uint32_t *restrict in);

#endif
