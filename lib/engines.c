/* SPDX-License-Identifier: Apache-2.0 */
/* Engines of the public library: the kinds, and the cache of compiled engines. */
#include "lib/inside.h"
#include "lib/roundcast/engine.h"
#include "sched/base/files.h"
#include "sched/base/interrupt.h"
#include "testbench/engine/cache.h"
#include "testbench/engine/engine.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(ROUNDCAST_ENGINE_NAME == ENGINE_NAME_ROOM, "any name fits");
_Static_assert(ROUNDCAST_ENGINE_MAX_JOBS == INTERRUPT_CHILDREN, "the limit is public");

bool roundcast_engine_kind_at(unsigned index, struct roundcast_engine_kind *kind)
{
    if (index >= ENGINE_COUNT)
        return false;
    const enum engine_kind which = (enum engine_kind)index;
    *kind = (struct roundcast_engine_kind){engine_name(which), engine_description(which),
                                           which != ENGINE_CSIM};
    return true;
}

/* The options in the types of engine.h. */
struct asked {
    enum engine_kind kind;
    bool traced;
    uint32_t jobs;
};

static const enum engine_kind compiled[] = {ENGINE_RTL, ENGINE_NETLIST};

const char *roundcast_engine_compiled(unsigned index)
{
    return index < sizeof compiled / sizeof *compiled ? engine_name(compiled[index]) : NULL;
}

static bool read_kind(const char *name, enum engine_kind *kind, struct err *err)
{
    unsigned which;
    if (strcmp(name, engine_name(ENGINE_CSIM)) == 0)
        return err_set(err, ERR_OPTION,
                       "{engine}: '%.40s' is not compiled; expected rtl or netlist", name);
    if (!field_choose("engine", name, roundcast_engine_compiled, &which, err))
        return false;
    *kind = compiled[which];
    return true;
}

bool roundcast_engine_check(const char *name, struct roundcast_error *error)
{
    struct err err = {0};
    enum engine_kind kind;
    return read_kind(name, &kind, &err) || inside_fail(&err, error);
}

static bool read_options(const struct roundcast_engine_options *options, struct asked *asked,
                         struct err *err)
{
    *asked = (struct asked){ENGINE_RTL, options->traced, options->jobs > 0 ? options->jobs : 1};
    if (options->version != ROUNDCAST_ENGINE_VERSION)
        return err_set(err, ERR_RANGE, "version: %u; expected %d", options->version,
                       ROUNDCAST_ENGINE_VERSION);
    if (options->jobs > INTERRUPT_CHILDREN)
        return err_out_of_range(err, "jobs", options->jobs, 1, INTERRUPT_CHILDREN);
    return options->kind == NULL || read_kind(options->kind, &asked->kind, err);
}

/* Reads the machine of the image in the folder. */
static bool read_machine(const char *folder, struct machine *machine, struct err *err)
{
    char path[PATH_ROOM];
    struct image image;
    FILE *file = path_print(path, err, "%s/image.hex", folder) ? files_open_input(path, err) : NULL;
    if (file == NULL)
        return false;
    bool read = image_read(file, path, &image, err);
    files_close_input(file);
    if (!read)
        return false;
    *machine = image.machine;
    image_free(&image);
    return true;
}

bool roundcast_engine_name(const char *folder, const struct roundcast_engine_options *options,
                           char name[ROUNDCAST_ENGINE_NAME], struct roundcast_error *error)
{
    struct err err = {0};
    struct asked asked;
    struct machine machine;
    if (!read_options(options, &asked, &err) || !read_machine(folder, &machine, &err))
        return inside_fail(&err, error);
    engine_name_of(asked.kind, &machine, asked.traced, name);
    return true;
}

/* --- compiling ------------------------------------------------------------------------------ */

static void build_one(const struct asked *asked, const char *folder, struct err *err)
{
    struct machine machine;
    if (read_machine(folder, &machine, err))
        engine_build(asked->kind, &machine, asked->traced, err);
}

static bool wait_for_one(void)
{
    int status;
    return interrupt_wait(&status) > 0 && WIFEXITED(status);
}

