#include "testbench/engine/engine.h"

#include "testbench/engine/dut_csim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_ROOM 4096
#define LIBRARY_ROOM (3 * PATH_ROOM)

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

/* The project's folder: $ROUNDCAST_ROOT, or the one above the program that has the makefiles of
 * engines. */
static bool find_root(char root[PATH_ROOM], struct err *err)
{
    const char *given = getenv("ROUNDCAST_ROOT");
    if (given != NULL && strlen(given) < PATH_ROOM) {
        strcpy(root, given);
        return true;
    }
    char probe[PATH_ROOM + 32];
    ssize_t length = readlink("/proc/self/exe", root, PATH_ROOM - 1);
    root[length < 0 ? 0 : length] = '\0';
    for (char *slash = strrchr(root, '/'); slash != NULL; slash = strrchr(root, '/')) {
        *slash = '\0';
        snprintf(probe, sizeof probe, "%s/testbench/engine.mk", root);
        if (access(probe, R_OK) == 0)
            return true;
    }
    return err_set(
        err, ERR_TOOL,
        "engine: no folder with testbench/engine.mk above this program; expected one there or in "
        "ROUNDCAST_ROOT");
}

/* Append a parameter that has a value for each level, "-name1_2_3", level 1 first. */
static size_t append_levels(const char *name, const uint32_t value[], unsigned height, char *text,
                            size_t room)
{
    size_t length = (size_t)snprintf(text, room, "-%s%" PRIu32, name, value[1]);
    for (unsigned level = 2; level <= height; level++)
        length += (size_t)snprintf(text + length, room - length, "_%" PRIu32, value[level]);
    return length;
}

/* Those of a Beneš network of 2×2 switches follow from its ports. */
static size_t multistage_words(const struct machine *machine, char *text, size_t room)
{
    const struct multistage *net = &machine->network;
    size_t length = (size_t)snprintf(text, room, "-ports%" PRIu32, net->ports);
    if (net->kind != 0)
        length += (size_t)snprintf(text + length, room - length, "-kind%d", (int)net->kind);
    if (multistage_has_crossbars(net))
        length += (size_t)snprintf(text + length, room - length,
                                   "-middle%" PRIu32 "-radix%" PRIu32 "-levels%u", net->middle,
                                   net->radix, net->levels);
    if (machine_has_order(machine))
        length += (size_t)snprintf(text + length, room - length, "-settings%d-tables%u",
                                   (int)machine->settings, 1u << machine_log2_table_rows(machine));
    if (machine_has_beats(machine))
        length += (size_t)snprintf(text + length, room - length, "-beats%u-computed%d",
                                   1u << machine->log2_period, machine->computed);
    return length + (size_t)snprintf(text + length, room - length, "-pipe%u", machine->pipe);
}

static size_t cube_words(const struct machine *machine, char *text, size_t room)
{
    return (size_t)snprintf(text, room, "-dimensions%u-depth%" PRIu32 "-reads%" PRIu32,
                            machine->topology.dimensions, machine->depth[1], machine->reads);
}

static size_t cube_auto_words(const struct machine *machine, char *text, size_t room)
{
    return (size_t)snprintf(text, room, "-dimensions%u-depth%" PRIu32 "-queue%" PRIu32,
                            machine->topology.dimensions, machine->depth[1], machine->queue[1]);
}

static size_t tree_words(const struct machine *machine, char *text, size_t room)
{
    const struct topology *tree = &machine->topology;
    size_t length = (size_t)snprintf(text, room, "-height%u", tree->height);
    length += append_levels("children", tree->children, tree->height, text + length, room - length);
    length += append_levels("capacity", tree->capacity, tree->height, text + length, room - length);
    length += append_levels("depth", machine->depth, tree->height, text + length, room - length);
    if (machine_is_self_timed(machine)) {
        length += (size_t)snprintf(text + length, room - length, "-auto1");
        length +=
            append_levels("queue", machine->queue, tree->height, text + length, room - length);
    }
    return length +
           (size_t)snprintf(text + length, room - length, "-reads%" PRIu32, machine->reads);
}

/* The parameters of the network of a machine of that kind. */
static size_t (*const words[MACHINE_KINDS])(const struct machine *machine, char *text,
                                            size_t room) = {[MACHINE_MULTISTAGE] = multistage_words,
                                                            [MACHINE_FAT_TREE] = tree_words,
                                                            [MACHINE_FAT_TREE_AUTO] = tree_words,
                                                            [MACHINE_CUBE] = cube_words,
                                                            [MACHINE_CUBE_AUTO] = cube_auto_words};

