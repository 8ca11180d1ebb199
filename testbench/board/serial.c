/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench/board/serial.h"

#define POLYNOMIAL 0x07
#define BITS 10 /* bits of a byte: start, eight data bits, stop */

uint8_t serial_check(const uint8_t bytes[], size_t count)
{
    unsigned check = 0xff;
    for (size_t k = 0; k < count; k++) {
        check ^= bytes[k];
        for (unsigned bit = 0; bit < 8; bit++)
            check = (check << 1 ^ (check & 0x80 ? POLYNOMIAL : 0)) & 0xff;
    }
    return (uint8_t)check;
}

void serial_frame(enum serial_what what, uint32_t address, uint32_t word,
                  uint8_t frame[SERIAL_FRAME])
{
    frame[0] = (uint8_t)what;
    for (unsigned k = 0; k < 4; k++) {
        frame[1 + k] = (uint8_t)(address >> 8 * k);
        frame[5 + k] = (uint8_t)(word >> 8 * k);
    }
    frame[SERIAL_FRAME - 1] = serial_check(frame, SERIAL_FRAME - 1);
}

bool serial_answer(const uint8_t answer[SERIAL_ANSWER], uint32_t *word)
{
    *word = 0;
    for (unsigned k = 0; k < 4; k++)
        *word |= (uint32_t)answer[1 + k] << 8 * k;
    return answer[0] == 'K' && serial_check(answer, SERIAL_ANSWER) == 0;
}

bool serial_level(struct serial_sender *sender)
{
    if (sender->bits == 0) {
        if (sender->left == 0)
            return true;
        sender->levels = (uint16_t)(*sender->next++ << 1 | 1 << (BITS - 1));
        sender->left--;
        sender->bits = BITS;
        sender->cycle = 0;
    }
    bool level = sender->levels & 1;
    if (++sender->cycle == SERIAL_DIVIDER) {
        sender->cycle = 0;
        sender->levels >>= 1;
        sender->bits--;
    }
    return level;
}

bool serial_hear(struct serial_receiver *receiver, bool level, uint8_t *byte)
{
    if (receiver->bits == 0) {
        if (level)
            return false;
        *receiver = (struct serial_receiver){.bits = BITS};
    }
    if (receiver->cycle++ == SERIAL_DIVIDER / 2)
        receiver->levels = (uint16_t)(receiver->levels >> 1 | level << (BITS - 1));
    if (receiver->cycle < SERIAL_DIVIDER)
        return false;
    receiver->cycle = 0;
    *byte = (uint8_t)(receiver->levels >> 1);
    return --receiver->bits == 0 && (receiver->levels >> (BITS - 1) & 1);
}
