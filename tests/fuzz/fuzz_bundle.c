/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_bundle: a bundle whose files are damaged is rejected, or runs; if it runs, the RTL equals
 * csim in every cycle, whatever the verdict of the scoreboard.
 *
 * The bundle is a broadcast on benes:4, with settings selected by the first byte; each further five
 * bytes describe a damage. The RTL runs only if the machine is the one that its engine was compiled
 * for.
 */
#include "sched/base/compare.h"
#include "sched/base/files.h"
#include "sched/machine/machine_run.h"
#include "testbench/run/simulate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/machines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_ROOM 16384
#define MOST_LOG2_BITS 16 /* of a machine's memories */
#define MOST_CYCLES 4096

static const char *const names[] = {"schedule.sched", "image.hex", "payload.bin"};
enum { FILES = 3, BUNDLES = 3 };

struct text {
    size_t size;
    uint8_t byte[FILE_ROOM];
};

static char folder[] = "/tmp/fuzz-XXXXXX";

static void path_of(int file, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, names[file]);
}

static void remove_folder(void)
{
    char path[64];
    for (int file = 0; file < FILES; file++) {
        path_of(file, path);
        unlink(path);
    }
    rmdir(folder);
}

static void read_file(int file, struct text *text)
{
    char path[64];
    path_of(file, path);
    FILE *from = fopen(path, "rb");
    text->size = from ? fread(text->byte, 1, FILE_ROOM, from) : FILE_ROOM;
    if (text->size == FILE_ROOM)
        fuzz_fail("%s: no such file, or too long", path);
    fclose(from);
}

static void write_file(int file, const struct text *text)
{
    char path[64];
    path_of(file, path);
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(text->byte, 1, text->size, to) != text->size || fclose(to) != 0)
        fuzz_fail("%s: cannot be written", path);
}

/* Returns the undamaged files of the bundles. */
static const struct text *whole(unsigned which)
{
    static const enum machine_settings settings[BUNDLES] = {MACHINE_FULL, MACHINE_INDEXED,
                                                            MACHINE_TAGS};
    static struct text text[BUNDLES][FILES];
    static bool made;
    for (unsigned k = 0; !made && k < BUNDLES; k++) {
        struct bundle bundle;
        struct err err = {0};
        if (k == 0 && (mkdtemp(folder) == NULL || atexit(remove_folder) != 0))
            fuzz_fail("no folder");
        machines_bundle(settings[k], &bundle);
        fuzz_holds(bundle_write(folder, &bundle, &err), &err, "writing a bundle");
        bundle_free(&bundle);
        for (int file = 0; file < FILES; file++)
            read_file(file, &text[k][file]);
    }
    made = true;
    return text[which];
}

/* Applies a damage of five bytes: file and kind, position, value. */
static void damage(struct fuzz_bytes *bytes, struct text text[FILES])
{
    uint32_t what = fuzz_take(bytes, 256);
    struct text *t = &text[what % 8 < 2 ? 0 : what % 8 < 7 ? 1 : 2];
    size_t at = fuzz_take(bytes, FILE_ROOM) % (t->size + 1), rest = t->size - at;
    uint8_t byte = (uint8_t)fuzz_take(bytes, 256);
    size_t few = 1 + fuzz_take(bytes, 32), cut = MIN(few, rest);
    switch (what / 8 % 5) {
    case 0:
        t->byte[at] ^= (uint8_t)(rest > 0 ? 1u << byte % 8 : 0);
        break;
    case 1:
        if (rest > 0)
            t->byte[at] = isxdigit(t->byte[at]) ? (uint8_t) "0123456789abcdef"[byte % 16] : byte;
        break;
    case 2:
        memmove(t->byte + at, t->byte + at + cut, rest - cut);
        t->size -= cut;
        break;
    case 3:
        memmove(t->byte + at + 1, t->byte + at, rest);
        t->byte[at] = byte;
        t->size++;
        break;
    default:
        memmove(t->byte + at, t->byte + (size_t)byte * t->size / 256,
                cut < t->size - (size_t)byte * t->size / 256 ? cut : 0);
    }
    t->size -= t->size == FILE_ROOM;
}

static bool is_small(const struct bundle *bundle)
{
    const struct machine *machine = &bundle->image.machine;
    const struct run *run = &bundle->image.run;
    return machine_ports(machine) <= 16 &&
           machine->log2_packets + machine->log2_flits <= MOST_LOG2_BITS &&
           machine->log2_rows <= MOST_LOG2_BITS &&
           machine_row_begin(run, run->rows, run->rows) <= MOST_CYCLES;
}

static void run(struct bundle *bundle)
{
    const struct machine same = machines_make(0);
    bool both = memcmp(&same, &bundle->image.machine, sizeof same) == 0 && machines_have_rtl(&same);
    const struct simulate_options options = {.engine_count = both ? 2 : 1,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct simulate_report report;
    struct err err = {0};
    bool held =
        simulate(&bundle->image, &bundle->schedule, &bundle->payload, &options, &report, &err);
    if (!held)
        fuzz_refused(&err);
    if (err.code == ERR_DIVERGED || (FUZZ_FAULT && !held))
        fuzz_fail("%s", err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text text[FILES];
    struct fuzz_bytes bytes = {data, data + size};
    struct bundle bundle;
    struct err err = {0};
    memcpy(text, whole(fuzz_take(&bytes, BUNDLES)), sizeof text);
    while (fuzz_more(&bytes))
        damage(&bytes, text);
    for (int file = 0; file < FILES; file++)
        write_file(file, &text[file]);
    if (!bundle_read(folder, NULL, &bundle, &err)) {
        fuzz_refused(&err);
        return 0;
    }
    if (is_small(&bundle))
        run(&bundle);
    bundle_free(&bundle);
    return 0;
}
