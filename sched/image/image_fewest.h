/* SPDX-License-Identifier: Apache-2.0 */
/* image_fewest: rewrites an image as the fewest writes through the host port.
 *
 *     image: 0 to all of four nodes; a, a, b to nodes 0, 1, 3          4 writes
 *     fewest: a to all; 0 to node 2, b to node 3                       3 writes
 *
 * A write can address the same memory of all nodes (machine_address.h). If an image has a word for
 * every node at a place, the most frequent word is written to all nodes, and the others follow one
 * by one. If some node has none, a write to all would change that node, so each node has its own
 * write.
 */
#ifndef ROUNDCAST_IMAGE_FEWEST_H
#define ROUNDCAST_IMAGE_FEWEST_H

#include "sched/image/image.h"

/* Fills `fewest` with the machine and run of `image`, and with writes that leave any machine in the
 * same state as the words of `image`, in order. Registers, tables, and the lists of cube-auto,
 * whose length depends on the writes, are first and unchanged; programs and packets follow by
 * place, each node at most once. Precondition: the machine has the addresses. Free `fewest` with
 * image_free whatever the result. E104. O(words + nodes + rows + words of a packet memory). */
bool image_fewest(const struct image *image, struct image *fewest, struct err *err);

#endif
