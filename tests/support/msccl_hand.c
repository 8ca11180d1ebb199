/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/msccl_hand.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"

#include <stdlib.h>
#include <string.h>

struct msccl_hand msccl_hand_begin(const char *collective, int in_place, int gpus)
{
    struct msccl_hand hand = {0};
    hand.to = tmpfile();
    assert_non_null(hand.to);
    fprintf(hand.to,
            "<?xml version=\"1.0\"?>\n<!-- by hand -- --->\n<algo name=\"a &lt; b\" x-y.z:9=\"\" "
            "coll=\"%s\" inplace=\"%d\" ngpus=\"%d\">\n",
            collective, in_place, gpus);
    return hand;
}

static void close_block(struct msccl_hand *hand)
{
    if (hand->in_block)
        fputs("</tb>\n", hand->to);
    hand->in_block = false;
}

static void close_gpu(struct msccl_hand *hand)
{
    close_block(hand);
    if (hand->in_gpu)
        fputs("</gpu>\n", hand->to);
    hand->in_gpu = false;
}

void msccl_hand_gpu(struct msccl_hand *hand, int id, int inputs, int outputs, int scratch)
{
    close_gpu(hand);
    fprintf(hand->to, "<gpu id=\"%d\" i_chunks=\"%d\" o_chunks=\"%d\" s_chunks=\"%d\">\n", id,
            inputs, outputs, scratch);
    hand->in_gpu = true;
}

void msccl_hand_block(struct msccl_hand *hand, int id, int send, int receive)
{
    close_block(hand);
    fprintf(hand->to, "<tb id='%d' send='%d' recv='%d' chan='0'>\n", id, send, receive);
    hand->in_block = true;
}

void msccl_hand_wait(struct msccl_hand *hand, int number, const char *type, char from_buffer,
                     int from, char to_buffer, int to, int count, int block, int step, bool signals)
{
    fprintf(hand->to,
            "<step s=\"%d\" type=\"%s\" srcbuf=\"%c\" srcoff=\"%d\" dstbuf=\"%c\" dstoff=\"%d\" "
            "cnt=\"%d\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n",
            number, type, from_buffer, from, to_buffer, to, count, block, step, signals);
}

void msccl_hand_step(struct msccl_hand *hand, int number, const char *type, char from_buffer,
                     int from, char to_buffer, int to, int count)
{
    msccl_hand_wait(hand, number, type, from_buffer, from, to_buffer, to, count, -1, -1, false);
}

char *msccl_hand_end(struct msccl_hand *hand)
{
    close_gpu(hand);
    fputs("</algo>\n", hand->to);
    size_t size = (size_t)ftell(hand->to);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    rewind(hand->to);
    assert_int_equal(fread(text, 1, size, hand->to), size);
    fclose(hand->to);
    return text;
}

char *msccl_hand_ring(void)
{
    struct msccl_hand hand = msccl_hand_begin("allgather", 1, 4);
    for (int id = 0; id < 4; id++) {
        msccl_hand_gpu(&hand, id, 0, 4, 0);
        msccl_hand_block(&hand, 0, (id + 1) % 4, (id + 3) % 4);
        msccl_hand_step(&hand, 0, "s", 'o', id, 'o', id, 1);
        msccl_hand_step(&hand, 1, "rcs", 'o', 0, 'o', (id + 3) % 4, 1);
        msccl_hand_step(&hand, 2, "rcs", 'o', 0, 'o', (id + 2) % 4, 1);
        msccl_hand_step(&hand, 3, "r", 'o', 0, 'o', (id + 1) % 4, 1);
    }
    return msccl_hand_end(&hand);
}

char *msccl_hand_custom(void)
{
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 2, 1, 1);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "cpy", 'i', 1, 's', 0, 1);
    msccl_hand_step(&hand, 1, "s", 's', 0, 's', 0, 1);
    msccl_hand_gpu(&hand, 1, 1, 1, 1);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_wait(&hand, 0, "r", 's', 0, 's', 0, 1, -1, -1, true);
    msccl_hand_block(&hand, 1, 2, -1);
    msccl_hand_wait(&hand, 0, "nop", 'i', -1, 'o', -1, 0, 0, 0, false);
    msccl_hand_step(&hand, 1, "s", 's', 0, 'o', 0, 1);
    msccl_hand_gpu(&hand, 2, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_step(&hand, 0, "r", 's', 0, 'o', 0, 1);
    return msccl_hand_end(&hand);
}

