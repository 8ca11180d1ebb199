/* SPDX-License-Identifier: Apache-2.0 */
/* replay: calls a target as libFuzzer does, without libFuzzer.
 *
 *     X [-option=value…] FILE-OR-FOLDER…     each file once, in the order of names
 *     X -seed=S -runs=N -max_len=L           N inputs of at most L bytes, drawn from the seed
 *
 * Other options of libFuzzer are ignored. Prints the number of inputs that were run, as libFuzzer
 * does.
 */
#include "sched/base/rng.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES 65536
#define PATH_ROOM 4096

static uint64_t executed;

static void execute(const uint8_t *data, size_t size)
{
    /* A separate copy, so that sanitizers detect a read after its last byte. */
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        fuzz_fail("no memory");
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    executed++;
}

static void replay_file(const char *path)
{
    static uint8_t bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fuzz_fail("%s: cannot be read", path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fprintf(stderr, "Running: %s\n", path);
    execute(bytes, size);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Runs a file by its absolute path, because a target may change its folder. */
static void replay(const char *given)
{
    char path[PATH_ROOM];
    if (realpath(given, path) == NULL)
        fuzz_fail("%s: cannot be read", given);
    struct dirent **entry;
    int count = scandir(path, &entry, is_visible, alphasort);
    if (count < 0)
        replay_file(path);
    for (int which = 0; which < count; which++) {
        char name[2 * PATH_ROOM];
        snprintf(name, sizeof name, "%s/%s", path, entry[which]->d_name);
        replay_file(name);
        free(entry[which]);
    }
    if (count >= 0)
        free(entry);
}

/* Draws each input from the seed and its number, so that each can be run on its own. */
static void draw(uint64_t seed, uint64_t runs, uint32_t most)
{
    static uint8_t bytes[MOST_BYTES];
    for (uint64_t run = 0; run < runs; run++) {
        struct rng rng = {seed ^ run << 32};
        size_t size = 1 + rng_below(&rng, most);
        for (size_t at = 0; at < size; at++)
            bytes[at] = (uint8_t)rng_next(&rng);
        execute(bytes, size);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = 0, runs = 0;
    uint32_t most = 64;
    for (int k = 1; k < argc; k++)
        if (sscanf(argv[k], "-seed=%" SCNu64, &seed) + sscanf(argv[k], "-runs=%" SCNu64, &runs) +
                    sscanf(argv[k], "-max_len=%" SCNu32, &most) <
                1 &&
            argv[k][0] != '-')
            replay(argv[k]);
    if (most > MOST_BYTES || most < 1)
        fuzz_fail("-max_len: expected 1 … %d", MOST_BYTES);
    draw(seed, runs, most);
    fprintf(stderr, "stat::number_of_executed_units: %" PRIu64 "\n", executed);
    return 0;
}
