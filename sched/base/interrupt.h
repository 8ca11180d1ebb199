/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt: a signal that ends the program leaves no partial file and no running child.
 *
 * The signals are those of a terminal, a time limit or an administrator: HUP, INT, PIPE, QUIT,
 * TERM and XCPU. Before interrupt_begin, which only `main` calls, the functions here change no
 * signal. */
#ifndef ROUNDCAST_INTERRUPT_H
#define ROUNDCAST_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* A file, or a folder that is empty once the files registered after it are removed. The caller must
 * not move the struct while it is registered. */
struct interrupt_path {
    const char *name;
    struct interrupt_path *next;
};

/* Installs handlers: a signal that would end the program removes the registered files and folders,
 * is passed on to the children, and then ends the program. Ignored signals stay ignored. Exceeding
 * the file size limit (XFSZ) does not end the program: the write fails. CHLD is not ignored. */
void interrupt_begin(void);

/* Delays signals between hold and release: a delayed signal ends the program in interrupt_release.
 * Calls nest. */
void interrupt_hold(void);
void interrupt_release(void);

/* Returns true if a signal is waiting. */
bool interrupt_came(void);

/* Register, or unregister, a file or folder to remove. The last registered one is removed first. */
void interrupt_note(struct interrupt_path *path);
void interrupt_forget(struct interrupt_path *path);

#define INTERRUPT_CHILDREN 256

/* Forks a child into a process group of its own. The child has no registered files and ends with
 * its parent. Signals are passed on to the group. Preconditions: signals are held; at most
 * INTERRUPT_CHILDREN children at once. */
pid_t interrupt_fork(void);

/* Registers a child that another function started and that leads a process group. */
void interrupt_child(pid_t child);

/* Waits for any child. Returns its process number, or -1 with errno. */
pid_t interrupt_wait(int *status);

#endif
