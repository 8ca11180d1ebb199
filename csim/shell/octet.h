/* SPDX-License-Identifier: Apache-2.0 */
/* octet: eight words at a time, one AVX2 register or two SSE registers. One binary contains code
 * for both, and the loader selects it.
 *
 * Helpers for octets are macros: GCC lowers a function's vectors for the target of that function
 * before inlining, so a helper function would use SSE in the AVX2 clone.
 */
#ifndef ROUNDCAST_OCTET_H
#define ROUNDCAST_OCTET_H

#include <stdint.h>

typedef uint32_t octet __attribute__((vector_size(32), may_alias));
/* ... at any address */
typedef uint32_t loose_octet __attribute__((vector_size(32), may_alias, aligned(4)));

/* Before a function that works on octets. (Clones of clang 14 are not found by other files.) */
#if defined(__x86_64__) && !defined(__clang__)
#define OCTET_FOR_EVERY_CPU __attribute__((target_clones("avx2", "default")))
/* Before a function that gathers and scatters many words, which AVX-512 does in one instruction. */
#define LOOKUPS_FOR_EVERY_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define OCTET_FOR_EVERY_CPU
#define LOOKUPS_FOR_EVERY_CPU
#endif

#endif
