/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/source.h"

#include "sched/base/compare.h"
#include "sched/base/files.h"

#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <glob.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All files from which an engine is compiled, those of the runtime first; install.mk installs the
 * same files. */
static const char *const sources[] = {
    "testbench/engine.mk", SOURCE_MAKEFILE,          "testbench/engine/fst_files.h",
    "rtl/*/rc_*.sv*",      "rtl/roundcast.vlt",      "synth/netlist.mk",
    "synth/netlist.sh",    "synth/parameters.awk",   "testbench/engine.mk",
    SOURCE_MAKEFILE,       "testbench/engine/dut.h", "testbench/engine/dut_verilated.cc"};

#define RUNTIME_SOURCES 3

struct tool {
    const char *variable; /* the variable of the environment and of make that selects another
                           * tool */
    const char *usual, *package;
    bool netlist; /* only netlists need it */
};

static const struct tool tools[] = {{"MAKE", "make", "make", false},
                                    {"CXX", "c++", "g++", false},
                                    {"VERILATOR", "verilator", "verilator", false},
                                    {"YOSYS", "yosys", "yosys", true}};
#define TOOL_COUNT (sizeof tools / sizeof *tools)

static bool has_makefile(const char *folder)
{
    char probe[PATH_ROOM];
    return path_print(probe, NULL, "%s/" SOURCE_MAKEFILE, folder) && access(probe, R_OK) == 0;
}

/* Finds the first folder above a path that has the sources; the path is shortened. */
static bool find_above(char path[PATH_ROOM], char root[PATH_ROOM])
{
    for (char *slash = strrchr(path, '/'); slash != NULL; slash = strrchr(path, '/')) {
        *slash = '\0';
        if ((path_print(root, NULL, "%s", path) && has_makefile(root)) ||
            (path_print(root, NULL, "%s/share/roundcast", path) && has_makefile(root)))
            return true;
    }
    return false;
}

/* Finds the file that this code was loaded from: the shared library, for a program of a caller. */
static bool find_library(char path[PATH_ROOM])
{
    static const char anchor;
    Dl_info info;
    return dladdr(&anchor, &info) != 0 && info.dli_fname != NULL &&
           realpath(info.dli_fname, path) != NULL;
}

bool source_root(char root[PATH_ROOM], struct err *err)
{
    const char *given = getenv("ROUNDCAST_ROOT");
    if (given != NULL && *given != '\0')
        return realpath(given, root) != NULL ||
               err_set(err, ERR_TOOL, "ROUNDCAST_ROOT: %.200s is not there; expected a folder",
                       given);
    char program[PATH_ROOM], library[PATH_ROOM];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[MAX(length, 0)] = '\0';
    if (find_above(program, root) || (find_library(library) && find_above(library, root)))
        return true;
    return err_set(
        err, ERR_TOOL,
        "engine: no sources of the RTL above this program or library; expected " SOURCE_MAKEFILE
        " there, in a share/roundcast, or in ROUNDCAST_ROOT");
}

/* Adds bytes to a 64-bit FNV-1a hash. */
static void mix(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t which = 0; which < count; which++)
        *hash = (*hash ^ byte[which]) * UINT64_C(0x100000001b3);
}

static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text, strlen(text) + 1);
}

static bool mix_file(uint64_t *hash, const char *path, struct err *err)
{
    char bytes[1 << 14];
    FILE *file = files_open_input(path, err);
    if (file == NULL)
        return false;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        mix(hash, bytes, count);
    fclose(file);
    return true;
}

/* Writes a glob pattern below the root, with the special characters of the root escaped. */
static bool pattern_below(const char *root, const char *pattern, char path[PATH_ROOM],
                          struct err *err)
{
    char escaped[PATH_ROOM];
    size_t length = 0;
    for (const char *byte = root; *byte != '\0' && length < sizeof escaped - 2; byte++) {
        if (strchr("\\*?[", *byte) != NULL)
            escaped[length++] = '\\';
        escaped[length++] = *byte;
    }
    escaped[length] = '\0';
    return path_print(path, err, "%s/%s", escaped, pattern);
}

static bool mix_sources(uint64_t *hash, const char *root, const char *name, struct err *err)
{
    bool all = strcmp(name, SOURCE_RUNTIME) != 0;
    size_t count = all ? sizeof sources / sizeof *sources : RUNTIME_SOURCES;
    char pattern[PATH_ROOM];
    glob_t found = {0};
    bool held = true;
    for (size_t which = 0; held && which < count; which++) {
        if (!pattern_below(root, sources[which], pattern, err))
            return false;
        int status = glob(pattern, 0, NULL, &found);
        for (size_t file = 0; held && status == 0 && file < found.gl_pathc; file++) {
            mix_text(hash, found.gl_pathv[file] + strlen(root));
            held = mix_file(hash, found.gl_pathv[file], err);
        }
        globfree(&found);
        if (status == GLOB_NOSPACE)
            return err_no_memory(err, "the sources of an engine");
    }
    return held;
}

