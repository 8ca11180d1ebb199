/* SPDX-License-Identifier: Apache-2.0 */
/* image_rams: the initial content of each memory of a machine, in a file of its own that $readmemh
 * reads: the form `mem` of an image. rtl/common/rc_initial.sv has the same names.
 *
 *     registers.mem           the header of image.h, 32 words, which a reset writes
 *     send-NNNN.mem           the send program of a node
 *     receive-NNNN.mem        its receive program; not on self-timed machines
 *     packets-NNNN.mem        its packet memory
 *     table-SSSS-CCCC.mem     a column of the table of a stage
 *     order-0000.mem          the setting index, if there is one
 *     table-RRRR-0000.mem     the table of a router; -0001: the columns of its further read ports
 *
 * Each line is a word of the memory, in the width of the memory, from address 0 to the last. Words
 * that the image does not have are 0.
 */
#ifndef ROUNDCAST_IMAGE_RAMS_H
#define ROUNDCAST_IMAGE_RAMS_H

#include "sched/image/image.h"
#include "sched/machine/machine_address.h"

#define IMAGE_RAM_NAME 32

/* One of the memories. A row consists of cells, the first in the lowest bits. Each cell is a part
 * of a word of the address map: its `top` highest bits, `middle` bits from bit 16 up, and `low`
 * bits from bit 0 up. */
struct image_ram {
    char name[IMAGE_RAM_NAME]; /* of the file */
    enum machine_region region;
    uint32_t bank; /* a node, a stage, the setting index, or a router */
    uint32_t depth, cells;
    uint32_t first, group, step; /* cell c has column first + c / group · step + c % group */
    unsigned top, middle, low;
};

/* Checks that the machine can start with memories from files. Nodes of a self-timed hypercube
 * cannot, because they count their packets as the host writes them. What nodes keep apart
 * (machine_keeps_received) has no file, because it is initially cleared. E208. */
bool image_rams_check(const struct machine *machine, struct err *err);

/* image_rams_count: number of memories. image_ram: describes memory `which`. O(levels + stages). */
uint32_t image_rams_count(const struct machine *machine);
void image_ram(const struct machine *machine, uint32_t which, struct image_ram *ram);

/* The words of an image, sorted by address; the last word at an address counts. Free it with free.
 * E104. */
struct image_rams;
struct image_rams *image_rams_new(const struct image *image, struct err *err);

/* Writes the file of one memory. E202. O(words · log words of the image). */
bool image_ram_write(FILE *to, const char *name, const struct image_rams *rams,
                     const struct image_ram *ram, struct err *err);

/* Appends the words of all memories, which are read from the files beside the file `name`. E104,
 * E201, E204, E207. Precondition: the machine has the memories. */
bool image_rams_read(const char *name, struct image *image, struct err *err);

#endif
