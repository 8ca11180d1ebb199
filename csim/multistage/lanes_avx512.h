/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_avx512: the columns of lanes.h for processors with AVX-512, where a row's bits are the
 * masks of blends. */
#ifndef ROUNDCAST_LANES_AVX512_H
#define ROUNDCAST_LANES_AVX512_H

#include "csim/multistage/lanes.h"

/* NULL if this processor does not have what they need. */
const struct lanes_columns *lanes_avx512(void);

#endif
