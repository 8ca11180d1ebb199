/* SPDX-License-Identifier: Apache-2.0 */
/* benes_idle: straightens the switches that no circuit passes. */
#ifndef ROUNDCAST_BENES_IDLE_H
#define ROUNDCAST_BENES_IDLE_H

#include <stdint.h>

/* Clear the setting of every switch whose two lanes are both idle.
 *     live[ports / 64, at least 1]    bit i: input i sends; used up
 *     row[stages][words] */
void benes_idle_straighten(unsigned log2_ports, uint64_t live[], uint32_t *row);

#endif
