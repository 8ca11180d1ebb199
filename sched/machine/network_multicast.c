#include "sched/machine/network_row.h"

#include <inttypes.h>

static bool parse(const char **text, struct multistage *net)
{
    uint32_t ports;
    if (!network_row_number(text, "multicast:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = multistage_multicast(ports);
    return true;
}

static bool check(const struct multistage *net, struct err *err)
{
    return network_row_power("multicast", net, err);
}

static void print(const struct multistage *net, char text[MACHINE_NETWORK_TEXT])
{
    snprintf(text, MACHINE_NETWORK_TEXT, "multicast:%" PRIu32, net->ports);
}

const struct network_row network_row_multicast = {
    .form = {{"multicast", "multicast:N[,pipe=P][,pad=D]",
              "4·log2(N)-3 stages of 2×2 switches that copy, N a power of two; any outputs get "
              "what any input "
              "sends"}},
    .parse = parse,
    .check = check,
    .print = print};
