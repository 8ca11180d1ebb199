/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/document.h"

#include "sched/base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 18)
#define MARK "\xef\xbb\xbf"

/* Appends a block of the file. Returns false at its end, or without memory, when text is NULL. */
static bool append(FILE *from, struct document *document, size_t *room)
{
    char *larger = memory_grow(document->text, document->size + BLOCK + 1, room, sizeof *larger);
    if (larger == NULL) {
        document_free(document);
        return false;
    }
    document->text = larger;
    size_t count = fread(document->text + document->size, 1, BLOCK, from);
    document->size += count;
    return count > 0;
}

bool document_read(FILE *from, const char *name, bool binary, struct document *document,
                   struct err *err)
{
    size_t room = 0;
    *document = (struct document){.name = name, .binary = binary};
    errno = 0;
    while (append(from, document, &room))
        ;
    if (document->text == NULL)
        return err_no_memory(err, "the text of %s", name);
    document->text[document->size] = '\0';
    if (ferror(from)) {
        document_free(document);
        return err_set(err, ERR_READ, "%s: cannot read: %s", name, strerror(errno));
    }
    if (binary)
        return true;
    if (strncmp(document->text, MARK, strlen(MARK)) == 0) {
        document->size -= strlen(MARK);
        memmove(document->text, document->text + strlen(MARK), document->size + 1);
    }
    const char *zero = memchr(document->text, '\0', document->size);
    if (zero == NULL)
        return true;
    document_wrong(document, zero, err, ERR_SYNTAX, "a byte 0; expected text");
    document_free(document);
    return false;
}

void document_free(struct document *document)
{
    free(document->text);
    *document = (struct document){.name = document->name};
}

uint32_t document_line(const struct document *document, const char *at)
{
    uint32_t line = 1;
    for (const char *byte = document->text; byte < at; byte++)
        line += *byte == '\n';
    return line;
}

bool document_wrong(const struct document *document, const char *at, struct err *err,
                    enum err_code code, const char *format, ...)
{
    struct err inner;
    va_list arguments;
    va_start(arguments, format);
    err_vset(&inner, code, format, arguments);
    va_end(arguments);
    if (document->binary)
        return err_at(err, &inner, "%.150s: byte %td", document->name, at - document->text);
    const char *start = at;
    while (start > document->text && start[-1] != '\n')
        start--;
    return err_at(err, &inner, "%.150s:%" PRIu32 ":%td", document->name,
                  document_line(document, at), at - start + 1);
}
