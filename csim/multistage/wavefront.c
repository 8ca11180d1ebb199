/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/wavefront.h"

#include <string.h>

bool wavefront_new(struct wavefront *wave, struct csim_module *module, uint32_t depth)
{
    wave->depth = depth;
    wave->entry = csim_alloc(module, depth * sizeof *wave->entry);
    return wave->entry != NULL;
}

void wavefront_reset(struct wavefront *wave)
{
    memset(wave->entry, 0, wave->depth * sizeof *wave->entry);
    wave->oldest = wave->uneven = wave->fetches = 0;
}

void wavefront_fill(struct wavefront *wave, const struct wavefront_front *with)
{
    for (uint32_t k = 0; k < wave->depth; k++)
        wave->entry[k] = *with;
    wave->uneven = wave->fetches = 0;
}

void wavefront_shift(struct wavefront *wave, const struct wavefront_front *in)
{
    const struct wavefront_front *last = wavefront_after(wave, 1);
    if (last->fetch != in->fetch || last->row != in->row || last->tag != in->tag ||
        last->setting_index != in->setting_index)
        wave->uneven = wave->depth;
    if (wave->uneven == 0)
        return;
    struct wavefront_front *entry = &wave->entry[wave->oldest];
    wave->fetches += in->fetch - entry->fetch;
    *entry = *in;
    wave->oldest = wave->oldest + 1 == wave->depth ? 0 : wave->oldest + 1;
    wave->uneven--;
}
