/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/multistage_picture.h"

#include "sched/base/compare.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

static struct multistage_picture_box *picture_box(struct multistage_picture_stage *stage,
                                                  uint32_t inputs, uint32_t outputs)
{
    struct multistage_picture_box *box = &stage->box[stage->count++];
    *box = (struct multistage_picture_box){.inputs = inputs, .outputs = outputs};
    box->in = room_of(inputs, sizeof box->in[0]);
    box->out = room_of(outputs, sizeof box->out[0]);
    return box;
}

/* Cut the lanes first … end - 1, a block of a level, the (number+1)-th of them, and draw its
 * switches. */
static void picture_cut(struct multistage_picture *picture, unsigned levels, bool twice,
                        unsigned level, uint64_t number, uint64_t first, uint64_t end)
{
    if (level == levels)
        return;
    uint64_t middle = (2 * number + 1) * picture->ports / (UINT64_C(2) << level);
    for (uint64_t low = first, high = middle; low < middle && high < end; low++, high++) {
        for (unsigned direction = 0; direction < 2; direction++) {
            bool last = high + 1 == end && low + 1 == middle;
            if (direction == 1 &&
                (!twice || level == levels - 1 || end - first == 2 || (picture->fewer && last)))
                continue;
            struct multistage_picture_stage *stage =
                &picture->stage[direction == 0 ? level : 2 * levels - 2 - level];
            struct multistage_picture_box *box = picture_box(stage, 2, 2);
            box->in[0] = box->out[0] = (uint32_t)low;
            box->in[1] = box->out[1] = (uint32_t)high;
            box->sw = (uint32_t)(first / 2 + low - first);
        }
    }
    picture_cut(picture, levels, twice, level + 1, 2 * number, first, middle);
    picture_cut(picture, levels, twice, level + 1, 2 * number + 1, middle, end);
}

/* A Clos network of `stages` stages, r crossbars outside, whose first lane in the stages `before`
 * its outer ones, and in them, is `base`. Inside, its middle networks have r lanes each. */
static void picture_clos(struct multistage_picture *picture, unsigned from, unsigned to, uint32_t m,
                         uint32_t n, uint32_t r, uint32_t base)
{
    for (uint32_t e = 0; e < r; e++) {
        struct multistage_picture_box *in = picture_box(&picture->stage[from], n, m);
        struct multistage_picture_box *out = picture_box(&picture->stage[to], m, n);
        for (uint32_t i = 0; i < n; i++)
            in->in[i] = out->out[i] = base + e + i * r;
        for (uint32_t q = 0; q < m; q++)
            in->out[q] = out->in[q] = base + q * r + e;
    }
    for (uint32_t q = 0; q < m; q++) {
        if (to - from > 2) {
            picture_clos(picture, from + 1, to - 1, m, n, r / n, base + q * r);
            continue;
        }
        struct multistage_picture_box *middle = picture_box(&picture->stage[from + 1], r, r);
        for (uint32_t i = 0; i < r; i++)
            middle->in[i] = middle->out[i] = base + q * r + i;
    }
}

/* Field sizes, as many to a word as fit. */
static void picture_fields(struct multistage_picture *picture)
{
    for (unsigned s = 0; s < picture->stages; s++) {
        struct multistage_picture_stage *stage = &picture->stage[s];
        stage->bits = 1;
        stage->fields = picture->ports / 2;
        stage->lanes = picture->ports;
        if (picture->bars) {
            stage->lanes = stage->count * stage->box[0].outputs;
            stage->fields = stage->lanes;
            while (stage->box[0].inputs >> stage->bits != 0)
                stage->bits++;
        }
        stage->in_word = 32 / stage->bits;
        uint32_t words = stage->fields / stage->in_word + (stage->fields % stage->in_word != 0);
        picture->words = MAX(picture->words, words);
        picture->lanes = MAX(picture->lanes, stage->lanes);
    }
}

struct multistage_picture multistage_picture_new(const struct multistage *net)
{
    struct multistage_picture picture = {.ports = net->ports,
                                         .bars = net->kind == MULTISTAGE_CLOS,
                                         .fewer = net->kind == MULTISTAGE_WAKSMAN};
    picture.stages = net->kind == MULTISTAGE_OMEGA ? net->levels : 2 * net->levels - 1;
    picture.stage = room_of(picture.stages, sizeof picture.stage[0]);
    for (unsigned s = 0; s < picture.stages; s++)
        picture.stage[s].box =
            room_of((size_t)net->ports * (net->middle + 1), sizeof(struct multistage_picture_box));
    if (picture.bars)
        picture_clos(&picture, 0, picture.stages - 1, net->middle, net->radix,
                     net->ports / net->radix, 0);
    else
        picture_cut(&picture, net->levels, net->kind != MULTISTAGE_OMEGA, 0, 0, 0, net->ports);
    picture_fields(&picture);
    picture.signal = room_of(picture.lanes, sizeof picture.signal[0]);
    picture.after = room_of(picture.lanes, sizeof picture.after[0]);
    return picture;
}

void multistage_picture_free(struct multistage_picture *picture)
{
    for (unsigned s = 0; s < picture->stages; s++) {
        for (uint32_t b = 0; b < picture->stage[s].count; b++) {
            free(picture->stage[s].box[b].in);
            free(picture->stage[s].box[b].out);
        }
        free(picture->stage[s].box);
    }
    free(picture->stage);
    free(picture->signal);
    free(picture->after);
}

size_t multistage_picture_row_words(const struct multistage_picture *picture)
{
    return (size_t)picture->stages * picture->words;
}

