/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks images: the transfers that the tables describe, entry by entry. */
#include "lib/inside.h"
#include "lib/roundcast/image.h"
#include "sched/base/files.h"
#include "sched/base/rational.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <stdlib.h>

/* -- The text of a machine's observations ------------------------------------------------------ */

/* Prints the rows of an image as lines of the schedule that the image runs. */

#define UNPACK_ROW_TEXT (RATIONAL_TEXT + 8)

/* Writes the name of a row, "round 3", or "time 5/2" in a run without barriers, and returns it. */
static const char *unpack_row_text(const struct unpacked *unpacked, uint32_t row,
                                   char text[UNPACK_ROW_TEXT])
{
    char number[RATIONAL_TEXT];
    if (machine_streams(&unpacked->machine, &unpacked->run))
        snprintf(text, UNPACK_ROW_TEXT, "time %s",
                 rational_text(row, machine_packet_rows(&unpacked->run), number));
    else
        snprintf(text, UNPACK_ROW_TEXT, "round %" PRIu32, row + 1);
    return text;
}

/* Unpacks a row and stores the circuits of the packets that begin in it, in the order of
 * unpack_circuits, into circuit[unpack_most_circuits]. Returns their number. O(ports · stages). */
static uint32_t unpack_row_circuits(struct unpacked *unpacked, uint32_t row,
                                    struct circuit circuit[])
{
    unpack_row(unpacked, row);
    const uint32_t count = unpack_circuits(unpacked, circuit);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!circuit[k].continues)
            circuit[kept++] = circuit[k];
    return kept;
}

/* Prints the row in the format of a schedule: its name and a line for each circuit. A packet that
 * reaches no port, and a receiver that expects another packet or none, are comments. */
static void unpack_print_row(FILE *to, const struct unpacked *unpacked, uint32_t row,
                             const struct circuit circuit[], uint32_t count)
{
    char text[UNPACK_ROW_TEXT];
    fprintf(to, "%s\n", unpack_row_text(unpacked, row, text));
    for (uint32_t k = 0; k < count; k++) {
        if (circuit[k].destination == MULTISTAGE_NOWHERE) {
            fprintf(to, "# node %" PRIu32 " sends packet %" PRIu32 " to no node\n",
                    circuit[k].source, circuit[k].sent);
            continue;
        }
        fprintf(to, "%" PRIu32 " %" PRIu32 " %" PRIu32, circuit[k].source, circuit[k].destination,
                circuit[k].sent);
        if (circuit[k].received == 0)
            fprintf(to, "  # the receiver expects nothing");
        else if (circuit[k].received != circuit[k].sent)
            fprintf(to, "  # the receiver takes it for packet %" PRIu32, circuit[k].received);
        putc('\n', to);
    }
}

static bool print_rows(FILE *to, struct unpacked *unpacked, struct err *err)
{
    struct circuit *circuit = malloc(unpack_most_circuits(unpacked) * sizeof *circuit);
    if (circuit == NULL)
        return err_no_memory(err, "a round");
    for (uint32_t row = 0; row < unpacked->run.rows; row++) {
        uint32_t count = unpack_row_circuits(unpacked, row, circuit);
        if (count > 0)
            unpack_print_row(to, unpacked, row, circuit, count);
    }
    free(circuit);
    return true;
}

/* Prints the whole schedule; `name` is the name of the file in messages. E104, E202. O(rows · ports
 * · stages). */
static bool unpack_print_schedule(FILE *to, const char *name, struct unpacked *unpacked,
                                  struct err *err)
{
    struct schedule head = {0};
    char end[RATIONAL_TEXT];
    bool printed = unpack_demands(unpacked, &head, err) &&
                   schedule_write_head(to, name, &head, err) && print_rows(to, unpacked, err);
    if (printed)
        fprintf(to, "end %s\n", rational_text(head.end, head.lambda.denominator, end));
    schedule_free(&head);
    return printed;
}

/* Visits every field of the unpacked row. Returns false if the visitor stops. */
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

/* Visits the packets that begin in the row. Returns false if the visitor stops. */
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

/* Visits the rows first … end - 1 until the visitor stops. */
static bool each_circuit(struct unpacked *unpacked, uint32_t first, uint32_t end,
                         bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                         void *with, struct err *err)
{
    struct circuit *circuit = malloc(unpack_most_circuits(unpacked) * sizeof *circuit);
    if (circuit == NULL)
        return err_no_memory(err, "a round");
    bool more = true;
    for (uint32_t row = first; more && row < end; row++)
        more = each_circuit_of_row(unpacked, row, circuit, visit, with);
    free(circuit);
    return true;
}

bool roundcast_each_circuit(const struct roundcast_image *image,
                            bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                            void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    bool whole = each_circuit(&unpacked, 0, unpacked.run.rows, visit, with, &err);
    unpack_free(&unpacked);
    return whole || inside_fail(&err, error);
}

static bool check_round(const struct unpacked *unpacked, uint32_t round, struct err *err)
{
    if (round > 0 && machine_streams(&unpacked->machine, &unpacked->run))
        return err_set(err, ERR_OPTION, "{round}: the image has times; expected no {round}");
    return round <= unpacked->run.rows ||
           err_out_of_range(err, "round", round, 1, unpacked->run.rows);
}

bool roundcast_round_circuits(const struct roundcast_image *image, uint32_t round,
                              bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                              void *with, struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    if (round == 0)
        err_out_of_range(&err, "round", round, 1, unpacked.run.rows);
    bool whole = round > 0 && check_round(&unpacked, round, &err) &&
                 each_circuit(&unpacked, round - 1, round, visit, with, &err);
    unpack_free(&unpacked);
    return whole || inside_fail(&err, error);
}

/* --- the schedule ---------------------------------------------------------------------------- */

static bool print_round(FILE *to, struct unpacked *unpacked, uint32_t round, struct err *err)
{
    struct circuit *circuit = malloc(unpack_most_circuits(unpacked) * sizeof *circuit);
    if (circuit == NULL)
        return err_no_memory(err, "a round");
    uint32_t count = unpack_row_circuits(unpacked, round - 1, circuit);
    unpack_print_row(to, unpacked, round - 1, circuit, count);
    free(circuit);
    return true;
}

static bool write_lines(struct unpacked *unpacked, uint32_t round, const char *path,
                        struct err *err)
{
    struct files_output output;
    if (!check_round(unpacked, round, err) || !files_open_output(path, &output, err))
        return false;
    bool printed = round > 0 ? print_round(output.file, unpacked, round, err)
                             : unpack_print_schedule(output.file, output.name, unpacked, err);
    if (printed)
        return files_commit(&output, err);
    files_discard(&output);
    return false;
}

bool roundcast_unpack_write(const struct roundcast_image *image, uint32_t round, const char *path,
                            struct roundcast_error *error)
{
    struct err err = {0};
    struct unpacked unpacked;
    if (!unpack_image(&image->bundle.image, &unpacked, &err))
        return inside_fail(&err, error);
    bool written = write_lines(&unpacked, round, path, &err);
    unpack_free(&unpacked);
    return written || inside_fail(&err, error);
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
