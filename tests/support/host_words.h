/* SPDX-License-Identifier: Apache-2.0 */
/* host_words: random words in all memories of a machine of the lab, and reads of what a run leaves
 * there. */
#ifndef ROUNDCAST_HOST_WORDS_H
#define ROUNDCAST_HOST_WORDS_H

#include "sched/base/rng.h"
#include "tests/support/host_lab.h"

/* For host_words_write: runs in which no word is valid, most are, or all are. */
enum { HOST_WORDS_NONE_VALID = 6, HOST_WORDS_MOST_VALID = 4, HOST_WORDS_ALL_VALID = 14 };

/* The address of a word by the number of its region. */
uint32_t host_words_address(uint32_t region, uint32_t field);

/* Draws a word that is valid with probability `valid` in 8. Receive programs of runs with barriers
 * have no packets that `continue`. Small numbers often select a packet that has just arrived. */
uint32_t host_words_draw(struct rng *rng, unsigned valid, bool continues, bool small);

/* Writes random packets, valid with probability `valid` in 8. Packets with headers are held as a
 * whole, or not at all. */
void host_words_packets(struct host_lab *lab, struct rng *rng, unsigned valid);

/* Writes random words for run `which`, of which few to most are valid. If the run `streams`, its
 * rows have no barriers, so that a packet may continue in the next row. */
void host_words_write(struct host_lab *lab, struct rng *rng, unsigned which, bool streams);

/* Reads all words that a run may change. */
void host_words_read_changed(struct host_lab *lab);

/* Reads and writes random addresses: also addresses without a word, and registers, which the next
 * run sets again; 0 and 1 are as frequent as any other value. */
void host_words_read_some(struct host_lab *lab, struct rng *rng);

/* Draws an operator that is built; 0 for a machine that does not combine. */
uint32_t host_words_operator(const struct machine *machine, struct rng *rng);

#endif
