/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_image: an image of a multistage machine that can be read is unpacked, row by row: circuits
 * are in order of their sources, between existing ports, and not more than fit.
 */
#include "sched/image/unpack.h"
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdlib.h>

/* Larger images take longer without testing more. */
#define MOST_PORTS 1024
#define MOST_ROWS 64

static void look(const struct unpacked *unpacked, const struct circuit circuit[], uint32_t count)
{
    const uint32_t ports = machine_ports(&unpacked->machine) / (FUZZ_FAULT ? 2 : 1);
    if (count > unpack_most_circuits(unpacked))
        fuzz_fail("%" PRIu32 " circuits", count);
    for (uint32_t k = 0; k < count; k++) {
        if (circuit[k].source >= ports || (k > 0 && circuit[k].source < circuit[k - 1].source))
            fuzz_fail("circuit %" PRIu32 " leaves port %" PRIu32, k, circuit[k].source);
        if (circuit[k].destination >= ports && circuit[k].destination != MULTISTAGE_NOWHERE)
            fuzz_fail("circuit %" PRIu32 " comes to port %" PRIu32, k, circuit[k].destination);
        if (circuit[k].sent == 0)
            fuzz_fail("circuit %" PRIu32 " without a packet", k);
    }
}

static void unpack(const struct image *image)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(image, &unpacked, &err)) {
        fuzz_refused(&err);
        return;
    }
    struct circuit *circuit = malloc(unpack_most_circuits(&unpacked) * sizeof *circuit);
    for (uint32_t row = 0; row < image->run.rows && row < MOST_ROWS; row++) {
        unpack_row(&unpacked, row);
        look(&unpacked, circuit, unpack_circuits(&unpacked, circuit));
    }
    free(circuit);
    unpack_free(&unpacked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct image image = {0};
    FILE *file = fuzz_open(data, size);
    bool read = image_read(file, "input", &image, &err);
    fclose(file);
    if (!read) {
        fuzz_refused(&err);
        return 0;
    }
    if (machine_ports(&image.machine) <= MOST_PORTS)
        unpack(&image);
    image_free(&image);
    return 0;
}
