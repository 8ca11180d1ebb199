/* SPDX-License-Identifier: Apache-2.0 */
/* multistage_machine: N endpoints around a multistage network, a sequencer and a host port;
 * rtl/multistage/rc_multistage_machine.sv, to which it is equal in every output and lane register,
 * cycle for cycle, as long as the host keeps to the rules: tables, programs and packet memories are
 * accessed while the machine is idle, at the latest in the cycle before start; a run is of one of
 * the two kinds of machine_check_run; without barriers, the last latency / row_cycles rows of a run
 * send nothing, and the next run starts at least latency cycles after it is done; reset lasts
 * latency + 3 cycles. Flits under way when a run is reset may be stored differently than in the
 * RTL. Memories and registers are 0 at power-up.
 *
 *     shell: tx_lanes ──► network, a Beneš network ──► rx_lanes
 */
#ifndef ROUNDCAST_MULTISTAGE_MACHINE_H
#define ROUNDCAST_MULTISTAGE_MACHINE_H

#include "csim/shell/shell.h"

struct multistage_network;
struct setting_index;

struct multistage_machine {
    struct shell shell;
    struct multistage_network *network;
    struct setting_index *setting_index_memory; /* NULL if the row number selects the settings */
    /* the words for the stages, in machines with a setting index */
    struct csim_signal setting_index;
    bool has_splits; /* the machine has ranges, and so a table of splits */
    /* words that the host reads, in machines with more tables than those of the stages; all but one
     * are 0 */
    struct csim_signal network_rdata, setting_index_rdata;
};

/* Builds a machine in `parent`; the caller binds its ports. Precondition: machine_check. NULL if a
 * building call failed, which csim_elaborate reports. */
struct multistage_machine *multistage_machine_new(struct csim_module *parent, const char *name,
                                                  const struct machine *machine);

#endif