/* The library's path below the folder of engines; it names the machine and all of its
 * parameters. */
static void library_name(enum engine_kind kind, const struct machine *machine, bool traced,
                         char name[PATH_ROOM])
{
    char network[PATH_ROOM / 2];
    words[machine->kind](machine, network, sizeof network);
    snprintf(name, PATH_ROOM, "%s-rc_%s%s-pad%u-width%u-packets%u-flits%u-rows%u%s/dut.so",
             engine_name(kind), machine_row(machine)->top, network, machine->pad, machine->width,
             1u << machine->log2_packets, 1u << machine->log2_flits, 1u << machine->log2_rows,
             traced ? "-traced" : "");
}

/* Wait until no other program builds an engine; the lock goes with the descriptor. -1 if there is
 * no place for a lock, which is no reason not to build. */
static int lock_engines(const char *root)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/build", root);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/build/engine.lock", root);
    int lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    return lock;
}

/* Run `make TARGET` in the root, its output on standard error. */
static bool make_target(const char *root, const char *target, struct err *err)
{
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        /* What make reads from its surroundings: the flags, job server and sanitisers of a make
         * above us, which are not for this one, and makefiles and folders of sources that are not
         * ours. Tools that were chosen stay chosen. */
        static const char *const read_by_make[] = {
            "MAKEFLAGS",     "GNUMAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKE_RESTARTS",
            "MAKEOVERRIDES", "MAKEFILES",    "VPATH",  "GPATH",     "SANITIZE"};
        for (size_t which = 0; which < sizeof read_by_make / sizeof *read_by_make; which++)
            unsetenv(read_by_make[which]);
        execlp("make", "make", "--silent", "--no-print-directory", "-C", root, target,
               (char *)NULL);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return err_set(err, ERR_TOOL, "make %.200s: %s; expected to run it", target,
                       strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ERR_TOOL,
                       "make %.300s: failed; expected the engine to build (`make tools` installs "
                       "what it needs)",
                       target);
    return true;
}

/* Have the library built in the project's folder, unless it is there and newer than its sources. */
static bool build_library(const char *name, char path[LIBRARY_ROOM], struct err *err)
{
    char root[PATH_ROOM], target[PATH_ROOM + 32];
    if (!find_root(root, err))
        return false;
    snprintf(target, sizeof target, "build/engine/%s", name);
    snprintf(path, LIBRARY_ROOM, "%s/%s", root, target);
    int lock = lock_engines(root);
    bool made = make_target(root, target, err);
    if (lock >= 0)
        close(lock);
    return made;
}

/* The library: one that stands ready in $ROUNDCAST_ENGINES, or one that is built. */
static bool find_library(const char *name, char path[LIBRARY_ROOM], struct err *err)
{
    const char *ready = getenv("ROUNDCAST_ENGINES");
    if (ready == NULL || *ready == '\0')
        return build_library(name, path, err);
    snprintf(path, LIBRARY_ROOM, "%.*s/%s", PATH_ROOM, ready, name);
    return access(path, R_OK) == 0 ||
           err_set(err, ERR_TOOL,
                   "%.300s: not in ROUNDCAST_ENGINES; expected an engine that stands ready there",
                   name);
}

static bool open_library(enum engine_kind kind, const struct machine *machine, bool traced,
                         struct engine *engine, struct err *err)
{
    uint32_t most = machine_hops(machine) ? MACHINE_MAX_RTL_ENDPOINTS : MACHINE_MAX_RTL_PORTS;
    if (machine_ports(machine) > most)
        return err_set(err, ERR_NETWORK,
                       "--engine %s: %" PRIu32 " ports; expected at most %u (csim takes more)",
                       engine_name(kind), machine_ports(machine), most);
    char name[PATH_ROOM], path[LIBRARY_ROOM];
    library_name(kind, machine, traced, name);
    if (!find_library(name, path, err))
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

void engine_close(struct engine *engine)
{
    if (engine->self != NULL)
        engine->ops->destroy(engine->self);
    if (engine->library != NULL)
        dlclose(engine->library);
    *engine = (struct engine){0};
}
