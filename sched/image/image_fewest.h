/* SPDX-License-Identifier: Apache-2.0 */
/* image_fewest: an image as the fewest writes of the host port.
 *
 *     image: 0 to all of four nodes; a, a, b to nodes 0, 1, 3          4 writes
 *     fewest: a to all; 0 to node 2, b to node 3                       3 writes
 *
 * A write can go to the same memory of all nodes (machine.h). Where an image says what every node
 * has in a place, the word that most of them have goes to all, and the others follow one by one.
 * Where it leaves a node as it was, a write to all would change that node, so each has its own.
 */
#ifndef ROUNDCAST_IMAGE_FEWEST_H
#define ROUNDCAST_IMAGE_FEWEST_H

#include "sched/image/image.h"

/* Machine and run of `image`, and writes in `fewest` that leave any machine as its words would, in
 * their order. Registers and tables, and the lists of cube-auto, which count what is written, come
 * first and stay as they are; programs and packets follow by place, each node's at most once.
 * Addresses are ones that the machine has. Free `fewest` with image_free, of any outcome. E104.
 * O(words + nodes + rows + words of a packet memory). */
bool image_fewest(const struct image *image, struct image *fewest, struct err *err);

#endif
