/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_row.h"

const struct network_row network_row_multicast = {
    .form = {{"multicast", "multicast:N[,pipe=P][,pad=D]",
              "4·log2(N)-3 stages of 2×2 switches that copy, N a power of two; any outputs get "
              "what any input "
              "sends"}},
    .shape = multistage_multicast,
    .power_of_two = true};
