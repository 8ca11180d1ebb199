/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/machine/operators.h"

#include "sched/base/compare.h"
#include "sched/base/text.h"

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

const char *machine_operators_text(uint32_t set, char text[MACHINE_OPERATORS_TEXT])
{
    text[0] = '\0';
    for (uint32_t k = 0; k < MACHINE_OPERATORS; k++)
        if (set >> k & 1)
            text_append(text, MACHINE_OPERATORS_TEXT, "%s%s", text[0] == '\0' ? "" : ",",
                        machine_operator_name(k));
    return text;
}

bool machine_operators_parse(const char *text, uint32_t *set)
{
    char name[MACHINE_OPERATORS_TEXT];
    uint32_t which;
    *set = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (length >= sizeof name)
            return false;
        memcpy(name, at, length);
        name[length] = '\0';
        if (!machine_operator_parse(name, &which) || *set >> which & 1)
            return false;
        *set |= UINT32_C(1) << which;
        at += length;
        if (*at == '\0')
            return true;
    }
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

/* Returns the sum without the carry, which is *carry, of bit `width`. */
static void add(unsigned width, const uint32_t a[], const uint32_t b[], uint32_t sum[], bool *carry)
{
    const unsigned words = (width + 31) / 32, top = width % 32;
    uint64_t total = 0;
    for (unsigned k = 0; k < words; k++) {
        total = (uint64_t)a[k] + b[k] + (total >> 32);
        sum[k] = (uint32_t)total;
    }
    *carry = top == 0 ? total >> 32 : sum[words - 1] >> top;
    if (top != 0)
        sum[words - 1] &= (UINT32_C(1) << top) - 1;
}

static bool is_less(unsigned words, const uint32_t a[], const uint32_t b[])
{
    unsigned k = words - 1;
    while (k > 0 && a[k] == b[k])
        k--;
    return a[k] < b[k];
}

void machine_operate_wide(uint32_t which, unsigned width, const uint32_t a[], const uint32_t b[],
                          uint32_t result[])
{
    const unsigned words = (width + 31) / 32;
    bool carry = false;
    if (which == MACHINE_OPERATOR_MIN || which == MACHINE_OPERATOR_MAX) {
        const bool takes_a = is_less(words, a, b) == (which == MACHINE_OPERATOR_MIN);
        memmove(result, takes_a ? a : b, words * sizeof *result);
    } else if (which <= MACHINE_OPERATOR_SATURATING_SUM) {
        add(width, a, b, result, &carry);
    } else {
        for (unsigned k = 0; k < words; k++)
            result[k] = machine_operate(which, 31, a[k], b[k]); /* of bits: any width */
    }
    for (unsigned k = 0; carry && which == MACHINE_OPERATOR_SATURATING_SUM && k < words; k++)
        result[k] = UINT32_MAX >> (k + 1 == words ? 32 * words - width : 0);
}
