/* SPDX-License-Identifier: Apache-2.0 */
/* engine_name: the name of a compiled engine. It names the engine's folder and sets the parameters
 * of its RTL (synth/parameters.awk). */
#ifndef ROUNDCAST_ENGINE_NAME_H
#define ROUNDCAST_ENGINE_NAME_H

#include "testbench/engine/engine.h"

#define ENGINE_NAME_ROOM 2048

/* Writes the name "rtl-rc_multistage_machine-ports32-pipe1-pad0-width16-…[-traced]": the machine
 * and all of its parameters. */
void engine_name_of(enum engine_kind kind, const struct machine *machine, bool traced,
                    char name[ENGINE_NAME_ROOM]);

#endif
