/* SPDX-License-Identifier: Apache-2.0 */
/* second_engine: makes two engines in lockstep differ on purpose. */
#ifndef ROUNDCAST_SECOND_ENGINE_H
#define ROUNDCAST_SECOND_ENGINE_H

#include "testbench/run/testbench.h"

/* Writes a word into the second engine only, while the first engine idles. */
void second_engine_write(struct testbench *testbench, uint32_t address, uint32_t word);

#endif
