/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt: a signal that ends the program leaves no half file behind and no child at work.
 *
 * The signals are those of a terminal, a time limit or an administrator: HUP, INT, PIPE, QUIT, TERM
 * and XCPU. Before interrupt_begin, which `main` alone calls, nothing here touches a signal.
 */
#ifndef ROUNDCAST_INTERRUPT_H
#define ROUNDCAST_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* A file, or a folder that is empty without the files noted after it. The caller keeps it where it
 * is while it is noted. */
struct interrupt_path {
    const char *name;
    struct interrupt_path *next;
};

/* From now on a signal that would end the program removes what is noted, passes itself on to the
 * children, and then ends the program all the same. What was ignored stays ignored. A file that
 * exceeds a limit (XFSZ) ends nothing: its write fails. */
void interrupt_begin(void);

/* Between the two a signal waits: it ends the program in interrupt_release. They nest. */
void interrupt_hold(void);
void interrupt_release(void);

/* Is a signal waiting? */
bool interrupt_came(void);

/* Note what is to be removed, the last noted first; forget it. */
void interrupt_note(struct interrupt_path *path);
void interrupt_forget(struct interrupt_path *path);

#define INTERRUPT_CHILDREN 256

/* fork, into a process group of its own. The child has nothing noted and ends with its parent.
 * Signals are passed on to the group. Precondition: hold; at most INTERRUPT_CHILDREN at once. */
pid_t interrupt_fork(void);

/* The same of a child that was started otherwise, and leads a group. */
void interrupt_child(pid_t child);

/* Wait for any child: its number, or -1 with errno. */
pid_t interrupt_wait(int *status);

#endif
