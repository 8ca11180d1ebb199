/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_row.h"

#include "sched/base/text.h"

#include <inttypes.h>

static bool parse(const char **text, struct multistage *net)
{
    uint32_t middle = 24, radix = 24, edges = 24, ports;
    const char *gf11 = network_row_behind(*text, "gf11");
    if (gf11 != NULL)
        *text = gf11;
    else if (!network_row_number(text, "clos:", MACHINE_MAX_LANES, &middle) ||
             !network_row_number(text, ",", MACHINE_MAX_PORTS, &radix) ||
             !network_row_number(text, ",", MACHINE_MAX_PORTS, &edges))
        return false;
    if (radix < 2 || edges < 2 || (uint64_t)radix * edges > MACHINE_MAX_PORTS)
        return false;
    *net = multistage_clos(middle, radix, edges);
    return !network_row_number(text, ",ports=", MACHINE_MAX_PORTS, &ports) || ports == net->ports;
}

static bool check(const struct multistage *net, struct err *err)
{
    if (net->middle < net->radix)
        return err_set(err, ERR_NETWORK,
                       "{network}: %u crossbar%s in the middle, and %u port%s at each of the first "
                       "stage; expected m ≥ n, "
                       "that any permutation may pass",
                       net->middle, text_s(net->middle), net->radix, text_s(net->radix));
    uint64_t lanes = (uint64_t)net->ports / net->radix * net->middle;
    return lanes <= MACHINE_MAX_LANES ||
           err_set(err, ERR_NETWORK,
                   "{network}: %" PRIu64 " lane%s between the stages; expected at most %u", lanes,
                   text_s(lanes), MACHINE_MAX_LANES);
}

/* A network of more than three stages is a Beneš network of crossbars. */
static void print(const struct multistage *net, char text[MACHINE_NETWORK_TEXT])
{
    if (net->levels == 2)
        snprintf(text, MACHINE_NETWORK_TEXT, "clos:%" PRIu32 ",%" PRIu32 ",%" PRIu32, net->middle,
                 net->radix, net->ports / net->radix);
    else
        snprintf(text, MACHINE_NETWORK_TEXT, "benes:%" PRIu32 ",radix=%" PRIu32, net->ports,
                 net->radix);
}

const struct network_row network_row_clos = {
    .form = {{"clos", "clos:m,n,r[,ports=N][,pipe=P][,pad=D]",
              "N = n·r ports, stages of r crossbars n×m, m of r×r, r of m×n, m ≥ n; passes any "
              "permutation"},
             {"gf11", "gf11[,pipe=P][,pad=D]",
              "clos:24,24,24, the network of IBM's GF11: 576 ports"}},
    .parse = parse,
    .check = check,
    .print = print};
