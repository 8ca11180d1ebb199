/* SPDX-License-Identifier: Apache-2.0 */
/* FST, GTKWave's compressed format, through the writer that ships with Verilator and GTKWave. If
 * the writer was missing when this file was compiled, the format is known but cannot be opened. */
#include "csim/kernel/trace_format.h"

#if __has_include(<fstapi.h>)

#include <fstapi.h>
#include <stdlib.h>
#include <string.h>

struct fst {
    void *context;
    char *path;
    uint64_t now;
    bool timed; /* `now` has been written */
};

static void *fst_open(const char *path)
{
    struct fst *fst = calloc(1, sizeof *fst);
    char *copy = strdup(path);
    void *context = fst == NULL || copy == NULL ? NULL : fstWriterCreate(path, 1);
    if (context == NULL) {
        free(fst);
        free(copy);
        return NULL;
    }
    fstWriterSetVersion(context, "Roundcast csim");
    fstWriterSetTimescale(context, -9);
    fstWriterSetPackType(context, FST_WR_PT_LZ4);
    *fst = (struct fst){.context = context, .path = copy};
    return fst;
}

static void fst_scope(void *file, const char *name)
{
    struct fst *fst = file;
    fstWriterSetScope(fst->context, FST_ST_VCD_MODULE, name, NULL);
}

static void fst_end_scope(void *file)
{
    struct fst *fst = file;
    fstWriterSetUpscope(fst->context);
}

static void fst_variable(void *file, const char *name, unsigned width, uint32_t alias)
{
    struct fst *fst = file;
    char ranged[256];
    snprintf(ranged, sizeof ranged, width == 1 ? "%s" : "%s [%u:0]", name, width - 1);
    fstWriterCreateVar(fst->context, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, ranged, alias);
}

static void fst_time(void *file, uint64_t ns)
{
    struct fst *fst = file;
    if (!fst->timed || fst->now != ns)
        fstWriterEmitTimeChange(fst->context, ns);
    fst->now = ns;
    fst->timed = true;
}

static void fst_change(void *file, uint32_t variable, unsigned width, uint32_t value)
{
    struct fst *fst = file;
    fstWriterEmitValueChange32(fst->context, variable, width, value);
}

static void fst_active(void *file, bool active)
{
    struct fst *fst = file;
    fstWriterEmitDumpActive(fst->context, active);
}

/* The writer reports no errors; a file that could not be written completely is empty
 * (testbench/engine/fst_files.h) and cannot be opened for reading. */
static bool fst_close(void *file)
{
    struct fst *fst = file;
    fstWriterClose(fst->context);
    void *reader = fstReaderOpen(fst->path);
    if (reader != NULL)
        fstReaderClose(reader);
    free(fst->path);
    free(fst);
    return reader != NULL;
}

const struct trace_format trace_fst = {
    .suffix = ".fst",
    .open = fst_open,
    .scope = fst_scope,
    .end_scope = fst_end_scope,
    .variable = fst_variable,
    .time = fst_time,
    .change = fst_change,
    .active = fst_active,
    .close = fst_close,
};

#else

const struct trace_format trace_fst = {.suffix = ".fst"};

#endif
