/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/tags.h"

#include "sched/base/bits.h"

/* The value that the first port that sends would have; 0 of an idle round. */
static uint32_t first_value(const struct multistage *net, const uint32_t to[], bool complement)
{
    for (uint32_t port = 0; port < net->ports; port++)
        if (to[port] != MULTISTAGE_IDLE)
            return complement ? to[port] ^ port : (to[port] + net->ports - port) % net->ports;
    return 0;
}

static bool is_round_of(const struct multistage *net, const uint32_t to[], struct tag tag)
{
    for (uint32_t port = 0; port < net->ports; port++) {
        uint32_t output = tag.complement ? port ^ tag.value : (port + tag.value) % net->ports;
        if (to[port] != MULTISTAGE_IDLE && to[port] != output)
            return false;
    }
    return true;
}

bool tags_of(const struct multistage *net, const uint32_t to[], struct tag *tag)
{
    *tag = (struct tag){false, first_value(net, to, false)};
    if (is_round_of(net, to, *tag))
        return true;
    *tag = (struct tag){true, first_value(net, to, true)};
    return bits_is_power(net->ports) && is_round_of(net, to, *tag);
}
