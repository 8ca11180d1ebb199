/* SPDX-License-Identifier: Apache-2.0 */
/* stage: a column of switches and the table that sets them; rtl/multistage/rc_stage.sv,
 * rtl/multistage/rc_crossbar_stage.sv.
 *
 * Two things are its own. flow_i says that the lanes may carry flits: lanes without flits are 0
 * (the endpoints see to it), and zeros need not be switched. It travels with the lanes, so that it
 * is no guess. And what the wavefront tells comes as vectors, a lane per pipeline register, of
 * which the stage takes lane `at`, its own; that is a third of the signals to commit.
 *
 * A table of masks (expand_masks.h) gives the settings of the row that is fetched and the mask
 * itself, for the host.
 *
 * A host read loads the settings of the stage that it addresses only, where the RTL loads all:
 * every run fetches them anew before it uses them.
 */
#ifndef ROUNDCAST_STAGE_H
#define ROUNDCAST_STAGE_H

#include "csim/frame/host_port.h"
#include "csim/kernel/ports.h"
#include "csim/multistage/stage_switches.h"
#include "sched/machine/expand_tags.h"
#include "sched/machine/machine.h"

struct stage {
    struct csim_in ce_i;
    struct csim_in fetch_i, order_i, flow_i; /* [depth], or scalars before the first register */
    struct csim_in lanes_i;                  /* [multistage_lanes] */
    struct csim_out lanes_o;                 /* [multistage_lanes]; a register or combinational */
    HOST_TABLE_PORTS(PORTS_INPUT_FIELD)
    struct csim_out setting_o; /* [words]: of the row that was fetched */
    struct csim_out mask_o;    /* its mask; of tables of masks only */
    struct stage_switches switches;
    unsigned number;
    unsigned row_bits;
    /* the settings of a row that is fetched, from the table or computed, and the host's accesses */
    void (*load)(struct stage *s);
    uint32_t words, at;
    uint32_t *table;      /* table[rows][words], or table[rows] of masks; NULL of tags */
    size_t table_size;    /* bytes */
    struct tags_way *way; /* memory to compute them */
    bool zero;            /* lanes_o is all 0 */
};

/* Stage `number` of a machine in `parent`. `registers` pipeline registers stand before it and
 * `depth` in the network; a stage before the first takes scalars for the wavefront. NULL if a
 * building call failed. */
struct stage *stage_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                        unsigned registers, unsigned depth);

/* Bits of a column of a stage's table: as many fields as there are, or as fit. */
static inline unsigned stage_column_bits(const struct multistage *net, unsigned number,
                                         uint32_t column)
{
    unsigned bits = multistage_field_bits(net, number);
    uint32_t left = multistage_fields(net, number) - column * (32 / bits);
    return bits * (left < 32 / bits ? left : 32 / bits);
}

/* Does a pipeline register stand behind the stage? */
static inline bool stage_registered(const struct machine *machine, unsigned number)
{
    return machine->pipe != 0 && (number + 1) % machine->pipe == 0;
}

#endif
