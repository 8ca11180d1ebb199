/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/layout.h"

#include <inttypes.h>
#include <stdarg.h>

/* Flags of GTKWave's traces. */
#define BINARY 0x28u
#define HEX 0x22u
#define TRANSLATED 0x2022u
#define COMMENT 0x200u
#define GROUP_BEGIN 0x800200u
#define GROUP_END 0x1000200u
#define GROUP_CLOSED 0x400000u /* combined with either of the two */
#define GROUP_FOLDED 0x1000u   /* combined with the end of a closed group */

struct names_vector layout_find(const struct layout *layout, enum names_signal signal, uint32_t at)
{
    return names_find(layout->save->engine, layout->save->machine, signal, 0, at);
}

bool layout_inside(const struct layout *layout)
{
    return layout_find(layout, NAMES_SEND, 0).width != 0;
}

static void put_format(const struct layout *layout, unsigned format, enum filters_kind filter,
                       enum layout_colour colour)
{
    fprintf(layout->to, "@%x\n", format);
    if (colour != LAYOUT_PLAIN)
        fprintf(layout->to, "[color] %d\n", colour);
    if (filter != FILTERS_NONE)
        fprintf(layout->to, "^%d %s\n", filter + 1, layout->filter[filter]);
}

void layout_vector(const struct layout *layout, const char *label, struct names_vector vector,
                   enum filters_kind filter, enum layout_colour colour)
{
    if (vector.width == 0)
        return;
    unsigned format = filter != FILTERS_NONE ? TRANSLATED : vector.width <= 16 ? BINARY : HEX;
    put_format(layout, format, filter, colour);
    fprintf(layout->to, "+{%s} %s\n", label, vector.name);
}

void layout_bits(const struct layout *layout, const char *label, const struct names_bits *bits,
                 size_t count, enum filters_kind filter, enum layout_colour colour)
{
    for (size_t k = 0; k < count; k++)
        if (bits[k].vector.width == 0)
            return;
    put_format(layout, TRANSLATED, filter, colour);
    fprintf(layout->to, "#{%s}", label);
    for (size_t k = 0; k < count; k++)
        for (unsigned bit = bits[k].first; bit < bits[k].first + bits[k].count; bit++)
            if (bits[k].vector.width == 1)
                fprintf(layout->to, " %s", bits[k].vector.name);
            else
                fprintf(layout->to, " (%u)%s", bit, bits[k].vector.name);
    fputc('\n', layout->to);
}

/* Writes {active, row}. */
void layout_row(const struct layout *layout, struct names_vector row)
{
    const struct names_bits bits[] = {{layout_find(layout, NAMES_ACTIVE, 0), 0, 1},
                                      {row, 0, row.width}};
    layout_bits(layout, layout->save->unit ? "time" : "round", bits, 2, FILTERS_ROUNDS,
                LAYOUT_ORANGE);
}

static void put_group(const struct layout *layout, unsigned format, const char *name,
                      va_list arguments)
{
    fprintf(layout->to, "@%x\n-", format);
    vfprintf(layout->to, name, arguments);
    fputc('\n', layout->to);
}

void layout_begin(const struct layout *layout, bool open, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    put_group(layout, GROUP_BEGIN | (open ? 0 : GROUP_CLOSED), name, arguments);
    va_end(arguments);
}

void layout_end(const struct layout *layout, bool open, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    put_group(layout, GROUP_END | (open ? 0 : GROUP_CLOSED | GROUP_FOLDED), name, arguments);
    va_end(arguments);
}

uint32_t layout_list(const struct layout *layout, const char *what, uint32_t all)
{
    if (all <= SAVE_MAX_LISTED)
        return all;
    fprintf(layout->to, "@%x\n-%s 0 ... %d of %" PRIu32 "\n", COMMENT, what, SAVE_MAX_LISTED - 1,
            all);
    return SAVE_MAX_LISTED;
}