/* Finds the file that a tool's command executes, following links. Returns false if there is
 * none. */
static bool find_tool(const struct tool *tool, char path[PATH_ROOM])
{
    const char *named = getenv(tool->variable), *folders = getenv("PATH");
    const char *command = named != NULL && *named != '\0' ? named : tool->usual;
    int length = (int)strcspn(command, " ");
    char candidate[PATH_ROOM];
    if (memchr(command, '/', (size_t)length) != NULL)
        return path_print(candidate, NULL, "%.*s", length, command) &&
               realpath(candidate, path) != NULL && access(path, X_OK) == 0;
    while (folders != NULL && *folders != '\0') {
        int folder = (int)strcspn(folders, ":");
        if (path_print(candidate, NULL, "%.*s/%.*s", folder, folders, length, command) &&
            realpath(candidate, path) != NULL && access(path, X_OK) == 0)
            return true;
        folders += folder + (folders[folder] == ':');
    }
    return false;
}

static bool needs(const struct tool *tool, const char *name)
{
    return !tool->netlist || strncmp(name, "netlist-", 8) == 0;
}

static void mix_tools(uint64_t *hash, const char *name)
{
    char path[PATH_ROOM];
    struct stat status;
    for (const struct tool *tool = tools; tool < tools + TOOL_COUNT; tool++) {
        if (!needs(tool, name) || !find_tool(tool, path) || stat(path, &status) != 0)
            continue;
        mix_text(hash, path);
        mix(hash, &status.st_size, sizeof status.st_size);
        mix(hash, &status.st_mtim, sizeof status.st_mtim);
    }
}

/* Adds the features of the host CPU, for which engines are compiled, to the hash. */
static bool mix_processor(uint64_t *hash, struct err *err)
{
    char line[1 << 13];
    FILE *file = files_open_input("/proc/cpuinfo", err);
    if (file == NULL)
        return false;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0) {
            mix_text(hash, line);
            break;
        }
    fclose(file);
    return true;
}

bool source_key(const char *root, const char *name, char key[SOURCE_KEY_ROOM], struct err *err)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (!mix_sources(&hash, root, name, err))
        return false;
    mix_tools(&hash, name);
    if (!mix_processor(&hash, err))
        return false;
    snprintf(key, SOURCE_KEY_ROOM, "%016" PRIx64, hash);
    return true;
}

bool source_has_tools(const char *name, struct err *err)
{
    char path[PATH_ROOM];
    for (const struct tool *tool = tools; tool < tools + TOOL_COUNT; tool++)
        if (needs(tool, name) && !find_tool(tool, path))
            return err_set(err, ERR_TOOL,
                           "engine %.*s: %s is not on PATH; expected it, of the package %s "
                           "('apt-get install %s' on Debian; the engine csim needs none)",
                           (int)strcspn(name, "-"), name, tool->usual, tool->package,
                           tool->package);
    return true;
}

void source_name_tools(void)
{
    for (const struct tool *tool = tools; tool < tools + TOOL_COUNT; tool++)
        setenv(tool->variable, tool->usual, 0);
}

/* -- Paths ------------------------------------------------------------------------------------- */

#define MAX_OPEN_FOLDERS 16

bool path_print(char path[PATH_ROOM], struct err *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, PATH_ROOM, format, arguments);
    va_end(arguments);
    if ((size_t)length < PATH_ROOM) /* a negative length becomes a larger number */
        return true;
    err_set(err, ERR_WRITE, "%.200s…: a path of %d bytes; expected less than %d", path, length,
            PATH_ROOM);
    path[0] = '\0';
    return false;
}

/* Creates one folder, unless it exists. Returns false with errno. */
static bool make_one(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    int why = errno;
    bool there = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    errno = why == EEXIST ? ENOTDIR : why;
    return there;
}

bool path_make_folder(const char *path)
{
    char part[PATH_ROOM];
    if (!path_print(part, NULL, "%s", path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = strchr(part + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one(part))
            return false;
        *slash = '/';
    }
    return make_one(path);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    remove(path);
    return 0;
}

bool path_remove(const char *path)
{
    nftw(path, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    return access(path, F_OK) != 0;
}
