/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/operators.h"

#include "sched/base/compare.h"

#include <stddef.h>
#include <string.h>

const char *machine_operator_name(unsigned which)
{
    static const char *const names[] = {
#define MACHINE_OPERATOR_NAME(name, text) text,
        MACHINE_OPERATORS_TABLE(MACHINE_OPERATOR_NAME)
#undef MACHINE_OPERATOR_NAME
    };
    return which < MACHINE_OPERATORS ? names[which] : NULL;
}

bool machine_operator_parse(const char *name, uint32_t *which)
{
    for (uint32_t k = 0; k < MACHINE_OPERATORS; k++)
        if (strcmp(name, machine_operator_name(k)) == 0) {
            *which = k;
            return true;
        }
    return false;
}

uint32_t machine_operate(uint32_t which, unsigned width, uint32_t a, uint32_t b)
{
    const uint32_t most = (UINT32_C(1) << width) - 1;
    switch (which) {
    case MACHINE_OPERATOR_SUM:
        return (a + b) & most;
    case MACHINE_OPERATOR_SATURATING_SUM:
        return MIN(a + b, most);
    case MACHINE_OPERATOR_MIN:
        return MIN(a, b);
    case MACHINE_OPERATOR_MAX:
        return MAX(a, b);
    case MACHINE_OPERATOR_AND:
        return a & b;
    case MACHINE_OPERATOR_OR:
        return a | b;
    default:
        return a ^ b;
    }
}
