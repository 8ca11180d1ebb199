/* SPDX-License-Identifier: Apache-2.0 */
/* machines: the small machines for which engines of the fuzz targets are compiled, and runs on the
 * first of them.
 */
#ifndef ROUNDCAST_FUZZ_MACHINES_H
#define ROUNDCAST_FUZZ_MACHINES_H

#include "sched/bundle/bundle.h"
#include "sched/machine/machine.h"

#define MACHINES 4

/* Returns a machine: benes:4 first, which has runs; then an indexed Beneš network, a fat tree and a
 * cube without tables. */
struct machine machines_make(unsigned which);

/* Makes a broadcast of two packets in a model of complete graphs, on the first machine with these
 * settings. Free it with bundle_free. */
void machines_bundle(enum machine_settings settings, struct bundle *bundle);

/* Returns whether a compiled engine of this machine is ready. If not, reports it once for each
 * machine. */
bool machines_have_rtl(const struct machine *machine);

#endif
