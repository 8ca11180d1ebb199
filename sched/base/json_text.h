/* SPDX-License-Identifier: Apache-2.0 */
/* json_text: a jansson value as complete text. */
#ifndef ROUNDCAST_JSON_TEXT_H
#define ROUNDCAST_JSON_TEXT_H

#include <jansson.h>
#include <stddef.h>

/* Returns text[size] of `root`, formatted by jansson's flags; `root` is NULL if building it failed.
 * The text is not terminated by a 0. The caller frees it. NULL if there is no memory: jansson's own
 * functions may then leave out a key and still report success. */
char *json_text(const json_t *root, size_t flags, size_t *size);

#endif
