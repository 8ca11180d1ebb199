/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/layout.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_PACKETS (UINT32_C(1) << 16) /* packets with a name */
#define MAX_WORDS (UINT32_C(1) << 16)   /* words of the payload that are recognised */
#define MAX_FLITS (UINT32_C(1) << 16)   /* flits that are shown as idle while nothing is sent */
#define IDLE "?black?"

const char *filters_suffix(enum filters_kind kind)
{
    static const char *const suffixes[] = {
#define FILTERS_SUFFIX(kind, suffix) suffix,
        FILTERS_TABLE(FILTERS_SUFFIX)
#undef FILTERS_SUFFIX
    };
    return suffixes[kind];
}

/* Returns the colour of a packet. Colours of consecutive packets differ clearly, and white letters
 * are legible on all of them. */
static const char *packet_colour(uint32_t packet)
{
    static const char *const colours[] = {"DodgerBlue3", "firebrick3", "ForestGreen", "purple3",
                                          "DarkOrange3", "turquoise4", "DeepPink4",   "goldenrod4"};
    return colours[(packet - 1) % (sizeof colours / sizeof *colours)];
}

static void value(FILE *to, unsigned width, uint64_t bits)
{
    fprintf(to, "%0*" PRIX64 " ", (int)(width + 3) / 4, bits);
}

/* Writes {enabled, valid, slot}: packet p is in slot p-1. */
static void write_packets(const struct save *save, FILE *to)
{
    unsigned slot_bits = save->machine->log2_packets, width = 2 + slot_bits;
    const struct payload *payload = save->payload;
    uint32_t packets = payload->node_packets > 0 ? payload->node_packets : payload->packets;
    for (uint32_t packet = 1; packet <= MIN(packets, MAX_PACKETS); packet++)
        for (uint64_t both = 0; both < 4; both++) {
            value(to, width, both << slot_bits | (packet - 1));
            if (both == 3)
                fprintf(to, "?%s?pkt%" PRIu32 "\n", packet_colour(packet), packet);
            else
                fprintf(to, IDLE "\n");
        }
}

/* Writes {active, row}. The wavefront still shows the row before the window, and the sequencer
 * counts one row more than the run has. */
static void write_rows(const struct save *save, FILE *to)
{
    unsigned row_bits = save->machine->log2_rows, width = 1 + row_bits;
    uint64_t rows = save->run->rows, mask = (UINT64_C(1) << row_bits) - 1;
    char text[SAVE_ROW_TEXT];
    value(to, width, 0);
    fprintf(to, IDLE "\n");
    for (uint64_t row = save->first_row > 0 ? save->first_row - 1 : 0; row <= save->end_row;
         row++) {
        uint64_t shown = row & mask;
        if (row == rows && shown == 0)
            break; /* all rows are in use: the counter has returned to the first */
        value(to, width, (UINT64_C(1) << row_bits) | shown);
        fprintf(to, "%s\n", row == rows ? "end" : save_row_text(save, row, text));
        if (shown == 0)
            continue;
        value(to, width, shown);
        fprintf(to, IDLE "\n");
    }
}

/* Writes {enabled, flit}. The counter continues after the last flit. */
static void write_flits(const struct save *save, FILE *to)
{
    unsigned flit_bits = save->machine->log2_flits, width = 1 + flit_bits;
    for (uint32_t flit = 0; flit < UINT32_C(1) << flit_bits && flit < MAX_FLITS; flit++) {
        value(to, width, flit);
        fprintf(to, IDLE "\n");
        value(to, width, UINT64_C(1) << flit_bits | flit);
        fprintf(to, "%" PRIu32 "\n", flit);
    }
}

static void write_flags(FILE *to)
{
    for (unsigned flags = 0; flags < 8; flags++) {
        value(to, 3, flags);
        if (flags == 0)
            fprintf(to, IDLE);
        else
            fprintf(to, "?red3?%s%s%s%s%s", flags & MACHINE_MISSING ? "MISSING" : "",
                    flags & MACHINE_MISSING && flags & MACHINE_UNEXPECTED ? ", " : "",
                    flags & MACHINE_UNEXPECTED ? "UNEXPECTED" : "",
                    flags & MACHINE_NOT_HELD && flags != MACHINE_NOT_HELD ? ", " : "",
                    flags & MACHINE_NOT_HELD ? "NOT HELD" : "");
        fputc('\n', to);
    }
}

/* A flit of the payload. */
struct word {
    const uint32_t *bits; /* bits[count_bits]: bits 32k … 32k + 31 of the flit */
    uint32_t count_bits, packet, flit;
};

