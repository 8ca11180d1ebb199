/* SPDX-License-Identifier: Apache-2.0 */
/* stage: a column of switches and the table that sets them; rtl/multistage/rc_stage.sv,
 * rtl/multistage/rc_crossbar_stage.sv.
 *
 * Its module has the ports that a trace shows, and no process: the processes of the network do the
 * work of all stages. They load the table words that the host and the wavefront address, and pass
 * flits under the settings of the row that they name, in the same cycle as the RTL or later
 * (transit.h).
 *
 * A table of masks (expand.h) provides the settings of the fetched row and, for the host, the mask
 * itself.
 *
 * A host read loads only the settings of the addressed stage, whereas the RTL loads those of all
 * stages. The difference has no effect, because every run fetches the settings before it uses them.
 */
#ifndef ROUNDCAST_STAGE_H
#define ROUNDCAST_STAGE_H

#include "csim/kernel/ports.h"
#include "csim/multistage/stage_switches.h"
#include "csim/shell/host_port.h"
#include "sched/machine/expand.h"
#include "sched/machine/machine.h"

struct stage {
    struct csim_in ce_i;
    /* [depth], or scalars before the first register */
    struct csim_in fetch_i, setting_index_i, flow_i;
    struct csim_in lanes_i;  /* [multistage_lanes] */
    struct csim_out lanes_o; /* [multistage_lanes] */
    HOST_TABLE_PORTS(PORTS_INPUT_FIELD)
    struct csim_out setting_o; /* [words]: of the row that was fetched; tags and masks: shown */
    struct csim_out mask_o;    /* the mask of the fetched row; only if the table contains masks */
    struct stage_switches switches;
    unsigned number;
    unsigned row_bits;
    /* returns the settings that a setting index (a row, a tag) selects, read from the table or
     * computed */
    const uint32_t *(*find)(struct stage *s, uint32_t setting_index);
    uint32_t words;
    unsigned registers;       /* pipeline registers before the stage */
    uint32_t *table;          /* table[rows][words], or table[rows] of masks; NULL with tags */
    size_t table_size;        /* bytes */
    struct tags_shift *shift; /* memory to compute settings from tags */
    uint32_t *computed;       /* [words]: computed settings; NULL if the table contains settings */
    const uint32_t *setting;  /* settings of the setting index last given to stage_prepare */
    uint32_t tag;             /* the tag that was fetched last */
    bool tagged;              /* a tag was fetched */
};

/* Builds stage `number` of a machine in `parent`. `registers` pipeline registers precede it, of
 * `depth` in the network; a stage before the first register has scalar inputs for the wavefront.
 * NULL if a building call failed. */
struct stage *stage_new(struct csim_module *parent, const struct machine *machine, unsigned number,
                        unsigned registers, unsigned depth);

/* At an edge: fetches the row of `setting_index` if `fetch` is set, and serves the host's
 * access. */
void stage_load(struct stage *s, bool fetch, uint32_t setting_index);

/* Drives setting_o with the settings computed from the loaded tag or mask. */
void stage_show(struct stage *s);

/* Sets the switches to the settings of a setting index. */
static inline void stage_prepare(struct stage *s, uint32_t setting_index)
{
    s->setting = s->find(s, setting_index);
    stage_switches_load(&s->switches, s->setting);
}

/* Computes out[multistage_lanes] from in[multistage_lanes] under the settings of the last
 * stage_prepare. */
static inline void stage_pass(const struct stage *s, uint32_t *restrict out,
                              const uint32_t *restrict in)
{
    stage_switches_pass(&s->switches, s->setting, out, in);
}

/* Returns the number of bits of a column of a stage's table: its fields are all that remain, or as
 * many as fit in a word. */
static inline unsigned stage_column_bits(const struct multistage *net, unsigned number,
                                         uint32_t column)
{
    unsigned bits = multistage_field_bits(net, number);
    uint32_t left = multistage_fields(net, number) - column * (32 / bits);
    return bits * (left < 32 / bits ? left : 32 / bits);
}

/* Returns whether a pipeline register follows the stage. */
static inline bool stage_registered(const struct machine *machine, unsigned number)
{
    return machine->pipe != 0 && (number + 1) % machine->pipe == 0;
}

#endif
