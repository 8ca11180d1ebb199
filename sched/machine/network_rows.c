/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/network_rows.h"

#include "sched/base/bits.h"
#include "sched/base/text.h"
#include "sched/machine/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Reading a network -------------------------------------------------------------------- */

const char *network_row_after(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 ? text + length : NULL;
}

bool network_row_number(const char **text, const char *prefix, uint32_t maximum, uint32_t *number)
{
    const char *at = network_row_after(*text, prefix);
    if (at == NULL || *at < '0' || *at > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long value = strtoul(at, &end, 10);
    if (errno != 0 || value > maximum)
        return false;
    *text = end;
    *number = (uint32_t)value;
    return true;
}

/* --- benes:N, benes:N,radix=R ------------------------------------------------------------- */

/* Returns the network of R^k = N ports with k ≥ 2; zero if there is none, because a network has at
 * least two levels. */
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

static bool parse_benes(const char **text, struct multistage *net)
{
    uint32_t ports, radix;
    if (!network_row_number(text, "benes:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = network_row_number(text, ",radix=", MACHINE_MAX_PORTS, &radix)
               ? radix_benes(ports, radix)
               : multistage_benes(ports);
    return net->ports != 0;
}

static const struct network_row network_row_benes = {
    .form = {{"benes", "benes:N[,pipe=P][,pad=D]",
              "2·⌈log2(N)⌉-1 stages of 2×2 switches, any N in 2 … 65536 (rtl: 2048); passes any "
              "permutation"},
             {"benes", "benes:N,radix=R[,pipe=P][,pad=D]",
              "2k-1 stages of R×R crossbars, N = R^k with k ≥ 2; passes any permutation"}},
    .parse = parse_benes,
    .computes = true};

/* --- waksman:N ---------------------------------------------------------------------------- */

static const struct network_row network_row_waksman = {
    .form = {{"waksman", "waksman:N[,pipe=P][,pad=D]",
              "benes:N without the switches that are needless, any N in 2 … 65536 (rtl: 2048); "
              "passes any "
              "permutation"}},
    .shape = multistage_waksman};

/* --- clos:m,n,r, gf11 --------------------------------------------------------------------- */

static bool parse_clos(const char **text, struct multistage *net)
{
    uint32_t middle = 24, radix = 24, edges = 24, ports;
    const char *gf11 = network_row_after(*text, "gf11");
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

static bool check_clos(const struct multistage *net, struct err *err)
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

/* Writes the network: as benes:N,radix=R if it has more than three stages, else as clos:m,n,r. */
static void print_clos(const struct multistage *net, char text[NETWORK_ROW_TEXT])
{
    if (net->levels == 2)
        snprintf(text, NETWORK_ROW_TEXT, "clos:%" PRIu32 ",%" PRIu32 ",%" PRIu32, net->middle,
                 net->radix, net->ports / net->radix);
    else
        snprintf(text, NETWORK_ROW_TEXT, "benes:%" PRIu32 ",radix=%" PRIu32, net->ports,
                 net->radix);
}

static const struct network_row network_row_clos = {
    .form = {{"clos", "clos:m,n,r[,ports=N][,pipe=P][,pad=D]",
              "N = n·r ports, stages of r crossbars n×m, m of r×r, r of m×n, m ≥ n; passes any "
              "permutation"},
             {"gf11", "gf11[,pipe=P][,pad=D]",
              "clos:24,24,24, the network of IBM's GF11: 576 ports"}},
    .parse = parse_clos,
    .check = check_clos,
    .print = print_clos};

/* --- omega:N ------------------------------------------------------------------------------ */

static const struct network_row network_row_omega = {
    .form = {{"omega", "omega:N[,pipe=P][,pad=D]",
              "log2(N) stages of 2×2 switches, N a power of two; blocks some permutations "
              "(the schedule is split), no cyclic shift"}},
    .shape = multistage_omega,
    .power_of_two = true};

/* --- multicast:N -------------------------------------------------------------------------- */

static const struct network_row network_row_multicast = {
    .form = {{"multicast", "multicast:N[,pipe=P][,pad=D]",
              "4·log2(N)-3 stages of 2×2 switches that copy, N a power of two; any outputs get "
              "what any input "
              "sends"}},
    .shape = multistage_multicast,
    .power_of_two = true};

/* --- combine:N ---------------------------------------------------------------------------- */

static const struct network_row network_row_combine = {
    .form = {{"combine", "combine:N[,pipe=P][,pad=D]",
              "4·log2(N)-3 stages of 2×2 switches that combine, N a power of two; any outputs get "
              "the combination of what any inputs send"}},
    .shape = multistage_combine,
    .power_of_two = true};

/* --- all-reduce:N ------------------------------------------------------------------------- */

static const struct network_row network_row_all_reduce = {
    .form = {{"all-reduce", "all-reduce:N[,pipe=P][,pad=D]",
              "6·log2(N)-4 stages of 2×2 switches that first combine, then copy, N a power of two; "
              "any outputs get the combination of what any inputs send"}},
    .shape = multistage_all_reduce,
    .power_of_two = true};

/* --- The table ---------------------------------------------------------------------------- */

static const struct network_row *const rows[] = {
#define NETWORK_ROW(name, file, number) [number] = &network_row_##file,
    MULTISTAGE_TABLE(NETWORK_ROW)
#undef NETWORK_ROW
};

/* The kinds in the order of the table, which is the order of lists. */
static const enum multistage_kind kinds[] = {
#define NETWORK_KIND(name, file, number) MULTISTAGE_##name,
    MULTISTAGE_TABLE(NETWORK_KIND)
#undef NETWORK_KIND
};

const struct network_row *network_row_at(unsigned which)
{
    return rows[kinds[which]];
}

const struct network_row *network_row_of(const struct multistage *net)
{
    return rows[net->kind];
}

bool network_row_check(const struct multistage *net, struct err *err)
{
    if (net->ports < 2 || net->ports > MACHINE_MAX_PORTS)
        return err_set(err, ERR_NETWORK, "{network}: %u port%s; expected 2 … %u", net->ports,
                       text_s(net->ports), MACHINE_MAX_PORTS);
    const struct network_row *row = network_row_of(net);
    if (row->power_of_two && !bits_is_power(net->ports))
        return err_set(err, ERR_NETWORK, "{network}: %s:%u; expected a power of two",
                       row->form[0].name, net->ports);
    return row->check == NULL || row->check(net, err);
}
