/* SPDX-License-Identifier: Apache-2.0 */
/* document: a text file in memory, for readers whose errors read `name:line:column: what; expected
 * what`. Columns count bytes, from 1. Errors in a binary file read `name: byte N: …`, from 0. */
#ifndef ROUNDCAST_DOCUMENT_H
#define ROUNDCAST_DOCUMENT_H

#include "sched/base/err.h"

#include <stddef.h>

struct document {
    const char *name; /* for messages */
    char *text;       /* text[size], then a 0; owned. A byte order mark is left out */
    size_t size;
    bool binary; /* the file may have bytes 0, and has no lines */
};

/* Reads a file to its end; messages call it `name`. E104; E201; E204 for a byte 0 unless the file
 * is binary. O(bytes). Free it with document_free. */
bool document_read(FILE *from, const char *name, bool binary, struct document *document,
                   struct err *err);

void document_free(struct document *document);

/* Returns the line of a place in the text, from 1. O(bytes before it). */
uint32_t document_line(const struct document *document, const char *at);

/* Reports an error at a place in the text, with its place before it. Returns false. */
bool document_wrong(const struct document *document, const char *at, struct err *err,
                    enum err_code code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
