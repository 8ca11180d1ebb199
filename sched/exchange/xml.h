/* SPDX-License-Identifier: Apache-2.0 */
/* xml: strict reading of the XML that programs write as data: tags with attributes, and only blanks
 * and comments between them.
 *
 * A byte-order mark, declarations and a document type before the first tag are skipped. Only the
 * five entities of XML are supported, and no text content. Errors read `name:line:column: what;
 * expected what`; columns count characters, from 1. */
#ifndef ROUNDCAST_XML_H
#define ROUNDCAST_XML_H

#include "sched/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define XML_NAME 32 /* room for a name, including its 0 */
#define XML_VALUE 200
#define XML_ATTRIBUTES 32
#define XML_DEPTH 32 /* maximum depth of nested tags */

enum xml_kind { XML_OPENS, XML_CLOSES, XML_ENDS };

struct xml_attribute {
    char name[XML_NAME], value[XML_VALUE];
};

struct xml {
    FILE *from;
    const char *name;      /* the name of the file */
    uint64_t line, column; /* position of the next byte */
    int next;              /* the next byte, or EOF */
    unsigned depth;        /* number of open tags */
    char open[XML_DEPTH][XML_NAME];
    bool empty; /* the tag that was opened last closes at once */
    bool begun; /* a tag was opened, so no document type may follow */

    /* the tag that was read last */
    enum xml_kind kind;
    char tag[XML_NAME];
    uint64_t tag_line, tag_column;
    unsigned attributes;
    struct xml_attribute attribute[XML_ATTRIBUTES];
};

/* Begins to read, after a byte-order mark if there is one. The caller keeps the ownership of the
 * file. */
void xml_begin(struct xml *xml, FILE *from, const char *name);

/* Reads the next tag; XML_ENDS after the last. E201, E204. */
bool xml_next(struct xml *xml, struct err *err);

/* Skips the rest of the tag that was opened: all tags in it, and the tag that closes it. E201,
 * E204. */
bool xml_skip(struct xml *xml, struct err *err);

/* Returns the value of an attribute of the tag that was opened; NULL if it has no such
 * attribute. */
const char *xml_value(const struct xml *xml, const char *name);

/* Reports an error at the tag, with `name:line:column: ` before the text. Returns false. */
bool xml_wrong(const struct xml *xml, struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads a number minimum … maximum that the tag that was opened must have. E204, E205. */
bool xml_number(const struct xml *xml, const char *name, int64_t minimum, int64_t maximum,
                int64_t *number, struct err *err);

#endif
