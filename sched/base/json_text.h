/* SPDX-License-Identifier: Apache-2.0 */
/* json_text: what jansson holds, as text that is whole. */
#ifndef ROUNDCAST_JSON_TEXT_H
#define ROUNDCAST_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

/* The text[size] of `root`, which may be NULL if building it failed, by jansson's flags. No 0 is
 * behind it. Free it. NULL if there is no memory: jansson's own functions may leave out a key
 * then, and say that all went well. */
char *json_text(const json_t *root, size_t flags, size_t *size);

#endif
