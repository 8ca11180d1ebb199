/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/certificate.h"

#include "sched/base/compare.h"

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t certificate_leaf(uint32_t node)
{
    return mix(node + UINT64_C(1));
}

void certificate_add(uint64_t *to, uint64_t part)
{
    *to = *to == 0 ? part : mix(MIN(*to, part) + mix(MAX(*to, part)));
}

void certificate_result(struct certificate *certificate, uint64_t tree)
{
    certificate->packet = mix(certificate->packet + tree);
}

static void end_demand(struct certificate *certificate)
{
    if (certificate->demand == NULL)
        return;
    const uint64_t hash = certificate->differ ? certificate->packets : certificate->first;
    certificate->demands = certificate->demand_count == 1 ? hash : mix(certificate->demands + hash);
    certificate->packets_differ = certificate->packets_differ || certificate->differ;
}

void certificate_packets(struct certificate *certificate, const void *demand, uint32_t packets)
{
    const uint64_t hash = certificate->packet;
    if (certificate->demand != demand) {
        end_demand(certificate);
        certificate->demand = demand;
        certificate->demand_count++;
        certificate->first = hash;
        certificate->packets = 0;
        certificate->differ = false;
    }
    certificate->differ = certificate->differ || hash != certificate->first;
    for (uint32_t packet = 0; packet < packets; packet++)
        certificate->packets = mix(certificate->packets + hash);
    certificate->packet = 0;
}

uint64_t certificate_end(struct certificate *certificate)
{
    end_demand(certificate);
    certificate->demand = NULL;
    return certificate->demands;
}

uint64_t certificate_of(const struct schedule *schedule, certificate_tree *tree, const void *with)
{
    struct certificate certificate = {0};
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        if (demand->reduction == NULL)
            continue;
        const uint32_t count = schedule_wanters(schedule, demand);
        for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
            for (uint32_t k = 0; k < count; k++)
                certificate_result(&certificate,
                                   tree(with, demand, schedule_wanter(demand, k), packet));
            certificate_packets(&certificate, demand, 1);
        }
    }
    return certificate_end(&certificate);
}
