/* SPDX-License-Identifier: Apache-2.0 */
/* VCD (IEEE 1364-2005, 18.2): text; a variable is identified by a short code of printable
 * characters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "csim/kernel/trace_format.h"

struct vcd {
    FILE *out;
    uint32_t variables;
    uint8_t *width; /* width[variables] */
    uint32_t capacity;
    bool defined; /* the header is complete */
    bool failed;
    uint64_t now;
    bool timed; /* `now` has been written */
};

static void *vcd_open(const char *path)
{
    struct vcd *vcd = calloc(1, sizeof *vcd);
    if (vcd == NULL)
        return NULL;
    vcd->out = fopen(path, "w");
    if (vcd->out == NULL) {
        free(vcd);
        return NULL;
    }
    fputs("$version Roundcast csim $end\n$timescale 1ns $end\n", vcd->out);
    return vcd;
}

static void vcd_scope(void *file, const char *name)
{
    struct vcd *vcd = file;
    fprintf(vcd->out, "$scope module %s $end\n", name);
}

static void vcd_end_scope(void *file)
{
    struct vcd *vcd = file;
    fputs("$upscope $end\n", vcd->out);
}

/* Writes the code of variable 1, 2, … in base 94, least significant digit first, followed by
 * `last`. */
static void put_code(FILE *out, uint32_t variable, char last)
{
    uint32_t rest = variable - 1;
    do {
        putc_unlocked((int)('!' + rest % 94), out);
        rest /= 94;
    } while (rest > 0);
    putc_unlocked(last, out);
}

static void vcd_variable(void *file, const char *name, unsigned width, uint32_t alias)
{
    struct vcd *vcd = file;
    uint32_t variable = alias;
    if (alias == 0) {
        if (vcd->variables == vcd->capacity) {
            uint32_t wanted = vcd->capacity == 0 ? 256 : vcd->capacity * 2;
            uint8_t *grown = realloc(vcd->width, wanted);
            if (grown == NULL) {
                vcd->failed = true;
                return;
            }
            vcd->width = grown;
            vcd->capacity = wanted;
        }
        vcd->width[vcd->variables++] = (uint8_t)width;
        variable = vcd->variables;
    }
    fprintf(vcd->out, "$var wire %u ", width);
    put_code(vcd->out, variable, ' ');
    if (width == 1)
        fprintf(vcd->out, "%s $end\n", name);
    else
        fprintf(vcd->out, "%s [%u:0] $end\n", name, width - 1);
}

static void vcd_time(void *file, uint64_t ns)
{
    struct vcd *vcd = file;
    if (!vcd->defined)
        fputs("$enddefinitions $end\n", vcd->out);
    vcd->defined = true;
    if (!vcd->timed || vcd->now != ns)
        fprintf(vcd->out, "#%" PRIu64 "\n", ns);
    vcd->now = ns;
    vcd->timed = true;
}

static void vcd_change(void *file, uint32_t variable, unsigned width, uint32_t value)
{
    struct vcd *vcd = file;
    if (width > 1)
        putc_unlocked('b', vcd->out);
    for (unsigned bit = width; bit-- > 0;)
        putc_unlocked('0' + (int)(value >> bit & 1), vcd->out);
    if (width > 1)
        putc_unlocked(' ', vcd->out);
    put_code(vcd->out, variable, '\n');
}

static void vcd_active(void *file, bool active)
{
    struct vcd *vcd = file;
    fputs(active ? "$dumpon\n" : "$dumpoff\n", vcd->out);
    for (uint32_t v = 0; !active && v < vcd->variables; v++) {
        fputs(vcd->width[v] > 1 ? "bx " : "x", vcd->out);
        put_code(vcd->out, v + 1, '\n');
    }
    fputs("$end\n", vcd->out);
}

static bool vcd_close(void *file)
{
    struct vcd *vcd = file;
    if (!vcd->defined)
        fputs("$enddefinitions $end\n", vcd->out);
    bool written = !ferror(vcd->out) && !vcd->failed;
    written = fclose(vcd->out) == 0 && written;
    free(vcd->width);
    free(vcd);
    return written;
}

const struct trace_format trace_vcd = {
    .suffix = ".vcd",
    .open = vcd_open,
    .scope = vcd_scope,
    .end_scope = vcd_end_scope,
    .variable = vcd_variable,
    .time = vcd_time,
    .change = vcd_change,
    .active = vcd_active,
    .close = vcd_close,
};
