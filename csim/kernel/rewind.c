/* SPDX-License-Identifier: Apache-2.0 */
/* Saves and restores the state of a simulator (csim_mark, csim_rewind). */
#include "csim/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

/* A snapshot; the bytes of all pieces follow it. */
struct csim_mark {
    uint64_t cycles;
    bool settled, shown;
    uint8_t bytes[];
};

/* What copy_all does with a piece: counts its bytes, saves it in the snapshot or restores it. */
enum purpose { COUNT, KEEP, BRING_BACK };

static size_t copy(enum purpose purpose, void *piece, uint8_t *kept, size_t bytes)
{
    if (purpose == KEEP)
        memcpy(kept, piece, bytes);
    else if (purpose == BRING_BACK)
        memcpy(piece, kept, bytes);
    return bytes;
}

/* Copies everything that a cycle can change, in a fixed order. Returns the number of bytes. */
static size_t copy_all(const struct csim *sim, enum purpose purpose, uint8_t *kept)
{
    size_t bytes = 0, signals = 0;
#define COPY(piece, size) \
    (bytes += copy(purpose, (piece), purpose == COUNT ? NULL : kept + bytes, (size)))
    for (size_t n = 0; n < sim->nets.count; n++) {
        const struct csim_net *net = sim->nets.at[n];
        signals += net->kind == CSIM_SIGNAL;
        if (net->element_memory != NULL)
            COPY(net->element_memory, csim_element_bytes(net));
    }
    COPY(sim->wires, signals * sizeof *sim->wires);
    COPY(sim->written, signals + CSIM_FLAGS_AT_ONCE);
    for (size_t b = 0; b < sim->block_count; b++)
        COPY(sim->blocks[b].at, sim->blocks[b].bytes);
#undef COPY
    return bytes;
}

bool csim_mark(struct csim *sim, size_t most)
{
    size_t bytes = copy_all(sim, COUNT, NULL);
    struct csim_mark *mark = bytes <= most ? malloc(sizeof *mark + bytes) : NULL;
    if (mark == NULL)
        return false;
    *mark = (struct csim_mark){.cycles = sim->cycles, .settled = sim->settled, .shown = sim->shown};
    copy_all(sim, KEEP, mark->bytes);
    sim->mark = mark;
    return true;
}

void csim_rewind(struct csim *sim)
{
    struct csim_mark *mark = sim->mark;
    copy_all(sim, BRING_BACK, mark->bytes);
    sim->cycles = mark->cycles;
    sim->settled = mark->settled;
    sim->shown = mark->shown;
}
