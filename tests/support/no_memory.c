/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/no_memory.h"

#include <errno.h>
#include <execinfo.h>
#include <glob.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAMES 16

static atomic_uint_fast64_t calls;
static atomic_int_fast64_t live;
static uint64_t failing; /* the number of the call that fails */
static bool onwards;
static unsigned parsing; /* calls of a parser of jansson, from 1; 0: none is at work */
static uint64_t place[NO_MEMORY_CALLS];

/* Records the caller. */
static void note(uint64_t number)
{
    void *caller[FRAMES];
    int count = backtrace(caller, FRAMES);
    uint64_t sum = 1;
    for (int k = 0; k < count; k++)
        sum = (sum ^ (uintptr_t)caller[k]) * UINT64_C(0x9e3779b97f4a7c15);
    place[number - 1] = sum;
}

/* Returns whether this call fails. */
static bool fails(void)
{
    if (parsing > 0 && parsing++ > 1)
        return false;
    uint64_t number = atomic_fetch_add(&calls, 1) + 1;
    bool failed = failing > 0 && (number == failing || (onwards && number > failing));
    if (failing == 0 && number <= NO_MEMORY_CALLS)
        note(number);
    if (failed)
        errno = ENOMEM;
    return failed;
}

/* Counts a block that was allocated. */
static void *given(void *piece)
{
    atomic_fetch_add(&live, piece != NULL);
    return piece;
}

/* The names are the linker's. WRAPPED declares what was wrapped, and defines what is called. */
#define WRAPPED(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

WRAPPED(void *, malloc, size_t size)
{
    return fails() ? NULL : given(__real_malloc(size));
}

WRAPPED(void *, calloc, size_t count, size_t size)
{
    return fails() ? NULL : given(__real_calloc(count, size));
}

WRAPPED(void *, realloc, void *piece, size_t size)
{
    if (fails())
        return NULL;
    void *larger = __real_realloc(piece, size);
    return piece == NULL ? given(larger) : larger;
}

WRAPPED(void *, reallocarray, void *piece, size_t count, size_t size)
{
    if (fails())
        return NULL;
    void *larger = __real_reallocarray(piece, count, size);
    return piece == NULL ? given(larger) : larger;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t size)
{
    return fails() ? NULL : given(__real_aligned_alloc(alignment, size));
}

WRAPPED(void, free, void *piece)
{
    atomic_fetch_sub(&live, piece != NULL);
    __real_free(piece);
}

WRAPPED(char *, strdup, const char *text)
{
    return fails() ? NULL : given(__real_strdup(text));
}

WRAPPED(char *, strndup, const char *text, size_t most)
{
    return fails() ? NULL : given(__real_strndup(text, most));
}

WRAPPED(char *, realpath, const char *path, char *room)
{
    if (room != NULL)
        return __real_realpath(path, room);
    return fails() ? NULL : given(__real_realpath(path, room));
}

/* The function to which getline expands in the header of the C library. */
WRAPPED(ssize_t, __getdelim, char **line, size_t *room, int end, FILE *from)
{
    bool fresh = *line == NULL;
    ssize_t length = fails() ? -1 : __real___getdelim(line, room, end, from);
    given(fresh ? *line : NULL);
    return length;
}

WRAPPED(int, vasprintf, char **text, const char *format, va_list arguments)
{
    *text = NULL;
    int length = fails() ? -1 : __real_vasprintf(text, format, arguments);
    given(*text);
    return length;
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __wrap_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

WRAPPED(FILE *, fopen, const char *path, const char *mode)
{
    return fails() ? NULL : __real_fopen(path, mode);
}

WRAPPED(FILE *, fdopen, int descriptor, const char *mode)
{
    return fails() ? NULL : __real_fdopen(descriptor, mode);
}

WRAPPED(FILE *, fopencookie, void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return fails() ? NULL : __real_fopencookie(cookie, mode, functions);
}

/* Its caller frees the text. */
WRAPPED(FILE *, open_memstream, char **text, size_t *size)
{
    return fails() ? NULL : given(__real_open_memstream(text, size));
}

WRAPPED(int, glob, const char *pattern, int flags, int (*reported)(const char *path, int error),
        glob_t *found)
{
    return fails() ? GLOB_NOSPACE : __real_glob(pattern, flags, reported, found);
}

WRAPPED(json_t *, json_loadb, const char *text, size_t size, size_t flags, json_error_t *error)
{
    parsing = 1;
    json_t *root = __real_json_loadb(text, size, flags, error);
    parsing = 0;
    return root;
}

WRAPPED(json_t *, json_loadf, FILE *from, size_t flags, json_error_t *error)
{
    parsing = 1;
    json_t *root = __real_json_loadf(from, flags, error);
    parsing = 0;
    return root;
}

WRAPPED(json_t *, json_loads, const char *text, size_t flags, json_error_t *error)
{
    parsing = 1;
    json_t *root = __real_json_loads(text, flags, error);
    parsing = 0;
    return root;
}

void no_memory_prepare(void)
{
    json_set_alloc_funcs(__wrap_malloc, __wrap_free);
}

void no_memory_begin(uint64_t number, bool on)
{
    failing = number;
    onwards = on;
    atomic_store(&calls, 0);
    atomic_store(&live, 0);
}

uint64_t no_memory_end(int64_t *left)
{
    failing = 0;
    *left = atomic_load(&live);
    return atomic_load(&calls);
}

uint64_t no_memory_place(uint64_t number)
{
    return place[number - 1];
}
