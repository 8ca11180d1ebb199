/* SPDX-License-Identifier: Apache-2.0 */
/* wide_words: flits above 31 bits, as csim's lanes and memories carry them.
 *
 * Networks and routers move words, and look into them only to combine two of them. Therefore csim
 * gives each value of a flit a number of 31 bits, and simulates a machine of 512 bits as fast as
 * one of 31:
 *
 *     bit 30 is 0    the number is the flit itself, below 2^30
 *     bit 30 is 1    the low bits are the index of the value in a table
 *
 * Equal flits have equal numbers, so that a number depends on nothing but the flit and the order in
 * which the flits were written first. Values are never removed from the table until a reset: it
 * grows with the flits that the host has written, each part of a flit a value, and with those that
 * combinations produce.
 */
#ifndef ROUNDCAST_WIDE_WORDS_H
#define ROUNDCAST_WIDE_WORDS_H

#include "csim/kernel/csim.h"
#include "sched/machine/machine.h"
#include "sched/machine/operators.h"

struct wide_words;

/* Returns the number of bits of a word on a lane of csim, besides the valid bit. */
static inline unsigned wide_words_lane_bits(const struct machine *machine)
{
    return MIN(machine->width, MACHINE_WORD_WIDTH);
}

/* Builds a table in `parent`; NULL if a building call failed. Precondition: flits above 31 bits. */
struct wide_words *wide_words_new(struct csim_module *parent, const struct machine *machine);

/* Returns bits 32·part … 32·part + 31 of the flit with a number; 0 above its width. O(1). */
uint32_t wide_words_bits(const struct wide_words *words, uint32_t number, uint32_t part);

/* Returns the number of the flit whose bits in a part are replaced; bits above its width are
 * ignored. Without memory it returns a wrong number, and wide_words_failed reports it from then on.
 * O(parts), amortised. */
uint32_t wide_words_replace(struct wide_words *words, uint32_t number, uint32_t part,
                            uint32_t bits);

/* Returns the number of the combination of two flits (operators.h). Memory as wide_words_replace.
 * O(parts). */
uint32_t wide_words_operate(struct wide_words *words, uint32_t which, uint32_t a, uint32_t b);

/* Returns the combination of two flits of `width` bits, by their numbers. `words` is NULL for flits
 * of up to 31 bits, which are their own numbers. */
static inline uint32_t wide_words_combine(struct wide_words *words, uint32_t which, unsigned width,
                                          uint32_t a, uint32_t b)
{
    return words == NULL ? machine_operate(which, width, a, b)
                         : wide_words_operate(words, which, a, b);
}

/* Returns whether a table of the simulator has run out of memory. */
bool wide_words_failed(const struct wide_words *words);

#endif
