/* SPDX-License-Identifier: Apache-2.0 */
/* operators: how an endpoint combines the word that arrives with the word that it holds
 * (docs/algorithms/reduce.md). All are associative and commutative, so a result does not depend on
 * the order of combination; rtl/shell/rc_combine.sv implements the same table. */
#ifndef ROUNDCAST_OPERATORS_H
#define ROUNDCAST_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>

/* The operators on words of W bits, unsigned, in the order of register MACHINE_RUN_OPERATOR. */
#define MACHINE_OPERATORS_TABLE(X)      \
    X(SUM, "sum")                       \
    X(SATURATING_SUM, "saturating-sum") \
    X(MIN, "min")                       \
    X(MAX, "max")                       \
    X(AND, "and")                       \
    X(OR, "or")                         \
    X(XOR, "xor")

enum machine_operator {
#define MACHINE_OPERATOR_ENUM(name, text) MACHINE_OPERATOR_##name,
    MACHINE_OPERATORS_TABLE(MACHINE_OPERATOR_ENUM)
#undef MACHINE_OPERATOR_ENUM
        MACHINE_OPERATORS
};

#define MACHINE_OPERATOR_BITS 3

/* A set of operators has bit i if it contains operator i. */
#define MACHINE_ALL_OPERATORS ((UINT32_C(1) << MACHINE_OPERATORS) - 1)
#define MACHINE_OPERATORS_TEXT 48

/* Returns the name of an operator, "sum"; NULL for MACHINE_OPERATORS. */
const char *machine_operator_name(unsigned which);

/* Finds an operator by its name. Returns false if there is none. */
bool machine_operator_parse(const char *name, uint32_t *which);

/* Writes the names of a set, in the order of the table: "sum,max". Returns text. */
const char *machine_operators_text(uint32_t set, char text[MACHINE_OPERATORS_TEXT]);

/* Reads the names of a set, separated by commas, in any order. Returns false if one is unknown or
 * occurs twice, or if there is none. */
bool machine_operators_parse(const char *text, uint32_t *set);

/* Combines two words of `width` bits, 1 … 31. Unknown operators act as MACHINE_OPERATOR_XOR, as the
 * RTL does. */
uint32_t machine_operate(uint32_t which, unsigned width, uint32_t a, uint32_t b);

/* Combines two flits of `width` bits, 1 or more, as machine_operate does: bits 32k … 32k + 31 of
 * each are in its word k, and bits above the width are 0. `result`, which has as many words, may be
 * one of them. O(width). */
void machine_operate_wide(uint32_t which, unsigned width, const uint32_t a[], const uint32_t b[],
                          uint32_t result[]);

#endif
