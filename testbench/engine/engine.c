/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/engine.h"

#include "testbench/engine/cache.h"
#include "testbench/engine/dut_csim.h"
#include "testbench/engine/engine_name.h"
#include "testbench/engine/path.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

const char *engine_name(enum engine_kind kind)
{
    static const char *const names[] = {
#define ENGINE_NAME(name, text, what) text,
        ENGINE_TABLE(ENGINE_NAME)
#undef ENGINE_NAME
    };
    return names[kind];
}

const char *engine_description(enum engine_kind kind)
{
    static const char *const descriptions[] = {
#define ENGINE_DESCRIPTION(name, text, what) what,
        ENGINE_TABLE(ENGINE_DESCRIPTION)
#undef ENGINE_DESCRIPTION
    };
    return descriptions[kind];
}

/* Find the library: one that stands ready in $ROUNDCAST_ENGINES, or one of the cache. */
static bool find_library(const char *name, char path[PATH_ROOM], struct err *err)
{
    const char *ready = getenv("ROUNDCAST_ENGINES");
    if (ready == NULL || *ready == '\0')
        return cache_library(name, path, err);
    if (!path_print(path, err, "%s/%s/" CACHE_LIBRARY, ready, name))
        return false;
    return access(path, R_OK) == 0 ||
           err_set(err, ERR_TOOL,
                   "%.300s: not in ROUNDCAST_ENGINES; expected an engine that stands ready there",
                   name);
}

/* The engine's library, and its name for messages. */
static bool find_engine(enum engine_kind kind, const struct machine *machine, bool traced,
                        char name[ENGINE_NAME_ROOM], char path[PATH_ROOM], struct err *err)
{
    uint32_t most = machine_hops(machine) ? MACHINE_MAX_RTL_ENDPOINTS : MACHINE_MAX_RTL_PORTS;
    if (machine_ports(machine) > most)
        return err_set(err, ERR_NETWORK,
                       "--engine %s: %" PRIu32 " ports; expected at most %u (csim takes more)",
                       engine_name(kind), machine_ports(machine), most);
    engine_name_of(kind, machine, traced, name);
    return find_library(name, path, err);
}

static bool open_library(enum engine_kind kind, const struct machine *machine, bool traced,
                         struct engine *engine, struct err *err)
{
    char name[ENGINE_NAME_ROOM], path[PATH_ROOM];
    if (!find_engine(kind, machine, traced, name, path, err))
        return false;
    engine->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct dut_library *entry = engine->library ? dlsym(engine->library, "dut_entry") : NULL;
    if (entry == NULL) {
        err_set(err, ERR_TOOL, "%.300s: %.100s; expected an engine", name, dlerror());
        engine_close(engine);
        return false;
    }
    engine->ops = &entry->ops;
    engine->self = entry->create();
    if (engine->self != NULL)
        return true;
    engine_close(engine);
    return err_set(err, ERR_TOO_BIG, "engine %s: no memory; expected a smaller machine",
                   engine_name(kind));
}

bool engine_open(enum engine_kind kind, const struct machine *machine, bool traced,
                 struct engine *engine, struct err *err)
{
    *engine = (struct engine){.kind = kind};
    if (kind != ENGINE_CSIM)
        return open_library(kind, machine, traced, engine, err);
    engine->self = dut_csim_create(machine, err);
    engine->ops = &dut_csim_ops;
    return engine->self != NULL;
}

bool engine_build(enum engine_kind kind, const struct machine *machine, bool traced,
                  struct err *err)
{
    char name[ENGINE_NAME_ROOM], path[PATH_ROOM];
    return find_engine(kind, machine, traced, name, path, err);
}

void engine_close(struct engine *engine)
{
    if (engine->self != NULL)
        engine->ops->destroy(engine->self);
    if (engine->library != NULL)
        dlclose(engine->library);
    *engine = (struct engine){0};
}
