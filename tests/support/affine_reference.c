/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/affine_reference.h"

uint32_t affine_reference_image(const struct affine *map, uint32_t x)
{
    uint32_t y = map->constant;
    for (unsigned j = 0; j < map->bits; j++)
        if (x & UINT32_C(1) << j)
            y ^= map->column[j];
    return y;
}

bool affine_reference_invertible(const struct affine *map)
{
    for (uint32_t x = 1; x < UINT32_C(1) << map->bits; x++)
        if (affine_reference_image(map, x) == map->constant)
            return false;
    return true;
}

bool affine_reference_agrees(const struct affine *map, const uint32_t to[])
{
    for (uint32_t port = 0; port < UINT32_C(1) << map->bits; port++)
        if (to[port] != MULTISTAGE_IDLE && to[port] != affine_reference_image(map, port))
            return false;
    return true;
}

uint32_t affine_reference_codes(unsigned bits)
{
    return UINT32_C(1) << bits * (bits + 1);
}

struct affine affine_reference_coded(unsigned bits, uint32_t code)
{
    uint32_t last = (UINT32_C(1) << bits) - 1;
    struct affine map = {.bits = bits, .constant = code & last};
    for (unsigned j = 0; j < bits; j++)
        map.column[j] = code >> bits * (j + 1) & last;
    return map;
}

struct affine affine_reference_draw(struct rng *rng, unsigned bits)
{
    struct affine map = {.bits = bits};
    do {
        map.constant = rng_below(rng, UINT32_C(1) << bits);
        for (unsigned j = 0; j < bits; j++)
            map.column[j] = rng_below(rng, UINT32_C(1) << bits);
    } while (!affine_reference_invertible(&map));
    return map;
}
