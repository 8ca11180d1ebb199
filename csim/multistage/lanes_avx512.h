/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_avx512: the columns of lanes.h for CPUs with AVX-512, where the bits of a row are blend
 * masks. */
#ifndef ROUNDCAST_LANES_AVX512_H
#define ROUNDCAST_LANES_AVX512_H

#include "csim/multistage/lanes.h"

/* Returns the columns, or NULL if this CPU lacks a required extension. */
const struct lanes_columns *lanes_avx512(void);

#endif
