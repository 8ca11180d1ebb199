/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ending[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU};
#define ENDING (sizeof ending / sizeof *ending)

/* The handler reads this list. It acts at once only if signals are not held, so the list is
 * consistent then. */
static struct interrupt_path *noted;
static volatile pid_t children[INTERRUPT_CHILDREN]; /* 0: free entry */
static volatile sig_atomic_t held, came;
/* Without interrupt_begin() no handler is installed and the caller may have threads, so no records
 * are kept. */
static bool watching;

static void remove_noted(void)
{
    for (const struct interrupt_path *path = noted; path != NULL; path = path->next)
        if (unlink(path->name) != 0)
            rmdir(path->name);
}

static void end(void)
{
    remove_noted();
    signal(came, SIG_DFL);
    raise(came); /* takes effect when the handler has returned */
}

static void on_signal(int number)
{
    int error = errno;
    came = number;
    for (unsigned which = 0; which < INTERRUPT_CHILDREN; which++)
        if (children[which] > 0)
            kill(-children[which], number);
    if (held == 0)
        end();
    errno = error;
}

/* A handler, unlike an ignored signal, is not inherited by the programs that this program runs. */
static void on_limit(int number)
{
    (void)number;
}

void interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    watching = true;
    sigfillset(&action.sa_mask);
    for (unsigned which = 0; which < ENDING; which++)
        if (sigaction(ending[which], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending[which], &action, NULL);
    action.sa_handler = on_limit;
    sigaction(SIGXFSZ, &action, NULL);
    signal(SIGCHLD, SIG_DFL); /* if ignored, wait would return only after the last child ended */
}

void interrupt_hold(void)
{
    if (watching)
        held++;
}

void interrupt_release(void)
{
    if (watching && --held == 0 && came != 0)
        end();
}

bool interrupt_came(void)
{
    return came != 0;
}

void interrupt_note(struct interrupt_path *path)
{
    if (!watching)
        return;
    interrupt_hold();
    path->next = noted;
    noted = path;
    interrupt_release();
}

void interrupt_forget(struct interrupt_path *path)
{
    if (!watching)
        return;
    interrupt_hold();
    struct interrupt_path **place = &noted;
    while (*place != NULL && *place != path)
        place = &(*place)->next;
    if (*place != NULL)
        *place = path->next;
    interrupt_release();
}

static void put_child(pid_t old, pid_t new)
{
    unsigned which = 0;
    while (which < INTERRUPT_CHILDREN && children[which] != old)
        which++;
    if (which < INTERRUPT_CHILDREN)
        children[which] = new;
}

void interrupt_child(pid_t child)
{
    put_child(0, child);
    if (came != 0) /* the signal came before the child was registered */
        kill(-child, came);
}

pid_t interrupt_fork(void)
{
    pid_t child = fork();
    if (child > 0) {
        setpgid(child, child);
        interrupt_child(child);
    } else if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        noted = NULL;
        for (unsigned which = 0; which < INTERRUPT_CHILDREN; which++)
            children[which] = 0;
        held = 0;
        if (came != 0)
            end();
    }
    return child;
}

pid_t interrupt_wait(int *status)
{
    pid_t child = wait(status);
    if (child > 0)
        put_child(child, 0);
    return child;
}
