#include "sched/machine/network_row.h"

#include <inttypes.h>

static bool parse(const char **text, struct multistage *net)
{
    uint32_t ports;
    if (!network_row_number(text, "omega:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = multistage_omega(ports);
    return true;
}

static bool check(const struct multistage *net, struct err *err)
{
    return network_row_power("omega", net, err);
}

static void print(const struct multistage *net, char text[MACHINE_NETWORK_TEXT])
{
    snprintf(text, MACHINE_NETWORK_TEXT, "omega:%" PRIu32, net->ports);
}

const struct network_row network_row_omega = {
    .form = {{"omega", "omega:N[,pipe=P][,pad=D]",
              "log2(N) stages of 2×2 switches, N a power of two; blocks some permutations "
              "(--split), no cyclic "
              "shift"}},
    .parse = parse,
    .check = check,
    .print = print};
