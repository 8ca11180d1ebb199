/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/seen.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ARGUMENTS 32
#define TEXT_ROOM 400

/* -- Files ------------------------------------------------------------------------------------- */

static uint64_t sum_bytes(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at++)
        sum = (sum ^ ((const unsigned char *)bytes)[at]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t sum_file(uint64_t sum, const char *path)
{
    char block[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        sum = sum_bytes(sum, block, got);
    fclose(file);
    return sum;
}

/* Receives notifications of changes in the folders that were scanned. */
static int watch;

void seen_prepare(void)
{
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

/* Over all files, in any order: over the bytes of those that a command made, over the sizes and
 * times of others. */
static uint64_t sum_folder(const char *path)
{
    uint64_t all = 1;
    DIR *names = opendir(path);
    assert_non_null(names);
    inotify_add_watch(watch, path, IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVE);
    for (struct dirent *entry; (entry = readdir(names)) != NULL;) {
        char name[1024];
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        uint64_t sum = sum_bytes(1, name, strlen(name));
        assert_int_equal(stat(name, &status), 0);
        if (S_ISDIR(status.st_mode))
            all += sum ^ sum_folder(name);
        else if (strncmp(name, "./made", 6) == 0)
            all += sum_file(sum, name);
        else
            all += sum_bytes(sum_bytes(sum, &status.st_mtim, sizeof status.st_mtim),
                             &status.st_size, sizeof status.st_size);
    }
    closedir(names);
    return all;
}

/* Most commands fail before they touch a file: then the sum is as it was. */
uint64_t seen_files(void)
{
    static uint64_t sum;
    char events[4096];
    bool changed = watch < 0 || sum == 0;
    while (read(watch, events, sizeof events) > 0)
        changed = true;
    if (changed)
        sum = sum_folder(".");
    return sum;
}

void seen_remove_made(void)
{
    static const char *const made[] = {"made",
                                       "made.sched",
                                       "made.dot",
                                       "made.svg",
                                       "made.html",
                                       "made.dat",
                                       "made.gp",
                                       "made.txt",
                                       "made/image.hex",
                                       "made/payload.bin",
                                       "made/schedule.sched",
                                       "made/image.writes",
                                       "made/image.c",
                                       "made/registers.mem",
                                       "made/send-0000.mem",
                                       "made/receive-0000.mem",
                                       "made/packets-0000.mem",
                                       "made/send-0001.mem",
                                       "made/receive-0001.mem",
                                       "made/packets-0001.mem",
                                       "made/table-0000-0000.mem"};
    for (size_t which = 0; which < sizeof made / sizeof *made; which++)
        unlink(made[which]);
    rmdir("made");
}

/* -- What is printed --------------------------------------------------------------------------- */

/* Standard output or error, captured in memory. */
struct caught {
    int number, kept, room;
};

static struct caught catch (int number)
{
    struct caught caught = {number, dup(number), memfd_create("caught", 0)};
    assert_true(caught.kept >= 0 && caught.room >= 0);
    assert_int_equal(dup2(caught.room, number), number);
    return caught;
}

/* Ends the capture. Returns the number of bytes written, and the bytes, null-terminated. */
static size_t release(struct caught *caught, char text[SEEN_ROOM])
{
    dup2(caught->kept, caught->number);
    close(caught->kept);
    ssize_t length = pread(caught->room, text, SEEN_ROOM, 0);
    close(caught->room);
    assert_in_range(length, 0, SEEN_ROOM - 1);
    text[length] = '\0';
    return (size_t)length;
}

/* Returns whether the line reports the cost of a run. */
static bool reports_cost(const char *line, size_t length)
{
    static const char *const word[] = {"engine  ", "seconds\": ", "\"megabytes\": ", " a second"};
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        if (memmem(line, length, word[k], strlen(word[k])) != NULL)
            return true;
    return false;
}

/* That is another number each time, of more digits or fewer: such numbers are left out. */
static void settle(char *output)
{
    char *to = output;
    for (const char *line = output; *line != '\0';) {
        size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        bool cost = reports_cost(line, length);
        for (size_t k = 0; k < length; k++)
            if (!cost || strchr("0123456789.e-", line[k]) == NULL)
                *to++ = line[k];
        line += length;
    }
    *to = '\0';
}

/* -- Commands ---------------------------------------------------------------------------------- */

static unsigned count_open(void)
{
    unsigned count = 0;
    for (int descriptor = 0; descriptor < 64; descriptor++)
        count += fcntl(descriptor, F_GETFD) != -1;
    return count;
}

static size_t split(char *line, char *argument[MAX_ARGUMENTS])
{
    size_t count = 0;
    argument[count++] = (char[]){"roundcast"};
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        assert_true(count < MAX_ARGUMENTS - 1);
        argument[count++] = word;
    }
    argument[count] = NULL;
    return count;
}

void seen_run(int (*program)(int, char **), const char *command, uint64_t number, bool on,
              struct seen *seen)
{
    char line[TEXT_ROOM], *argument[MAX_ARGUMENTS];
    snprintf(line, sizeof line, "%s", command);
    int count = (int)split(line, argument);
    seen_remove_made();
    unsigned open = count_open();
    fflush(stdout);
    struct caught output = catch (STDOUT_FILENO), error = catch (STDERR_FILENO);
    no_memory_begin(number, on);
    seen->status = program(count, argument);
    seen->calls = no_memory_end(&seen->left);
    fflush(stdout);
    release(&error, seen->error);
    seen->printed = release(&output, seen->output);
    settle(seen->output);
    seen->open = count_open() - open;
    seen->files = seen_files();
}
