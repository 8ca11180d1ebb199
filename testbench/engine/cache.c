/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/engine/cache.h"

#include "testbench/engine/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the default folder. Returns false if the environment names none. */
static bool home_place(char place[PATH_ROOM])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/') /* the XDG specification ignores relative paths */
        return path_print(place, NULL, "%s/roundcast", cache);
    return home != NULL && home[0] == '/' && path_print(place, NULL, "%s/.cache/roundcast", home);
}

static bool temporary_place(char place[PATH_ROOM], struct err *err)
{
    const char *folder = getenv("TMPDIR");
    return path_print(place, err, "%s/roundcast-%u",
                      folder != NULL && folder[0] == '/' ? folder : "/tmp", (unsigned)geteuid());
}

/* Returns whether only this user can write to the folder. This is required because its libraries
 * are executed. */
static bool is_own(const char *place)
{
    struct stat status;
    return lstat(place, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Finds the folders that exist, the default one first. Returns their number. */
static unsigned find_places(char place[2][PATH_ROOM])
{
    unsigned count = 0;
    if (home_place(place[count]) && access(place[count], R_OK) == 0)
        count++;
    if (temporary_place(place[count], NULL) && is_own(place[count]))
        count++;
    return count;
}

bool cache_folder(char place[PATH_ROOM], struct err *err)
{
    static bool reported;
    char usual[PATH_ROOM];
    bool named = home_place(usual);
    if (named && path_make_folder(usual) && access(usual, W_OK) == 0)
        return path_print(place, err, "%s", usual);
    int why = errno;
    if (!temporary_place(place, err))
        return false;
    if ((mkdir(place, 0700) != 0 && errno != EEXIST) || !is_own(place))
        return err_set(err, ERR_WRITE,
                       "%.200s: no place for engines; expected a folder of yours alone, or an "
                       "XDG_CACHE_HOME that can be written",
                       place);
    if (!reported)
        fprintf(stderr, "roundcast: %s: %s; engines are kept in %s\n", named ? usual : "HOME",
                named ? strerror(why) : "not set", place);
    reported = true;
    return true;
}

static const char *file_of(const char *name)
{
    return strcmp(name, SOURCE_RUNTIME) == 0 ? SOURCE_RUNTIME ".a" : CACHE_LIBRARY;
}

/* Computes FOLDER = PLACE/KEY of an engine or of the runtime. */
static bool find_folder(const char *place, const char *root, const char *name,
                        char folder[PATH_ROOM], struct err *err)
{
    char key[SOURCE_KEY_ROOM];
    return source_key(root, name, key, err) && path_print(folder, err, "%s/%s", place, key);
}

/* Compiles the engine FOLDER/NAME, and before it the runtime that engines share. */
static bool compile(const char *place, const char *root, const char *folder, const char *name,
                    struct err *err)
{
    char shared[PATH_ROOM], runtime[PATH_ROOM];
    return find_folder(place, root, SOURCE_RUNTIME, shared, err) &&
           path_print(runtime, err, "%s/" SOURCE_RUNTIME, shared) &&
           build_file(root, shared, SOURCE_RUNTIME, file_of(SOURCE_RUNTIME), NULL, err) &&
           build_file(root, folder, name, CACHE_LIBRARY, runtime, err);
}

bool cache_library(const char *name, char path[PATH_ROOM], struct err *err)
{
    char root[PATH_ROOM], place[2][PATH_ROOM], folder[PATH_ROOM];
    if (!source_root(root, err))
        return false;
    for (unsigned which = 0, count = find_places(place); which < count; which++) {
        if (!find_folder(place[which], root, name, folder, err) ||
            !path_print(path, err, "%s/%s/" CACHE_LIBRARY, folder, name))
            return false;
        if (access(path, R_OK) == 0)
            return true;
    }
    return source_has_tools(name, err) && cache_folder(place[0], err) &&
           find_folder(place[0], root, name, folder, err) &&
           path_print(path, err, "%s/%s/" CACHE_LIBRARY, folder, name) &&
           compile(place[0], root, folder, name, err);
}

static bool is_key(const char *name)
{
    return strlen(name) == SOURCE_KEY_ROOM - 1 &&
           strspn(name, "0123456789abcdef") == SOURCE_KEY_ROOM - 1;
}

/* Adds the engine in FOLDER/NAME, compiled under the current key or another one. */
static bool add_entry(struct cache_list *list, const char *folder, const char *name, bool current,
                      struct err *err)
{
    struct cache_entry *entry = realloc(list->entry, (list->count + 1) * sizeof *entry);
    if (entry == NULL)
        return err_no_memory(err, "the engines of the cache");
    list->entry = entry;
    char path[PATH_ROOM];
    struct stat status = {0};
    if (path_print(path, NULL, "%s/%s/%s", folder, name, file_of(name)))
        stat(path, &status);
    entry += list->count++;
    *entry = (struct cache_entry){
        .name = strdup(name), .bytes = (uint64_t)status.st_size, .current = current};
    if (entry->name == NULL || asprintf(&entry->folder, "%s/%s", folder, name) < 0) {
        entry->folder = NULL;
        return err_no_memory(err, "the engines of the cache");
    }
    return true;
}

/* Adds the engines of FOLDER = PLACE/KEY. */
static bool add_key(struct cache_list *list, const char *root, const char *folder, const char *key,
                    struct err *err)
{
    DIR *entries = opendir(folder);
    bool held = true;
    for (struct dirent *entry; held && entries != NULL && (entry = readdir(entries)) != NULL;) {
        char today[SOURCE_KEY_ROOM];
        if (entry->d_name[0] == '.')
            continue;
        held = source_key(root, entry->d_name, today, err) &&
               add_entry(list, folder, entry->d_name, strcmp(key, today) == 0, err);
    }
    if (entries != NULL)
        closedir(entries);
    return held;
}

static bool add_place(struct cache_list *list, const char *root, const char *place, struct err *err)
{
    char folder[PATH_ROOM];
    DIR *keys = opendir(place);
    bool held = true;
    for (struct dirent *key; held && keys != NULL && (key = readdir(keys)) != NULL;)
        if (is_key(key->d_name))
            held = path_print(folder, err, "%s/%s", place, key->d_name) &&
                   add_key(list, root, folder, key->d_name, err);
    if (keys != NULL)
        closedir(keys);
    return held;
}

static int by_name(const void *a, const void *b)
{
    const struct cache_entry *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : strcmp(first->folder, second->folder);
}

bool cache_list(struct cache_list *list, struct err *err)
{
    char root[PATH_ROOM], place[2][PATH_ROOM];
    *list = (struct cache_list){0};
    bool held = source_root(root, err);
    for (unsigned which = 0, count = find_places(place); held && which < count; which++)
        held = add_place(list, root, place[which], err);
    if (!held)
        cache_list_free(list);
    else if (list->count > 0)
        qsort(list->entry, list->count, sizeof *list->entry, by_name);
    return held;
}

void cache_list_free(struct cache_list *list)
{
    for (size_t which = 0; which < list->count; which++) {
        free(list->entry[which].name);
        free(list->entry[which].folder);
    }
    free(list->entry);
    *list = (struct cache_list){0};
}

bool cache_remove(const struct cache_entry *entry, struct err *err)
{
    char folder[PATH_ROOM];
    if (!path_print(folder, err, "%s", entry->folder))
        return false;
    *strrchr(folder, '/') = '\0';
    bool removed = build_remove(folder, entry->name, err);
    rmdir(folder); /* fails if the folder contains other engines */
    return removed;
}