char *msccl_hand_broadcast(void)
{
    struct msccl_hand hand = msccl_hand_begin("broadcast", 1, 3);
    msccl_hand_gpu(&hand, 0, 2, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'o', 0, 'o', 0, 1);
    msccl_hand_block(&hand, 1, 2, -1);
    msccl_hand_step(&hand, 0, "s", 'o', 0, 'o', 0, 1);
    for (int id = 1; id < 3; id++) {
        msccl_hand_gpu(&hand, id, 0, 1, 0);
        msccl_hand_block(&hand, 0, -1, 0);
        msccl_hand_step(&hand, 0, "r", 'o', 0, 'o', 0, 1);
    }
    char *text = msccl_hand_end(&hand);
    const struct exchange_lab_edit edits[] = {{0, 0, " cnt=\"1\"", ""}, {0}};
    char *made = exchange_lab_edit(text, edits);
    free(text);
    return made;
}

char *msccl_hand_pair(void)
{
    struct msccl_hand hand = msccl_hand_begin("alltoall", 0, 2);
    msccl_hand_gpu(&hand, 0, 2, 2, 0);
    msccl_hand_block(&hand, 0, 1, 1);
    msccl_hand_step(&hand, 0, "s", 'i', 1, 'o', 0, 1);
    msccl_hand_step(&hand, 1, "r", 'i', 0, 'o', 1, 1);
    msccl_hand_gpu(&hand, 1, 2, 2, 0);
    msccl_hand_block(&hand, 0, 0, 0);
    msccl_hand_step(&hand, 0, "r", 'i', 1, 'o', 0, 1);
    msccl_hand_step(&hand, 1, "s", 'i', 0, 'o', 1, 1);
    return msccl_hand_end(&hand);
}

char *msccl_hand_answered(bool copies_first)
{
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 3, 2, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    if (copies_first)
        msccl_hand_step(&hand, 0, "cpy", 'i', 2, 'o', 0, 1);
    msccl_hand_step(&hand, copies_first, "s", 'i', 0, 'o', 0, 2);
    if (!copies_first)
        msccl_hand_step(&hand, 1, "cpy", 'i', 2, 'o', 0, 1);
    msccl_hand_block(&hand, 1, -1, 2);
    msccl_hand_step(&hand, 0, "r", 'i', 0, 'i', 2, 1);
    msccl_hand_gpu(&hand, 1, 1, 2, 0);
    msccl_hand_block(&hand, 0, 2, 0);
    msccl_hand_step(&hand, 0, "rcs", 'i', 0, 'o', 0, 2);
    msccl_hand_gpu(&hand, 2, 1, 2, 0);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_wait(&hand, 0, "r", 'o', 0, 'o', 0, 2, -1, -1, true);
    msccl_hand_block(&hand, 1, 0, -1);
    msccl_hand_wait(&hand, 0, "s", 'i', 0, 'i', 2, 1, 0, 0, false);
    return msccl_hand_end(&hand);
}

char *msccl_hand_relay(void)
{
    struct msccl_hand hand = msccl_hand_begin("custom", 0, 3);
    msccl_hand_gpu(&hand, 0, 1, 1, 0);
    msccl_hand_block(&hand, 0, 2, 1);
    msccl_hand_wait(&hand, 0, "rcs", 'i', 0, 'o', 0, 1, 1, 0, false);
    msccl_hand_block(&hand, 1, -1, -1);
    msccl_hand_wait(&hand, 0, "cpy", 'i', 0, 'i', 0, 1, -1, -1, true);
    msccl_hand_gpu(&hand, 1, 1, 1, 0);
    msccl_hand_block(&hand, 0, 0, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 0, 'o', 0, 1);
    msccl_hand_gpu(&hand, 2, 1, 1, 0);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_step(&hand, 0, "r", 'i', 0, 'o', 0, 1);
    msccl_hand_block(&hand, 1, -1, -1);
    return msccl_hand_end(&hand);
}

unsigned msccl_hand_refuse(const struct msccl_hand_refused cases[], size_t count)
{
    static char *(*const programs[])(void) = {[HAND_RING] = msccl_hand_ring,
                                              [HAND_CUSTOM] = msccl_hand_custom,
                                              [HAND_BROADCAST] = msccl_hand_broadcast,
                                              [HAND_PAIR] = msccl_hand_pair,
                                              [HAND_RELAY] = msccl_hand_relay};
    for (size_t which = 0; which < count; which++) {
        struct exchange_lab_edit edits[5] = {{0}};
        memcpy(edits, cases[which].edit, sizeof cases[which].edit);
        char *text = programs[cases[which].program]();
        running("case %zu: %s", which, cases[which].part);
        char *made = exchange_lab_edit(text, edits);
        exchange_lab_refuses("msccl", made, cases[which].code, cases[which].part);
        free(text);
        free(made);
    }
    return (unsigned)count;
}
