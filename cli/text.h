/* SPDX-License-Identifier: Apache-2.0 */
/* text: functions for the texts of commands: plurals, and the lesser of two numbers. */
#ifndef ROUNDCAST_CLI_TEXT_H
#define ROUNDCAST_CLI_TEXT_H

#include "lib/roundcast/text.h"

/* Both operands must have the same type. Each is evaluated twice. */
#define MIN(left, right) ((left) < (right) ? (left) : (right))
#define MAX(left, right) ((left) > (right) ? (left) : (right))

/* Returns the ending of a noun after its count: "s", or "" for 1, as in `"%u packet%s"`. */
static inline const char *text_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