static int compare_bits(const struct word *a, const struct word *b)
{
    for (uint32_t k = a->count_bits; k-- > 0;)
        if (a->bits[k] != b->bits[k])
            return COMPARE(a->bits[k], b->bits[k]);
    return 0;
}

static int by_word(const void *left, const void *right)
{
    return compare_bits(left, right);
}

static bool is_zero(const struct word *word)
{
    for (uint32_t k = 0; k < word->count_bits; k++)
        if (word->bits[k] != 0)
            return false;
    return true;
}

/* Writes {valid, word}. */
static void lane_value(FILE *to, unsigned width, bool valid, const struct word *word)
{
    for (unsigned digit = width / 4 + 1; digit-- > 0;) {
        unsigned low = 4 * digit;
        uint32_t four = low < 32 * word->count_bits ? word->bits[low / 32] >> low % 32 & 15 : 0;
        if (valid && width / 4 == digit)
            four |= UINT32_C(1) << width % 4;
        fprintf(to, "%" PRIX32, four);
    }
    fputc(' ', to);
}

/* Writes an entry for the equal words from `first` on: the packet that a lane with this word
 * carries, unless several packets contain the word. An output lane of a router may show the word of
 * a packet while it carries none. */
static size_t write_equal_words(const struct save *save, const struct word *word, size_t first,
                                size_t count, FILE *to)
{
    bool one_packet = true;
    size_t next = first + 1;
    for (; next < count && compare_bits(&word[next], &word[first]) == 0; next++)
        one_packet = one_packet && word[next].packet == word[first].packet;
    unsigned width = save->machine->width;
    if (machine_hops(save->machine) && !is_zero(&word[first])) {
        lane_value(to, width, false, &word[first]);
        fprintf(to, IDLE "\n");
    }
    if (!one_packet)
        return next;
    lane_value(to, width, true, &word[first]);
    fprintf(to, "?%s?%" PRIu32, packet_colour(word[first].packet), word[first].packet);
    if (next == first + 1 && save->run->flits > 1)
        fprintf(to, ".%" PRIu32, word[first].flit);
    fputc('\n', to);
    return next;
}

/* Reads the flits of the payload that are the same at all nodes into word[packets · flits], and
 * their bits into `bits`. Returns their number. */
static size_t read_words(const struct payload *payload, uint32_t count_bits, uint32_t *bits,
                         struct word *word)
{
    size_t count = 0;
    for (uint32_t packet = 1; packet <= payload->packets; packet++)
        for (uint32_t flit = 0; flit < payload->flits; flit++) {
            if (payload_is_of_node(payload, flit))
                continue;
            for (uint32_t k = 0; k < count_bits; k++)
                bits[k] = payload_bits(payload, packet, (struct payload_part){flit, k});
            word[count++] =
                (struct word){bits, count_bits, payload_schedule_packet(payload, packet), flit};
            bits += count_bits;
        }
    return count;
}

/* Writes {valid, word}. A lane carries no packet number, but most words of a small payload occur in
 * only one packet. */
static bool write_words(const struct save *save, FILE *to, struct err *err)
{
    const struct payload *payload = save->payload;
    const uint32_t count_bits = (uint32_t)bits_divide_up(save->machine->width, 32);
    const uint64_t most = (uint64_t)payload->packets * payload->flits;
    lane_value(to, save->machine->width, false, &(struct word){0});
    fprintf(to, IDLE "\n");
    if (most > MAX_WORDS)
        return true;
    uint32_t *bits = malloc((size_t)most * count_bits * sizeof *bits + 1);
    struct word *word = malloc((size_t)most * sizeof *word + 1);
    bool written = bits != NULL && word != NULL;
    if (written) {
        size_t count = read_words(payload, count_bits, bits, word);
        qsort(word, count, sizeof *word, by_word);
        for (size_t first = 0; first < count;)
            first = write_equal_words(save, word, first, count, to);
    } else {
        err_no_memory(err, "%" PRIu32 " packets", payload->packets);
    }
    free(bits);
    free(word);
    return written;
}

bool filters_write(enum filters_kind kind, const struct save *save, FILE *to, struct err *err)
{
    switch (kind) {
    case FILTERS_PACKETS:
        write_packets(save, to);
        return true;
    case FILTERS_ROUNDS:
        write_rows(save, to);
        return true;
    case FILTERS_FLITS:
        write_flits(save, to);
        return true;
    case FILTERS_FLAGS:
        write_flags(to);
        return true;
    default:
        return write_words(save, to, err);
    }
}
