/* SPDX-License-Identifier: Apache-2.0 */
/* utf8: repairs external texts that claim to be UTF-8.
 *
 * File names and texts of files are bytes; reports need letters. Well-formed text is kept; each
 * malformed part becomes one U+FFFD (EF BF BD). A part is the longest prefix of a valid sequence,
 * or else one byte. This is the standard replacement, so that the surrounding text reads as in
 * other tools.
 *
 *     61 F1 80 80 E1 80 C2 62          a, then three sequences that are cut, then b
 *     61 FFFD     FFFD  FFFD 62
 *
 * The Unicode Standard, table 3-7 (well-formed sequences) and section 3.9 (replacement of maximal
 * subparts). */
#ifndef ROUNDCAST_UTF8_H
#define ROUNDCAST_UTF8_H

#include <stddef.h>

/* Returns the text of bytes[count], well formed and terminated by a 0, and its length in *length.
 * The caller frees it; NULL if there is no memory. O(count). */
char *utf8_repair(const char *bytes, size_t count, size_t *length);

/* Returns the number of terminal columns of the first `bytes` bytes of a text: one for each
 * character, none for combining marks (U+0300 … U+036F), such as that of T̂. O(bytes). */
size_t utf8_columns(const char *text, size_t bytes);

#endif
