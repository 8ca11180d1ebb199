/* SPDX-License-Identifier: Apache-2.0 */
/* expand_masks: how the settings of a stage follow from a mask of K bits, in a Beneš network of N =
 * 2^K ports.
 *
 * By one rule that is the same in all stages:
 *
 *     switch sw is crossed if the mask and N/2 + sw have an odd number of bits in common
 *
 * Bit K-1 of the mask, which N/2 + sw always has, crosses all switches; bit j crosses those whose
 * numbers have bit j. So a row of the tables is K bits a stage, not N/2, and K (2K-1) in all. The
 * number of a switch is that of its lower lane without the bit in which its lanes differ
 * (multistage.h), so a stage is itself an affine map, of its lanes. Therefore any masks make an
 * affine map: the rounds that have masks are these and no others. Router, reader and csim share the
 * rule; masks.h finds masks.
 */
#ifndef ROUNDCAST_EXPAND_MASKS_H
#define ROUNDCAST_EXPAND_MASKS_H

#include "sched/shape/multistage.h"

/* Is switch sw of a stage with this mask crossed? */
static inline bool masks_crossed(const struct multistage *net, uint32_t mask, uint32_t sw)
{
    return __builtin_parity(mask & (net->ports / 2 + sw));
}

/* The settings of a stage with this mask, setting[multistage_columns]. O(ports / 32). */
void masks_settings(const struct multistage *net, uint32_t mask, uint32_t setting[]);

#endif
