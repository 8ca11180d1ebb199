/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/xml.h"

#include "sched/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void xml_begin(struct xml *xml, FILE *from, const char *name)
{
    *xml = (struct xml){.from = from, .name = name, .line = 1, .column = 1};
    xml->next = fgetc(from);
    static const int mark[] = {0xef, 0xbb, 0xbf};
    unsigned taken = 0;
    for (; taken < 3 && xml->next == mark[taken]; taken++)
        xml->next = fgetc(from);
    if (taken == 1 || taken == 2)
        /* an incomplete mark is treated as a character with which nothing can begin */
        xml->next = mark[0];
}

struct place {
    uint64_t line, column;
};

static bool wrong_at(const struct xml *xml, struct place at, struct err *err, enum err_code code,
                     const char *format, va_list args)
{
    struct err inner;
    err_vset(&inner, code, format, args);
    return err_at(err, &inner, "%s:%" PRIu64 ":%" PRIu64, xml->name, at.line, at.column);
}

bool xml_wrong(const struct xml *xml, struct err *err, enum err_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    wrong_at(xml, (struct place){xml->tag_line, xml->tag_column}, err, code, format, args);
    va_end(args);
    return false;
}

/* Reports an error at the next byte. Returns false. */
static bool refuse(const struct xml *xml, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(const struct xml *xml, struct err *err, const char *format, ...)
{
    va_list args;
    if (ferror(xml->from))
        return err_set(err, ERR_READ, "%s: cannot read: %s", xml->name, strerror(errno));
    va_start(args, format);
    wrong_at(xml, (struct place){xml->line, xml->column}, err, ERR_SYNTAX, format, args);
    va_end(args);
    return false;
}

/* Returns the next byte and advances past it. */
static int take(struct xml *xml)
{
    int byte = xml->next;
    if (byte == EOF)
        return byte;
    xml->next = fgetc(xml->from);
    if (byte == '\n') {
        xml->line++;
        xml->column = 1;
    } else if ((xml->next & 0xc0) != 0x80) { /* the next byte begins a character */
        xml->column++;
    }
    return byte;
}

static bool take_text(struct xml *xml, const char *text, struct err *err)
{
    for (const char *byte = text; *byte != '\0'; byte++) {
        if (xml->next != *byte)
            return refuse(xml, err, "another character; expected '%s'", text);
        take(xml);
    }
    return true;
}

static bool take_blanks(struct xml *xml)
{
    bool taken = false;
    while (xml->next == ' ' || xml->next == '\t' || xml->next == '\n' || xml->next == '\r') {
        take(xml);
        taken = true;
    }
    return taken;
}

/* Skips everything up to and including `end`: one byte, once or several times, and another byte. */
static bool pass(struct xml *xml, const char *end, struct err *err)
{
    size_t length = strlen(end), same = 0;
    while (same < length) {
        int byte = take(xml);
        if (byte == EOF)
            return refuse(xml, err, "the file ends; expected '%s'", end);
        if (byte == end[same])
            same++;
        else if (byte != end[0])
            same = 0;
    }
    return true;
}

static bool is_name(int byte, bool first)
{
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
    bool other = (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == ':';
    return letter || (!first && other);
}

static bool read_name(struct xml *xml, char name[XML_NAME], struct err *err)
{
    size_t length = 0;
    if (!is_name(xml->next, true))
        return refuse(xml, err, "no name; expected one of letters");
    while (is_name(xml->next, false)) {
        if (length == XML_NAME - 1)
            return refuse(xml, err, "a name of more than %d letters; expected fewer", XML_NAME - 1);
        name[length++] = (char)take(xml);
    }
    name[length] = '\0';
    return true;
}

/* Reads one of the five entities, after its &. */
static bool read_entity(struct xml *xml, char *byte, struct err *err)
{
    static const struct {
        const char *name;
        char byte;
    } known[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    char name[XML_NAME];
    if (!read_name(xml, name, err))
        return false;
    for (size_t which = 0; which < sizeof known / sizeof *known; which++)
        if (strcmp(known[which].name, name) == 0) {
            *byte = known[which].byte;
            return take_text(xml, ";", err);
        }
    return refuse(xml, err, "entity '%s'; expected lt, gt, amp, quot or apos", name);
}

static bool read_value(struct xml *xml, char value[XML_VALUE], struct err *err)
{
    size_t length = 0;
    int quote = xml->next;
    if (quote != '"' && quote != '\'')
        return refuse(xml, err, "no value; expected one in quotes");
    for (take(xml); xml->next != quote;) {
        if (xml->next == EOF || xml->next == '<' || xml->next == '\n')
            return refuse(xml, err, "a value without its end; expected a quote");
        if (length == XML_VALUE - 1)
            return refuse(xml, err, "a value of more than %d byte%s; expected fewer", XML_VALUE - 1,
                          text_s(XML_VALUE - 1));
        char byte = (char)take(xml);
        if (byte == '&' && !read_entity(xml, &byte, err))
            return false;
        value[length++] = byte;
    }
    value[length] = '\0';
    take(xml);
    return true;
}

static bool read_attribute(struct xml *xml, struct err *err)
{
    if (xml->attributes == XML_ATTRIBUTES)
        return refuse(xml, err, "more than %d attributes; expected fewer", XML_ATTRIBUTES);
    struct xml_attribute *attribute = &xml->attribute[xml->attributes];
    if (!read_name(xml, attribute->name, err))
        return false;
    if (xml_value(xml, attribute->name) != NULL)
        return refuse(xml, err, "'%s' twice; expected it once", attribute->name);
    take_blanks(xml);
    if (!take_text(xml, "=", err))
        return false;
    take_blanks(xml);
    if (!read_value(xml, attribute->value, err))
        return false;
    xml->attributes++;
    return true;
}

static bool read_open(struct xml *xml, struct err *err)
{
    if (xml->depth == XML_DEPTH)
        return refuse(xml, err, "tags in more than %d others; expected fewer", XML_DEPTH);
    if (!read_name(xml, xml->tag, err))
        return false;
    xml->kind = XML_OPENS;
    xml->begun = true;
    for (bool apart = take_blanks(xml); xml->next != '>' && xml->next != '/';
         apart = take_blanks(xml)) {
        if (!apart)
            return refuse(xml, err, "another character; expected a blank, '/' or '>'");
        if (!read_attribute(xml, err))
            return false;
    }
    xml->empty = xml->next == '/';
    strcpy(xml->open[xml->depth++], xml->tag);
    return take_text(xml, xml->empty ? "/>" : ">", err);
}

/* Reads the text after "</". */
static bool read_close(struct xml *xml, struct err *err)
{
    xml->kind = XML_CLOSES;
    if (!read_name(xml, xml->tag, err))
        return false;
    take_blanks(xml);
    if (xml->depth == 0 || strcmp(xml->open[xml->depth - 1], xml->tag) != 0)
        return xml_wrong(xml, err, ERR_SYNTAX, "</%s>; expected </%s>", xml->tag,
                         xml->depth > 0 ? xml->open[xml->depth - 1] : "");
    xml->depth--;
    return take_text(xml, ">", err);
}

/* Skips a document type after its "<!", with its quoted texts, comments and declarations in
 * brackets. None of it is used. */
static bool pass_type(struct xml *xml, struct err *err)
{
    unsigned depth = 1;
    if (xml->begun)
        return refuse(xml, err, "a document type; expected it before the first tag");
    if (!take_text(xml, "DOCTYPE", err))
        return false;
    while (depth > 0) {
        int byte = take(xml);
        if (byte == EOF)
            return refuse(xml, err, "the file ends in a document type; expected '>'");
        if (byte == '"' || byte == '\'') {
            if (!pass(xml, byte == '"' ? "\"" : "'", err))
                return false;
        } else if (byte == '<' && xml->next == '!') {
            take(xml);
            if (xml->next != '-')
                depth++;
            else if (!take_text(xml, "--", err) || !pass(xml, "-->", err))
                return false;
        } else if (byte == '<') {
            depth++;
        } else if (byte == '>') {
            depth--;
        }
    }
    return true;
}

/* Skips a declaration, a comment or a document type, after its "<". */
static bool pass_other(struct xml *xml, struct err *err)
{
    if (take(xml) == '?')
        return pass(xml, "?>", err);
    if (xml->next == 'D')
        return pass_type(xml, err);
    return take_text(xml, "--", err) && pass(xml, "-->", err);
}

bool xml_next(struct xml *xml, struct err *err)
{
    xml->attributes = 0;
    if (xml->empty) {
        xml->empty = false;
        xml->kind = XML_CLOSES;
        xml->depth--;
        return true;
    }
    for (;;) {
        take_blanks(xml);
        xml->tag_line = xml->line;
        xml->tag_column = xml->column;
        if (xml->next == EOF && xml->depth == 0 && !ferror(xml->from)) {
            xml->kind = XML_ENDS;
            return true;
        }
        if (xml->next == EOF)
            return refuse(xml, err, "the file ends; expected </%s>",
                          xml->depth > 0 ? xml->open[xml->depth - 1] : "");
        if (!take_text(xml, "<", err))
            return false;
        if (xml->next == '/') {
            take(xml);
            return read_close(xml, err);
        }
        if (xml->next != '?' && xml->next != '!')
            return read_open(xml, err);
        if (!pass_other(xml, err))
            return false;
    }
}

bool xml_skip(struct xml *xml, struct err *err)
{
    for (unsigned depth = xml->depth; xml->depth >= depth;)
        if (!xml_next(xml, err))
            return false;
    return true;
}

const char *xml_value(const struct xml *xml, const char *name)
{
    for (unsigned which = 0; which < xml->attributes; which++)
        if (strcmp(xml->attribute[which].name, name) == 0)
            return xml->attribute[which].value;
    return NULL;
}

bool xml_number(const struct xml *xml, const char *name, int64_t minimum, int64_t maximum,
                int64_t *number, struct err *err)
{
    const char *value = xml_value(xml, name);
    if (value == NULL)
        return xml_wrong(xml, err, ERR_SYNTAX, "<%s> has no '%s'; expected a number", xml->tag,
                         name);
    size_t sign = value[0] == '-', digits = strspn(value + sign, "0123456789");
    if (digits == 0 || digits > 18 || value[sign + digits] != '\0')
        return xml_wrong(xml, err, ERR_SYNTAX, "%s=\"%.40s\"; expected a number", name, value);
    *number = strtoll(value, NULL, 10);
    return (*number >= minimum && *number <= maximum) ||
           xml_wrong(xml, err, ERR_FIELD_RANGE, "%s=\"%.40s\"; expected %" PRIi64 " … %" PRIi64,
                     name, value, minimum, maximum);
}
