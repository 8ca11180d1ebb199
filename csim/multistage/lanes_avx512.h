/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_avx512: lanes_switch for processors with AVX-512, where a row's bits are the masks of
 * blends. */
#ifndef ROUNDCAST_LANES_AVX512_H
#define ROUNDCAST_LANES_AVX512_H

#include <stdbool.h>
#include <stdint.h>

/* Does this processor have what lanes_avx512_switch needs? */
bool lanes_avx512_usable(void);

/* As lanes_switch. Precondition: lanes_avx512_usable. */
void lanes_avx512_switch(uint32_t *restrict out, const uint32_t *restrict in,
                         const uint32_t *restrict row, unsigned bit, uint32_t lanes);

#endif
