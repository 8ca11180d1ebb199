/* SPDX-License-Identifier: Apache-2.0 */
/* plural: "8 packets", but "1 packet": numbers and their nouns in what people read.
 *
 * The functions are those of stdio, but for the nouns of a table (plural.c): where a format has a
 * number, a blank and such a noun, "%u packets", and the number is 1, its singular is printed. What
 * an argument says, such as a file's name, is never changed.
 */
#ifndef ROUNDCAST_PLURAL_H
#define ROUNDCAST_PLURAL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The noun, or its singular of a count of 1. Precondition: in the table; others stay. */
const char *plural_of(uint64_t count, const char *noun);

int plural_format(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

int plural_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int plural_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