static uint32_t picture_field(const struct multistage_picture_stage *stage, const uint32_t *setting,
                              uint32_t field)
{
    uint32_t value = setting[field / stage->in_word] >> (field % stage->in_word * stage->bits);
    return value % (UINT32_C(1) << stage->bits);
}

/* Signals after a box. Returns how many of its settings serve no circuit: a switch crossed for two
 * idle lanes, an output that gives an idle or no lane. */
static uint32_t picture_pass(const struct multistage_picture *picture,
                             const struct multistage_picture_stage *stage,
                             const struct multistage_picture_box *box, const uint32_t *setting)
{
    uint32_t idle = 0;
    if (!picture->bars) {
        uint32_t crossed = picture_field(stage, setting, box->sw);
        for (unsigned side = 0; side < 2; side++)
            picture->after[box->out[side]] = picture->signal[box->in[side ^ crossed]];
        return crossed && picture->signal[box->in[0]] == UINT32_MAX &&
               picture->signal[box->in[1]] == UINT32_MAX;
    }
    for (uint32_t o = 0; o < box->outputs; o++) {
        uint32_t from = picture_field(stage, setting, box->out[o]);
        uint32_t signal =
            from == 0 || from > box->inputs ? UINT32_MAX : picture->signal[box->in[from - 1]];
        picture->after[box->out[o]] = signal;
        idle += from != 0 && signal == UINT32_MAX;
    }
    return idle;
}

uint32_t multistage_picture_carry(const struct multistage_picture *picture, const uint32_t to[],
                                  const uint32_t *row)
{
    uint32_t idle = 0;
    for (uint32_t input = 0; input < picture->ports; input++)
        picture->signal[input] = to[input] == MULTISTAGE_IDLE ? UINT32_MAX : input;
    for (unsigned s = 0; s < picture->stages; s++, row += picture->words) {
        const struct multistage_picture_stage *stage = &picture->stage[s];
        memcpy(picture->after, picture->signal, picture->lanes * sizeof picture->signal[0]);
        for (uint32_t b = 0; b < stage->count; b++)
            idle += picture_pass(picture, stage, &stage->box[b], row);
        memcpy(picture->signal, picture->after, picture->lanes * sizeof picture->signal[0]);
    }
    return idle;
}

uint32_t multistage_picture_astray(const struct multistage_picture *picture, const uint32_t to[])
{
    uint32_t astray = 0;
    for (uint32_t input = 0; input < picture->ports; input++)
        astray += to[input] != MULTISTAGE_IDLE && picture->signal[to[input]] != input;
    return astray;
}

uint32_t multistage_picture_stray_bits(const struct multistage_picture *picture,
                                       const uint32_t *row)
{
    uint32_t *own = room_of(picture->words, sizeof own[0]), stray = 0;
    for (unsigned s = 0; s < picture->stages; s++, row += picture->words) {
        const struct multistage_picture_stage *stage = &picture->stage[s];
        memset(own, 0, picture->words * sizeof own[0]);
        for (uint32_t b = 0; b < stage->count; b++)
            for (uint32_t o = 0; o < (picture->bars ? stage->box[b].outputs : 1); o++) {
                uint32_t field = picture->bars ? stage->box[b].out[o] : stage->box[b].sw;
                own[field / stage->in_word] |= ((UINT32_C(1) << stage->bits) - 1)
                                               << field % stage->in_word * stage->bits;
            }
        for (uint32_t word = 0; word < picture->words; word++)
            stray += (uint32_t)__builtin_popcount(row[word] & ~own[word]);
    }
    free(own);
    return stray;
}

void multistage_picture_check(const struct multistage_picture *picture,
                              const struct multistage *net, const uint32_t to[],
                              const uint32_t *row)
{
    assert_int_equal(multistage_picture_carry(picture, to, row), 0);
    assert_int_equal(multistage_picture_astray(picture, to), 0);
    assert_int_equal(multistage_picture_stray_bits(picture, row), 0);
    for (uint32_t input = 0; input < picture->ports; input++)
        if (to[input] != MULTISTAGE_IDLE)
            assert_int_equal(multistage_trace(net, row, input), to[input]);
}

void multistage_picture_round(struct rng *rng, uint32_t ports, uint32_t live, uint32_t to[])
{
    rng_permutation(rng, ports, to);
    for (uint32_t input = 0; input < ports; input++)
        if (rng_below(rng, 256) >= live)
            to[input] = MULTISTAGE_IDLE;
}

uint64_t multistage_picture_partial_count(uint32_t n)
{
    uint64_t sum = 0, choose = 1, factorial = 1;
    for (uint32_t k = 0; k <= n; k++) {
        sum += choose * choose * factorial;
        choose = choose * (n - k) / (k + 1);
        factorial *= k + 1;
    }
    return sum;
}

uint64_t multistage_picture_every_round(uint32_t ports, bool partial, uint32_t input, uint32_t used,
                                        uint32_t to[], void (*visit)(void *, const uint32_t *),
                                        void *context)
{
    if (input == ports) {
        visit(context, to);
        return 1;
    }
    uint64_t count = 0;
    for (uint32_t output = 0; output < ports + partial; output++) {
        if (output < ports && used >> output & 1)
            continue;
        to[input] = output == ports ? MULTISTAGE_IDLE : output;
        uint32_t now = output == ports ? used : used | UINT32_C(1) << output;
        count += multistage_picture_every_round(ports, partial, input + 1, now, to, visit, context);
    }
    return count;
}
