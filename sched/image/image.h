/* SPDX-License-Identifier: Apache-2.0 */
/* image: all tables of one machine as memory words, and the machine that they are for.
 *
 * The file is read by $readmemh, so that one file serves csim, Verilator, a netlist and an FPGA:
 *
 *     // roundcast-image 1
 *     // machine benes:32,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64
 *     // run rows=9 flits=4 row-cycles=13
 *     // tree 4,4,4 capacity=1,4,16 depth=16,16,16 queue=0,0,0 reads=1 ports=multi   a fat tree
 *     // cube 4 depth=16 reads=2                                                  a hypercube
 *     @10000000
 *     00000001 00000000 …
 *     // end 512                                  the number of words
 *
 * The other forms have the same header, with the name of the form in the first line, and the same
 * last line; between them is a list of pairs (image_forms.h), or the registers, beside the files of
 * the memories (image_rams.h).
 *
 * Addresses are those of machine_address.h; a word without an address of its own follows the
 * previous word. Words are written in this order; a later word replaces an earlier one at the same
 * address. The registers of the run are in the header and among the words: each has at least one
 * word, and all its words equal the header.
 */
#ifndef ROUNDCAST_IMAGE_H
#define ROUNDCAST_IMAGE_H

#include "sched/machine/machine.h"
#include "sched/machine/machine_run.h"

#include <stddef.h>

/* The forms of the text, and their files in a bundle. hex: addresses after @ and eight words a
 * line, for `simulate`. writes: pairs of address and word, for $readmemh in any testbench. c: an
 * array of the same pairs in C, for firmware. mem: a file with the initial content of each memory;
 * the file named here is that of the registers. */
#define IMAGE_FORMS_TABLE(X)            \
    X(HEX, "hex", "image.hex")          \
    X(WRITES, "writes", "image.writes") \
    X(C, "c", "image.c")                \
    X(MEM, "mem", "registers.mem")

enum image_form {
#define IMAGE_FORM_ENUM(name, text, file) IMAGE_##name,
    IMAGE_FORMS_TABLE(IMAGE_FORM_ENUM)
#undef IMAGE_FORM_ENUM
        IMAGE_FORMS
};

struct image_form_row {
    const char *text, *file;
};

extern const struct image_form_row image_form_rows[IMAGE_FORMS];

struct image_word {
    uint32_t address, word;
};

struct image {
    struct machine machine;
    struct run run;
    size_t count, room;
    struct image_word *word;
};

/* Makes room for `words` more words before they are computed, because a short schedule can need a
 * large image. E104, also for more words than this computer can hold. */
bool image_reserve(struct image *image, uint64_t words, struct err *err);

/* Appends a word. E104. */
bool image_append(struct image *image, uint32_t address, uint32_t word, struct err *err);

/* Checks that each setting phase of the run has a word, and that the setting of each word differs
 * from that of the previous word, because the machine waits before each change of settings. Returns
 * true for machines without reconfiguration. E406, E104. O(words + setting phases). */
bool image_reconfig_check(const struct image *image, const char *name, struct err *err);

/* Writes the text of the file; in the form mem, the text of the registers. E202. */
bool image_write(FILE *to, const char *name, const struct image *image, enum image_form form,
                 struct err *err);

/* Reads a text of any form, with the files beside it if the form has any. Checks it strictly:
 * header, machine_check, a run that fits the machine and equals its registers, addresses that the
 * machine has. Errors: E201, E203, E204, E205, E207, E208, E401, E406 as `name:line: …`. Free it
 * with image_free. */
bool image_read(FILE *from, const char *name, struct image *image, struct err *err);

void image_free(struct image *image);

/* -- The fewest writes ------------------------------------------------------------------------- */

/* Rewrites an image as the fewest writes through the host port.
 *
 *     image: 0 to all of four nodes; a, a, b to nodes 0, 1, 3          4 writes
 *     fewest: a to all; 0 to node 2, b to node 3                       3 writes
 *
 * A write can address the same memory of all nodes (machine_address.h). If an image has a word for
 * every node at a place, the most frequent word is written to all nodes, and the others follow one
 * by one. If some node has none, a write to all would change that node, so each node has its own
 * write. */

/* Fills `fewest` with the machine and run of `image`, and with writes that leave any machine in the
 * same state as the words of `image`, in order. Registers, tables, and the lists of cube-auto,
 * whose length depends on the writes, are first and unchanged; programs and packets follow by
 * place, each node at most once. Precondition: the machine has the addresses. Free `fewest` with
 * image_free whatever the result. E104. O(words + nodes + rows + words of a packet memory). */
bool image_fewest(const struct image *image, struct image *fewest, struct err *err);

#endif
