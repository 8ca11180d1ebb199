/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_row.h"

const struct network_row network_row_omega = {
    .form = {{"omega", "omega:N[,pipe=P][,pad=D]",
              "log2(N) stages of 2×2 switches, N a power of two; blocks some permutations "
              "(the schedule is split), no cyclic shift"}},
    .shape = multistage_omega,
    .power_of_two = true};
