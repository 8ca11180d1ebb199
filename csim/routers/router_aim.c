/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/routers/router_aim.h"

#include "sched/machine/machine_address.h"

bool router_aim(struct router_level *l)
{
    const uint32_t *aim = csim_read(&l->aim_i);
    bool any = false;
    for (uint32_t router = 0; router < l->routers; router++)
        for (uint32_t port = 0; port < l->ports; port++) {
            uint32_t word = aim[router * l->ports + port], at = l->none;
            uint32_t from = router_level_lane(l, router, word >> 16 & 0x7fff),
                     place = word & 0xffff;
            bool sends = word & MACHINE_VALID;
            if (sends && place < l->filled[from])
                at = router_level_address(l, from, place);
            else if (sends)
                router_level_raise(l, router, MACHINE_ROUTER_NOT_HELD);
            l->tx_at[router_level_lane(l, router, port)] = at;
            any |= at != l->none;
        }
    return any;
}
