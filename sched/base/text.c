#include "sched/base/text.h"

#include <stdio.h>
#include <string.h>

const char *text_list(const char *const item[], size_t count, const char *last, char *text,
                      size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < count && used < size; k++) {
        const char *before = k == 0 ? "" : k + 1 < count ? ", " : last;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", before,
                                 (int)strcspn(item[k], "["), item[k]);
    }
    return text;
}