/* Compiles engines in processes, asked->jobs at a time. Each process stores its error in
 * failed[]. */
static bool start_builds(const struct asked *asked, const char *const folder[], size_t count,
                         struct err failed[])
{
    uint32_t running = 0;
    bool held = true;
    interrupt_hold(); /* until all have ended */
    for (size_t which = 0; held && which < count; which++) {
        for (; running >= asked->jobs; running--)
            held = wait_for_one() && held;
        pid_t child = interrupt_fork();
        if (child == 0) {
            build_one(asked, folder[which], &failed[which]);
            _exit(0);
        }
        held = child > 0 && held;
        running += child > 0;
    }
    for (; running > 0; running--)
        held = wait_for_one() && held;
    interrupt_release();
    return held;
}

/* Sets err to the first of the errors, with the number of the others. */
static bool collect(const struct err failed[], size_t count, struct err *err)
{
    for (size_t which = 0; which < count; which++)
        if (failed[which].code != ERR_NONE && err->code == ERR_NONE)
            *err = failed[which];
        else if (failed[which].code != ERR_NONE)
            err->further++;
    return err->code == ERR_NONE;
}

static bool build(const struct asked *asked, const char *const folder[], size_t count,
                  struct err *err)
{
    char place[PATH_ROOM];
    const size_t bytes = count * sizeof(struct err);
    if (!cache_folder(place, err))
        return false;
    struct err *failed =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (failed == MAP_FAILED)
        return err_no_memory(err, "the engines");
    bool ran = start_builds(asked, folder, count, failed);
    bool built = collect(failed, count, err);
    munmap(failed, bytes);
    return built &&
           (ran || err_set(err, ERR_TOOL, "engines: a process that compiles one was ended"));
}

bool roundcast_engine_build(const char *const folder[], size_t count,
                            const struct roundcast_engine_options *options,
                            struct roundcast_error *error)
{
    struct err err = {0};
    struct asked asked;
    bool built =
        read_options(options, &asked, &err) && (count == 0 || build(&asked, folder, count, &err));
    return built || inside_fail(&err, error);
}

/* --- the cache ------------------------------------------------------------------------------ */

static const char *state_of(const struct cache_entry *entry)
{
    if (entry->bytes == 0)
        return "unfinished";
    return entry->current ? "ready" : "old";
}

bool roundcast_engine_each(bool (*visit)(void *with, const struct roundcast_engine *engine),
                           void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct cache_list list;
    if (!cache_list(&list, &err))
        return inside_fail(&err, error);
    bool more = true;
    for (size_t which = 0; more && which < list.count; which++) {
        const struct cache_entry *entry = &list.entry[which];
        const struct roundcast_engine engine = {entry->name, entry->folder, entry->bytes,
                                                state_of(entry)};
        more = visit(with, &engine);
    }
    cache_list_free(&list);
    return true;
}

static bool contains(const char *const name[], size_t count, const char *sought)
{
    bool found = false;
    for (size_t which = 0; which < count; which++)
        found = found || strcmp(name[which], sought) == 0;
    return found;
}

/* Checks the names, so that unknown names are rejected before anything is removed. */
static bool check_names(const char *const name[], size_t count, const struct cache_list *list,
                        struct err *err)
{
    for (size_t which = 0; which < count; which++) {
        bool found = false;
        for (size_t entry = 0; entry < list->count; entry++)
            found = found || strcmp(list->entry[entry].name, name[which]) == 0;
        if (!found)
            return err_set(err, ERR_OPTION,
                           "%.200s: no such engine; expected one of 'roundcast engines'",
                           name[which]);
    }
    return true;
}

bool roundcast_engine_remove(const char *const name[], size_t count, struct roundcast_error *error)
{
    struct err err = {0};
    struct cache_list list;
    if (!cache_list(&list, &err))
        return inside_fail(&err, error);
    bool removed = check_names(name, count, &list, &err);
    for (size_t which = 0; removed && which < list.count; which++)
        if (count == 0 || contains(name, count, list.entry[which].name))
            removed = cache_remove(&list.entry[which], &err);
    cache_list_free(&list);
    return removed || inside_fail(&err, error);
}
