/* text: lists for people. */
#ifndef ROUNDCAST_TEXT_H
#define ROUNDCAST_TEXT_H

#include <stddef.h>

/* "a, b or c" of item[count], `last` being " or ", cut to size - 1 bytes. What an item has from a
 * '[' on can be left out by whoever writes it, and is left out here. Returns text. */
const char *text_list(const char *const item[], size_t count, const char *last, char *text,
                      size_t size);

#endif
