/* affine_reference: affine maps, all and drawn ones, without eliminations. Include it after <cmocka.h>'s four headers. */
#ifndef ROUNDCAST_AFFINE_REFERENCE_H
#define ROUNDCAST_AFFINE_REFERENCE_H

#include "sched/base/rng.h"
#include "sched/route/affine.h"

/* Where a port goes by the columns whose bits it has: the definition. */
static inline uint32_t affine_lab_image(const struct affine *map, uint32_t x)
{
    uint32_t y = map->constant;
    for (unsigned j = 0; j < map->bits; j++)
        if (x & UINT32_C(1) << j)
            y ^= map->column[j];
    return y;
}

/* Does A take nothing but 0 to 0? O(2^bits). */
static inline bool affine_lab_invertible(const struct affine *map)
{
    for (uint32_t x = 1; x < UINT32_C(1) << map->bits; x++)
        if (affine_lab_image(map, x) == map->constant)
            return false;
    return true;
}

/* Does it do what a round does? */
static inline bool affine_lab_agrees(const struct affine *map, const uint32_t to[])
{
    for (uint32_t port = 0; port < UINT32_C(1) << map->bits; port++)
        if (to[port] != MULTISTAGE_IDLE && to[port] != affine_lab_image(map, port))
            return false;
    return true;
}

/* How many codes there are, of which each is a map that need not be invertible. */
static inline uint32_t affine_lab_codes(unsigned bits)
{
    return UINT32_C(1) << bits * (bits + 1);
}
static inline struct affine affine_lab_coded(unsigned bits, uint32_t code)
{
    uint32_t last = (UINT32_C(1) << bits) - 1;
    struct affine map = {.bits = bits, .constant = code & last};
    for (unsigned j = 0; j < bits; j++)
        map.column[j] = code >> bits * (j + 1) & last;
    return map;
}

static inline struct affine affine_lab_draw(struct rng *rng, unsigned bits)
{
    struct affine map = {.bits = bits};
    do {
        map.constant = rng_below(rng, UINT32_C(1) << bits);
        for (unsigned j = 0; j < bits; j++)
            map.column[j] = rng_below(rng, UINT32_C(1) << bits);
    } while (!affine_lab_invertible(&map));
    return map;
}

#endif
