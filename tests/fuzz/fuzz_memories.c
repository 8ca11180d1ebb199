/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_memories: an image with a file for each memory, one of which has other contents: the first
 * byte selects it, the others are its text. If the image can be read, it is unpacked or rejected,
 * and is written with the same digits.
 */
#include "sched/image/image_rams.h"
#include "sched/image/unpack.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/machines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FILES 64
#define REGISTERS "registers.mem"

static char folder[] = "/tmp/fuzz-XXXXXX";

/* The unchanged memory files of the first machine. */
static struct file {
    char name[IMAGE_RAM_NAME];
    char *text;
    size_t size;
} file[MOST_FILES];
static uint32_t files;

static void path_of(const char *name, char path[80])
{
    snprintf(path, 80, "%s/%.31s", folder, name);
}

static void put(const char *name, const void *bytes, size_t size)
{
    char path[80];
    path_of(name, path);
    FILE *to = fopen(path, "wb");
    if (to == NULL || fwrite(bytes, 1, size, to) != size || fclose(to) != 0)
        fuzz_fail("%s: cannot be written", path);
}

static void remove_folder(void)
{
    char path[80];
    for (uint32_t which = 0; which < files; which++) {
        path_of(file[which].name, path);
        unlink(path);
        free(file[which].text);
    }
    rmdir(folder);
}

/* Returns the text of a memory of the image. */
static char *text_of(const struct image *image, const struct image_rams *rams,
                     const struct image_ram *ram, size_t *size)
{
    char *text;
    struct err err = {0};
    FILE *to = open_memstream(&text, size);
    fuzz_holds(ram == NULL ? image_write(to, REGISTERS, image, IMAGE_MEM, &err)
                           : image_ram_write(to, ram->name, rams, ram, &err),
               &err, "writing a memory");
    fclose(to);
    return text;
}

static void make_files(void)
{
    struct bundle bundle;
    struct err err = {0};
    machines_bundle(MACHINE_FULL, &bundle);
    struct image_rams *rams = image_rams_new(&bundle.image, &err);
    if (rams == NULL || mkdtemp(folder) == NULL || atexit(remove_folder) != 0)
        fuzz_fail("no folder");
    const uint32_t count = image_rams_count(&bundle.image.machine);
    for (; files <= count && files < MOST_FILES; files++) {
        struct image_ram ram = {.name = REGISTERS};
        if (files > 0)
            image_ram(&bundle.image.machine, files - 1, &ram);
        memcpy(file[files].name, ram.name, sizeof ram.name);
        file[files].text = text_of(&bundle.image, rams, files > 0 ? &ram : NULL, &file[files].size);
        put(ram.name, file[files].text, file[files].size);
    }
    free(rams);
    bundle_free(&bundle);
}

/* Checks that the memories are written as they were read, ignoring the case of digits. */
static void check_again(const struct image *image, const struct file *other)
{
    struct err err = {0};
    struct image_rams *rams = image_rams_new(image, &err);
    fuzz_holds(rams != NULL, &err, "the words by their addresses");
    for (uint32_t which = 0; which < image_rams_count(&image->machine); which++) {
        struct image_ram ram;
        size_t size;
        image_ram(&image->machine, which, &ram);
        char *text = text_of(image, rams, &ram, &size);
        if (strcmp(ram.name, other->name) == 0 &&
            (size != other->size || strncasecmp(text, other->text, size) != 0 || FUZZ_FAULT))
            fuzz_fail("%s: other digits", ram.name);
        free(text);
    }
    free(rams);
}

static void unpack(const struct image *image)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (unpack_image(image, &unpacked, &err)) {
        for (uint32_t row = 0; row < image->run.rows; row++)
            unpack_row(&unpacked, row);
        unpack_free(&unpacked);
    } else
        fuzz_refused(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (files == 0)
        make_files();
    if (size == 0)
        return 0;
    const struct file *whole = &file[data[0] % files];
    struct file other = {.text = (char *)(uintptr_t)(data + 1), .size = size - 1};
    memcpy(other.name, whole->name, sizeof other.name);
    put(other.name, other.text, other.size);

    char path[80];
    struct image image = {0};
    struct err err = {0};
    path_of(REGISTERS, path);
    FILE *from = fopen(path, "rb");
    if (from == NULL)
        fuzz_fail("%s: cannot be read", path);
    if (image_read(from, path, &image, &err)) {
        check_again(&image, &other);
        unpack(&image);
    } else
        fuzz_refused(&err);
    fclose(from);
    image_free(&image);
    put(whole->name, whole->text, whole->size);
    return 0;
}
