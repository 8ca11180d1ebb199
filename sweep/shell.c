/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/shell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void shell_quote(FILE *to, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-_=+,./:@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    putc('\'', to);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            putc(*word, to);
    putc('\'', to);
}

bool shell_has(const char *program, const char *package, struct err *err)
{
    const char *path = getenv("PATH");
    for (const char *at = path != NULL ? path : ""; *at != '\0';) {
        size_t length = strcspn(at, ":");
        char name[4096];
        snprintf(name, sizeof name, "%.*s/%s", (int)length, at, program);
        if (length > 0 && access(name, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return err_set(err, ERR_TOOL, "%s is not on PATH; expected it, of the package %s", program,
                   package);
}

int shell_run(const char *line, char *printed, size_t size)
{
    FILE *from = popen(line, "re");
    if (from == NULL)
        return -1;
    size_t used = fread(printed, 1, size - 1, from);
    printed[used] = '\0';
    while (fgetc(from) != EOF)
        ;
    int status = pclose(from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
