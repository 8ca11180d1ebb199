/* SPDX-License-Identifier: Apache-2.0 */
/* second_engine: make two engines in lockstep differ on purpose. */
#ifndef ROUNDCAST_SECOND_ENGINE_H
#define ROUNDCAST_SECOND_ENGINE_H

#include "testbench/run/testbench.h"

/* Write a word into the second engine only, while the first one idles. */
void second_engine_write(struct testbench *testbench, uint32_t address, uint32_t word);

#endif
