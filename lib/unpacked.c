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

/* An image that is followed row by row, with the circuits of the last row. */
struct follower {
    struct unpacked *unpacked;
    struct unpack_held held;
    struct circuit *circuit; /* [unpack_most_circuits]; owned */
    bool *sends;             /* of each circuit: its memory has the packet; owned */
    uint32_t count;
};

static void follower_free(struct follower *follower)
{
    unpack_held_free(&follower->held);
    free(follower->circuit);
    free(follower->sends);
}

/* Unpacks a row and keeps the circuits of the packets that begin in it, in the order of
 * unpack_circuits. O(ports · stages). */
static void follow(struct follower *follower, uint32_t row)
{
    unpack_row(follower->unpacked, row);
    const uint32_t count = unpack_circuits(follower->unpacked, follower->circuit);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!follower->circuit[k].continues) {
            follower->sends[kept] = unpack_held_sends(&follower->held, &follower->circuit[k]);
            follower->circuit[kept++] = follower->circuit[k];
        }
    unpack_held_receive(&follower->held, follower->circuit, kept);
    follower->count = kept;
}

/* Follows the rows before `first`. E104. Free it with follower_free, also after an error. */
static bool follower_new(struct unpacked *unpacked, uint32_t first, struct follower *follower,
                         struct err *err)
{
    uint32_t most = unpack_most_circuits(unpacked);
    *follower = (struct follower){.unpacked = unpacked,
                                  .circuit = malloc(most * sizeof *follower->circuit),
                                  .sends = malloc(most * sizeof *follower->sends)};
    if (follower->circuit == NULL || follower->sends == NULL)
        return err_no_memory(err, "a round");
    if (!unpack_held_new(unpacked, &follower->held, err))
        return false;
    for (uint32_t row = 0; unpacked->machine.shared > 0 && row < first; row++)
        follow(follower, row);
    return true;
}

/* Prints the row in the format of a schedule: its name and a line for each circuit. A packet that
 * reaches no port, a packet that is not in the memory from which it is sent, and a receiver that
 * expects another packet or none, are comments. */
static void print_row(FILE *to, const struct follower *follower, uint32_t row)
{
    char text[UNPACK_ROW_TEXT];
    fprintf(to, "%s\n", unpack_row_text(follower->unpacked, row, text));
    for (uint32_t k = 0; k < follower->count; k++) {
        const struct circuit *circuit = &follower->circuit[k];
        if (circuit->destination == MULTISTAGE_NOWHERE) {
            fprintf(to, "# node %" PRIu32 " sends packet %" PRIu32 " to no node\n", circuit->source,
                    circuit->sent);
            continue;
        }
        fprintf(to, "%" PRIu32 " %" PRIu32 " %" PRIu32, circuit->source, circuit->destination,
                circuit->sent);
        if (!follower->sends[k])
            fprintf(to, "  # the memory of endpoint %" PRIu32 " does not hold it", circuit->memory);
        else if (circuit->received == 0)
            fprintf(to, "  # the receiver expects nothing");
        else if (circuit->received != circuit->sent)
            fprintf(to, "  # the receiver takes it for packet %" PRIu32, circuit->received);
        putc('\n', to);
    }
}

static bool print_rows(FILE *to, struct unpacked *unpacked, struct err *err)
{
    struct follower follower;
    bool made = follower_new(unpacked, 0, &follower, err);
    for (uint32_t row = 0; made && row < unpacked->run.rows; row++) {
        follow(&follower, row);
        if (follower.count > 0)
            print_row(to, &follower, row);
    }
    follower_free(&follower);
    return made;
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
static bool each_circuit_of_row(struct follower *follower, uint32_t row,
                                bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                                void *with)
{
    follow(follower, row);
    bool more = true;
    for (uint32_t which = 0; more && which < follower->count; which++) {
        const struct circuit *from = &follower->circuit[which];
        const struct roundcast_circuit shown = {.row = row,
                                                .source = from->source,
                                                .destination = from->destination,
                                                .sent = from->sent,
                                                .received = from->received,
                                                .held = follower->sends[which]};
        more = visit(with, &shown);
    }
    return more;
}

/* Visits the rows first … end - 1 until the visitor stops. */
static bool each_circuit(struct unpacked *unpacked, uint32_t first, uint32_t end,
                         bool (*visit)(void *with, const struct roundcast_circuit *circuit),
                         void *with, struct err *err)
{
    struct follower follower;
    bool made = follower_new(unpacked, first, &follower, err), more = made;
    for (uint32_t row = first; more && row < end; row++)
        more = each_circuit_of_row(&follower, row, visit, with);
    follower_free(&follower);
    return made;
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
    struct follower follower;
    bool made = follower_new(unpacked, round - 1, &follower, err);
    if (made) {
        follow(&follower, round - 1);
        print_row(to, &follower, round - 1);
    }
    follower_free(&follower);
    return made;
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
