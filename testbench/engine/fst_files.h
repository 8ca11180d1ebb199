/* SPDX-License-Identifier: Apache-2.0 */
/* fst_files: files for the FST writer that survive a full disk.
 *
 * The writer that ships with Verilator (gtkwave/fstapi.c) maps its temporary files, which kills the
 * program if a full disk truncated them, and does not check whether a write failed. This header is
 * included before its source (-include) and replaces its calls: a mapping becomes a copy in memory,
 * and a trace that was not written completely is empty when it is closed. Only the trace itself has
 * a file name.
 */
#ifndef ROUNDCAST_FST_FILES_H
#define ROUNDCAST_FST_FILES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __cplusplus
#include <cstdio> /* this header undefines the names defined below */
#include <cstdlib>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/* A closed file was not written completely. The writer closes the trace last. */
static __thread int fst_files_failed;

/* Opens a file. The hierarchy, NAME.hier, is a temporary file. */
static inline FILE *fst_files_open(const char *name, const char *mode)
{
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".hier") == 0 && strcmp(mode, "w+b") == 0)
        return tmpfile();
    fst_files_failed = 0;
    return fopen(name, mode);
}

static inline int fst_files_close(FILE *file)
{
    if (ferror(file) || fflush(file) != 0)
        fst_files_failed = 1;
    if (fst_files_failed && ftruncate(fileno(file), 0) != 0)
        clearerr(file);
    return fclose(file);
}

/* Copies the bytes that exist; the rest is 0. */
static inline void *fst_files_map(size_t length, int file, off_t offset)
{
    char *bytes = (char *)calloc(length, 1);
    size_t done = 0;
    for (ssize_t count = 1; bytes != NULL && done < length && count > 0; done += (size_t)count) {
        count = pread(file, bytes + done, length - done, offset + (off_t)done);
        if (count < 0)
            count = 0;
    }
    return bytes == NULL ? MAP_FAILED : bytes;
}

static inline int fst_files_unmap(void *bytes)
{
    free(bytes);
    return 0;
}

#define fopen(name, mode) fst_files_open(name, mode)
#define fclose(file) fst_files_close(file)
#define mmap(address, length, protection, flags, file, offset) fst_files_map(length, file, offset)
#define munmap(address, length) fst_files_unmap(address)

#endif
