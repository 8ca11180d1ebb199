/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/list.h"

#include "sched/algorithms/algorithm.h"
#include "sched/machine/machine_network.h"

_Static_assert(ROUNDCAST_MAX_NODES == SCHEDULE_MAX_NODES, "schedules have one limit");
_Static_assert(ROUNDCAST_MAX_PACKETS == SCHEDULE_MAX_PACKETS, "schedules have one limit");
_Static_assert(ROUNDCAST_MAX_DIMENSIONS == TOPOLOGY_MAX_DIMENSIONS, "hypercubes have one limit");

bool roundcast_model_at(unsigned index, struct roundcast_model *model)
{
    if (index >= MODEL_COUNT)
        return false;
    *model = (struct roundcast_model){model_name((enum model)index), model_rule((enum model)index)};
    return true;
}

bool roundcast_algorithm_at(unsigned index, struct roundcast_algorithm *algorithm)
{
    const struct algorithm *const *entry = algorithm_table;
    for (; *entry != NULL && index > 0; index--)
        entry++;
    if (*entry == NULL)
        return false;
    *algorithm = (struct roundcast_algorithm){(*entry)->name, (*entry)->summary, (*entry)->source,
                                              (*entry)->models, (*entry)->methods};
    return true;
}

bool roundcast_network_at(unsigned index, struct roundcast_network *network)
{
    struct network_form form;
    if (!machine_network_form(index, &form))
        return false;
    *network = (struct roundcast_network){form.name, form.written, form.what};
    return true;
}
