/* SPDX-License-Identifier: Apache-2.0 */
/* machine_check: checks that a machine can be built. */
#ifndef ROUNDCAST_MACHINE_CHECK_H
#define ROUNDCAST_MACHINE_CHECK_H

#include "sched/machine/machine.h"

/* Checks that the stages of the machine's network can compute its settings. E401. */
bool machine_check_settings(const struct machine *machine, struct err *err);

/* Checks that a machine with reconfiguration can be built. E401. */
bool machine_check_reconfig(const struct machine *machine, struct err *err);

/* Checks that a machine that combines packets can be built. E208. */
bool machine_check_combines(const struct machine *machine, struct err *err);

/* Checks that endpoints of the machine can split ranges, if it has ranges. E401. */
bool machine_check_ranges(const struct machine *machine, struct err *err);

/* Checks that a machine can be built and that the address map has room for it. E401 with the
 * parameter. */
bool machine_check(const struct machine *machine, struct err *err);

#endif
