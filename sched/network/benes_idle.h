/* SPDX-License-Identifier: Apache-2.0 */
/* benes_idle: where no circuit is, and the switches that none passes. */
#ifndef ROUNDCAST_BENES_IDLE_H
#define ROUNDCAST_BENES_IDLE_H

#include <stdint.h>

/* A bit for each input that sends.
 *     to[ports], live[benes_row_words] */
void benes_idle_mark(unsigned log2_ports, const uint32_t to[], uint64_t live[]);

/* Clear the setting of every switch whose two lanes are both idle.
 *     live[benes_row_words]    of benes_idle_mark; used up
 *     row[stages][words] */
void benes_idle_straighten(unsigned log2_ports, uint64_t live[], uint32_t *row);

#endif
