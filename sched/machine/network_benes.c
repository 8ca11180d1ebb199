/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_row.h"

/* R^k = N with k ≥ 2, or nothing: two levels at least are a network, 0 ports are none. */
static struct multistage radix_benes(uint32_t ports, uint32_t radix)
{
    uint64_t power = radix;
    unsigned levels = 1;
    for (; radix > 1 && power < ports; levels++)
        power *= radix;
    if (radix == 2 && power == ports)
        return multistage_benes(ports);
    bool fits = radix > 1 && power == ports && levels > 1;
    return fits ? multistage_radix_benes(radix, levels) : (struct multistage){0};
}

static bool parse(const char **text, struct multistage *net)
{
    uint32_t ports, radix;
    if (!network_row_number(text, "benes:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = network_row_number(text, ",radix=", MACHINE_MAX_PORTS, &radix)
               ? radix_benes(ports, radix)
               : multistage_benes(ports);
    return net->ports != 0;
}

const struct network_row network_row_benes = {
    .form = {{"benes", "benes:N[,pipe=P][,pad=D]",
              "2·⌈log2(N)⌉-1 stages of 2×2 switches, any N in 2 … 65536 (rtl: 2048); passes any "
              "permutation"},
             {"benes", "benes:N,radix=R[,pipe=P][,pad=D]",
              "2k-1 stages of R×R crossbars, N = R^k with k ≥ 2; passes any permutation"}},
    .parse = parse,
    .computes = true};
