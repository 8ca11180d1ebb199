/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/json_text.h"

#include <stdlib.h>

/* jansson may leave out a key if memory is short; the second text would then differ in length. */
char *json_text(const json_t *root, size_t flags, size_t *size)
{
    *size = root != NULL ? json_dumpb(root, NULL, 0, flags) : 0;
    char *text = *size > 0 ? malloc(*size) : NULL;
    if (text != NULL && json_dumpb(root, text, *size, flags) == *size)
        return text;
    free(text);
    return NULL;
}
