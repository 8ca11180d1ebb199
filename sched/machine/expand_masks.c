/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/expand_masks.h"

/* By bits 0 … 4 of the mask some of 32 switches are crossed; the others if the rest of the mask has
 * an odd number of bits in common with the number of the first. */
void masks_settings(const struct multistage *net, uint32_t mask, uint32_t setting[])
{
    uint32_t switches = net->ports / 2, word = 0;
    for (uint32_t sw = 0; sw < switches && sw < 32; sw++)
        word |= (uint32_t)__builtin_parity(mask & sw) << sw;
    for (uint32_t first = 0; first < switches; first += 32) {
        uint32_t all = switches < 32 ? (UINT32_C(1) << switches) - 1 : UINT32_MAX;
        setting[first / 32] = (masks_crossed(net, mask, first) ? ~word : word) & all;
    }
}
