/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_row.h"

const struct network_row network_row_waksman = {
    .form = {{"waksman", "waksman:N[,pipe=P][,pad=D]",
              "benes:N without the switches that are needless, any N in 2 … 65536 (rtl: 2048); "
              "passes any "
              "permutation"}},
    .shape = multistage_waksman};
