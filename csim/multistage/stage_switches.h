/* SPDX-License-Identifier: Apache-2.0 */
/* stage_switches: how a stage routes its lanes, for every shape of sched/shape/multistage.h, in
 * vectors (lanes.h).
 *
 * Columns of 2×2 switches between lanes that differ in one bit, with or without copying, use the
 * settings directly, and so do columns of switches that combine. Columns of other sizes, and
 * columns of crossbars, look up the input lane of each output lane.
 */
#ifndef ROUNDCAST_STAGE_SWITCHES_H
#define ROUNDCAST_STAGE_SWITCHES_H

#include "csim/kernel/csim.h"
#include "csim/multistage/lanes.h"
#include "csim/shell/wide_words.h"
#include "sched/shape/multistage.h"

struct stage_switches {
    struct multistage net;
    unsigned stage;
    uint32_t lanes_in, lanes_out;
    /* for switches between lanes that differ in one bit: the column function, and the number of
     * that bit */
    lanes_switch_column *column;
    unsigned bit;
    /* if some of these switches are absent: a bit for each switch that is present, and the settings
     * of those switches; else NULL */
    uint32_t *present, *kept;
    /* for other columns: source[lanes_out], the input lane of each output lane; lanes_in: none */
    uint32_t *source;
    lanes_take_column *take;
    uint32_t *first_input; /* [lanes_out], for crossbars: input 1 of each output */
    /* for switches that combine: whether words can meet, their operator (operators.h), the bits of
     * a flit, the valid bit of a lane, and the numbers of flits above 31 bits; width 0: others */
    bool operates;
    uint32_t operation;
    unsigned width;
    uint32_t valid;
    struct wide_words *wide; /* set by transit_number */
};

/* Creates the switches of one stage of the network of a machine in the memory of `module`. Load
 * settings before passing lanes. False without memory. */
bool stage_switches_new(struct stage_switches *switches, struct csim_module *module,
                        const struct machine *machine, unsigned stage);

/* Loads the settings of another row: setting[multistage_columns]. */
void stage_switches_load(struct stage_switches *switches, const uint32_t setting[]);

/* Computes out[lanes_out] from in[lanes_in] of switches that combine, under setting[columns]. */
void stage_switches_combine(const struct stage_switches *switches, const uint32_t setting[],
                            uint32_t *restrict out, const uint32_t *restrict in);

/* Computes out[lanes_out] from in[lanes_in], both padded and aligned as in lanes.h, under the
 * loaded settings. */
static inline void stage_switches_pass(const struct stage_switches *switches,
                                       const uint32_t setting[], uint32_t *restrict out,
                                       const uint32_t *restrict in)
{
    if (switches->width != 0)
        stage_switches_combine(switches, setting, out, in);
    else if (switches->column != NULL)
        switches->column(out, in, switches->kept != NULL ? switches->kept : setting, switches->bit,
                         switches->lanes_out);
    else
        switches->take(out, in, switches->source, switches->lanes_in, switches->lanes_out);
}

#endif
