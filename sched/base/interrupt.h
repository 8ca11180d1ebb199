/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt: a signal that ends the program leaves no partial file and no running child.
 *
 * The signals are those of a terminal, a time limit or an administrator: HUP, INT, PIPE, QUIT, TERM
 * and XCPU. Before interrupt_begin, which `main` alone calls, nothing here touches a signal.
 */
#ifndef ROUNDCAST_INTERRUPT_H
#define ROUNDCAST_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* A file, or a folder that is empty without the files noted after it. The caller keeps it where it
 * is while it is registered. */
struct interrupt_path {
    const char *name;
    struct interrupt_path *next;
};

/* Installs handlers: a signal that would end the program removes the registered files and folders,
 * is passed on to the children, and then ends the program. Ignored signals stay ignored. A file
 * that exceeds a limit (XFSZ) ends nothing: its write fails. */
void interrupt_begin(void);

/* Delays signals between hold and release: a signal ends the program in interrupt_release. Calls
 * nest. */
void interrupt_hold(void);
void interrupt_release(void);

/* Returns true if a signal is waiting. */
bool interrupt_came(void);

/* Register, or unregister, a file or folder to remove; the last registered is removed first. */
void interrupt_note(struct interrupt_path *path);
void interrupt_forget(struct interrupt_path *path);

#define INTERRUPT_CHILDREN 256

/* Forks into a process group of its own. The child has nothing registered and ends with its parent.
 * Signals are passed on to the group. Precondition: hold; at most INTERRUPT_CHILDREN at once. */
pid_t interrupt_fork(void);

/* Registers a child that was started otherwise and leads a process group. */
void interrupt_child(pid_t child);

/* Waits for any child. Returns its process number, or -1 with errno. */
pid_t interrupt_wait(int *status);

#endif
