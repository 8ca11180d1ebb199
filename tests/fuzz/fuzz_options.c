/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_options: a command line, one word per line, is run or is rejected with a well-formed
 * message.
 *
 * The command reads only standard input, which is empty, and writes only standard output, which is
 * discarded: the working folder has been removed, and inputs with a slash in a word are ignored.
 * For a command that requests much work, only the options are parsed and its help is printed.
 */
#include "cli/command.h"
#include "sched/base/compare.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_WORDS 24
#define MOST_TEXT 512
#define MOST_WORK 512

/* Changes to a folder in which no file can exist. */
static void go_nowhere(void)
{
    static bool gone;
    char folder[] = "/tmp/fuzz-XXXXXX";
    if (gone)
        return;
    gone = true;
    setenv("ROUNDCAST_ENGINES", "none", 1);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || rmdir(folder) != 0 ||
        freopen("/dev/null", "r", stdin) == NULL || freopen("/dev/null", "w", stdout) == NULL)
        fuzz_fail("no folder to be removed");
}

/* Returns the product of all numbers; a cube of d dimensions counts as 2^d nodes. */
static uint64_t work_of(const char *text, bool cube)
{
    uint64_t work = 1;
    while (*(text += strcspn(text, "0123456789")) != '\0') {
        char *end;
        uint64_t number = strtoull(text, &end, 10);
        if (cube)
            number = number < 16 ? UINT64_C(1) << number : MOST_WORK;
        number = number < 1 ? 1 : MIN(number, MOST_WORK);
        work = work * number < MOST_WORK ? work * number : MOST_WORK;
        text = end;
    }
    return work;
}

/* Splits a text into words, and appends --help if they request much work. */
static int split(char text[], char *word[MOST_WORDS + 2])
{
    static char help[] = "--help";
    bool much = work_of(text, strstr(text, "--d") != NULL) >= MOST_WORK;
    int count = 0;
    for (char *at = strtok(text, "\n"); at != NULL && count < MOST_WORDS; at = strtok(NULL, "\n"))
        word[count++] = at;
    if (much)
        word[count++] = help;
    word[count] = NULL;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT + 1], *word[MOST_WORDS + 2];
    if (size < 1 || size > MOST_TEXT || memchr(data, '/', size) || memchr(data, '\0', size))
        return 0;
    go_nowhere();
    memcpy(text, data, size);
    text[size] = '\0';
    int count = split(text, word);
    const struct command *command = count > 0 ? command_find(word[0]) : NULL;
    if (command == NULL)
        return 0;
    struct roundcast_error error = {0};
    bool held = command->run(count, word, &error);
    const struct err err = {.code = (enum err_code)error.code};
    if (held != (err.code == ERR_NONE) || FUZZ_FAULT)
        fuzz_fail("%s %s: %s [E%03d]", word[0], held ? "holds" : "fails", error.text,
                  (int)err.code);
    if (!held)
        fuzz_refused(&err);
    return 0;
}
