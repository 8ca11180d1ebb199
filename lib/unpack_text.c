/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/unpack_text.h"

#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <stdlib.h>

const char *unpack_row_text(const struct unpacked *unpacked, uint32_t row,
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

uint32_t unpack_row_circuits(struct unpacked *unpacked, uint32_t row, struct circuit circuit[])
{
    unpack_row(unpacked, row);
    const uint32_t count = unpack_circuits(unpacked, circuit);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!circuit[k].continues)
            circuit[kept++] = circuit[k];
    return kept;
}

void unpack_print_row(FILE *to, const struct unpacked *unpacked, uint32_t row,
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

bool unpack_print_schedule(FILE *to, const char *name, struct unpacked *unpacked, struct err *err)
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
