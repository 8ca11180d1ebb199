/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_hash.h"

uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t hash_leaf(uint64_t node)
{
    return hash_mix(node + 1);
}

uint64_t hash_join(uint64_t one, uint64_t other)
{
    return one < other ? hash_mix(one + hash_mix(other)) : hash_mix(other + hash_mix(one));
}
