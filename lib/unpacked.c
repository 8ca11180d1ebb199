/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks images: the transfers that the tables describe, entry by entry. */
#include "lib/inside.h"
#include "lib/tables.h"
#include "lib/unpack_text.h"

#include <stdlib.h>

/* Every field of the row that is unpacked; false when a visitor has seen enough. */
static bool each_of_row(const struct unpacked *unpacked, uint32_t row,
                        bool (*visit)(void *with, const struct roundcast_setting *setting),
                        void *with)
{
    const struct multistage *net = &unpacked->machine.network;
    const uint32_t *settings = unpacked->setting;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++) {
        const unsigned bits = multistage_field_bits(net, stage);
        for (uint32_t field = 0; field < multistage_fields(net, stage); field++) {
            const struct roundcast_setting setting = {row, stage, field,
                                                      multistage_field(settings, bits, field)};
            if (!visit(with, &setting))
                return false;
        }
        settings += multistage_row_words(net);
    }
    return true;
}

bool roundcast_each_setting(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_setting *setting),
                            void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    bool more = true;
    for (uint32_t row = 0; more && row < unpacked.run.rows; row++) {
        unpack_row(&unpacked, row);
        more = each_of_row(&unpacked, row, visit, with);
    }
    unpack_free(&unpacked);
    return true;
}

/* Visits the packets that begin in the row; returns false after the last that the visitor wants. */
static bool each_circuit_of_row(struct unpacked *unpacked, uint32_t row, struct circuit circuit[],
                                bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                                void *with)
{
    const uint32_t count = unpack_row_circuits(unpacked, row, circuit);
    bool more = true;
    for (uint32_t which = 0; more && which < count; which++) {
        const struct circuit *from = &circuit[which];
        const struct roundcast_circuit shown = {.row = row,
                                                .source = from->source,
                                                .destination = from->destination,
                                                .sent = from->sent,
                                                .received = from->received};
        more = visit(with, &shown);
    }
    return more;
}

bool roundcast_each_circuit(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                            void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    struct circuit *circuit = malloc(unpack_most_circuits(&unpacked) * sizeof *circuit);
    bool more = circuit != NULL;
    for (uint32_t row = 0; more && row < unpacked.run.rows; row++)
        more = each_circuit_of_row(&unpacked, row, circuit, visit, with);
    const bool whole = circuit != NULL || err_no_memory(&err, "a row");
    free(circuit);
    unpack_free(&unpacked);
    return whole || inside_fail(&err, error);
}

static bool unpack(const struct image *image, struct schedule *schedule, struct err *err)
{
    struct unpacked unpacked;
    char *text = NULL;
    size_t size;
    if (!unpack_image(image, &unpacked, err))
        return false;
    FILE *to = open_memstream(&text, &size);
    bool written = to != NULL ? unpack_print_schedule(to, "the image", &unpacked, err)
                              : err_no_memory(err, "the text of a schedule");
    if (to != NULL && fclose(to) != 0 && written)
        written = err_no_memory(err, "the text of a schedule");
    written = written && inside_read_text("the image", text, size, schedule, err);
    free(text);
    unpack_free(&unpacked);
    return written;
}

struct roundcast_schedule *roundcast_unpack(const struct roundcast_image *image,
                                            struct roundcast_error *error)
{
    struct err err = {0};
    struct schedule schedule = {0};
    struct roundcast_schedule *unpacked = unpack(&image->bundle.image, &schedule, &err)
                                              ? inside_wrap(&schedule, "the image", &err)
                                              : NULL;
    if (unpacked == NULL)
        inside_fail(&err, error);
    return unpacked;
}

bool roundcast_each_table(const struct roundcast_image *image,
                          bool (*visit)(void *with, const struct roundcast_table *table),
                          void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct table_row row[TABLE_ROWS];
    if (machine_hops(&image->bundle.image.machine)) {
        err_set(&err, ERR_UNSUPPORTED,
                "image: a machine of routers has no tables; expected a multistage network");
        return inside_fail(&err, error);
    }
    tables_measure(&image->bundle.image, image->bundle.schedule.nodes, row);
    bool more = true;
    for (unsigned which = 0; more && which < TABLE_ROWS; which++) {
        const struct roundcast_table table = {row[which].name, row[which].words, row[which].bits,
                                              row[which].used};
        if (row[which].full || row[which].used)
            more = visit(with, &table);
    }
    return true;
}
