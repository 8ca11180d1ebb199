/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/model.h"

#include <string.h>

static const char *const names[MODEL_COUNT] = {
#define MODEL_NAME(name, text, rule) text,
    MODEL_TABLE(MODEL_NAME)
#undef MODEL_NAME
};

static const char *const rules[MODEL_COUNT] = {
#define MODEL_RULE(name, text, rule) rule,
    MODEL_TABLE(MODEL_RULE)
#undef MODEL_RULE
};

const char *model_name(enum model model)
{
    return names[model];
}

const char *model_rule(enum model model)
{
    return rules[model];
}

enum topology_kind model_topology(enum model model)
{
    if (model == MODEL_ALL_PORT)
        return TOPOLOGY_HYPERCUBE;
    return model == MODEL_SINGLE_PORT || model == MODEL_MULTIPORT ? TOPOLOGY_TREE
                                                                  : TOPOLOGY_COMPLETE;
}

bool model_parse(const char *name, enum model *model)
{
    for (unsigned candidate = 0; candidate < MODEL_COUNT; candidate++) {
        if (strcmp(name, names[candidate]) == 0) {
            *model = (enum model)candidate;
            return true;
        }
    }
    return false;
}
