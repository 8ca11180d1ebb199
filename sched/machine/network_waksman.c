#include "sched/machine/network_row.h"

#include <inttypes.h>

static bool parse(const char **text, struct multistage *net)
{
    uint32_t ports;
    if (!network_row_number(text, "waksman:", MACHINE_MAX_PORTS, &ports))
        return false;
    *net = multistage_waksman(ports);
    return true;
}

static void print(const struct multistage *net, char text[MACHINE_NETWORK_TEXT])
{
    snprintf(text, MACHINE_NETWORK_TEXT, "waksman:%" PRIu32, net->ports);
}

const struct network_row network_row_waksman = {
    .form = {{"waksman", "waksman:N[,pipe=P][,pad=D]",
              "benes:N without the switches that are needless, any N in 2 … 65536 (rtl: 2048); "
              "passes any "
              "permutation"}},
    .parse = parse,
    .print = print};
