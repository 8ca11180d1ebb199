/* SPDX-License-Identifier: Apache-2.0 */
/* tree_hash: the hashes of trees of combinations, by the formulas of certificate.h typed anew. */
#ifndef ROUNDCAST_TREE_HASH_H
#define ROUNDCAST_TREE_HASH_H

#include <stdint.h>

/* Returns the finalizer of SplitMix64 of a number. */
uint64_t hash_mix(uint64_t x);

/* Returns the hash of the contribution of a node. */
uint64_t hash_leaf(uint64_t node);

/* Returns the hash of the combination of two partial results, in either order. */
uint64_t hash_join(uint64_t one, uint64_t other);

#endif
