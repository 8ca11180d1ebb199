/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/model.h"

#include <string.h>

const struct model_row model_rows[MODEL_COUNT] = {
#define MODEL_ROW(enumerator, text, kind, what, ...) \
    {.name = text, .rule = what, .topology = TOPOLOGY_##kind, __VA_ARGS__},
    MODEL_TABLE(MODEL_ROW)
#undef MODEL_ROW
};

const char *model_name(enum model model)
{
    return model_rows[model].name;
}

const char *model_rule(enum model model)
{
    return model_rows[model].rule;
}

enum model model_by_ports(enum topology_kind topology, bool one_link, enum model none)
{
    for (unsigned model = 0; model < MODEL_COUNT; model++)
        if (model_rows[model].by_ports && model_rows[model].topology == topology &&
            model_rows[model].one_link == one_link)
            return (enum model)model;
    return none;
}

enum model model_on(enum topology_kind topology, enum model model)
{
    const struct model_row *row = model_row(model);
    return row->by_ports ? model_by_ports(topology, row->one_link, model) : model;
}

bool model_check_topology(enum model model, enum topology_kind topology, struct err *err)
{
    return model_topology(model) == topology ||
           err_set(err, ERR_ALGORITHM, "{model}: %s is not for a %s; expected another model",
                   model_name(model), topology_rows[topology]->title);
}

bool model_parse(const char *name, enum model *model)
{
    for (unsigned candidate = 0; candidate < MODEL_COUNT; candidate++) {
        if (strcmp(name, model_rows[candidate].name) == 0) {
            *model = (enum model)candidate;
            return true;
        }
    }
    return false;
}
