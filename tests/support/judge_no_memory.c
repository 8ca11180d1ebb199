/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_no_memory.h"

#include <string.h>

/* Removes from a report all numbers, which include times, and the bound. */
static void simplify(const char *text, char kept[SEEN_ROOM])
{
    static const char reported[] = " (bound )", json[] = ",\n  \"bound\": ";
    char *to = kept;
    for (; *text != '\0'; text++)
        if (strchr("0123456789./", *text) == NULL)
            *to++ = *text;
    *to = '\0';
    for (char *at; (at = strstr(kept, reported)) != NULL;)
        memmove(at, at + sizeof reported - 1, strlen(at + sizeof reported - 1) + 1);
    for (char *at; (at = strstr(kept, json)) != NULL;)
        memmove(at, at + sizeof json - 1, strlen(at + sizeof json - 1) + 1);
}

/* Returns whether the report on the lines of a batch, or on several files, has one that ran out of
 * memory. */
static bool is_of_line(const struct seen *seen)
{
    static const char *const reports[][2] = {{"line  command", "[E104"},
                                             {"{\n  \"file\": \"run.batch\"", "\"code\": 104"},
                                             {"file            verdict", "  E104 "},
                                             {"file            verdict", "  E201 "},
                                             {"{\n  \"schedules\": 2", "Cannot allocate memory"},
                                             {"{\n  \"schedules\": 2", "\"code\": 104"}};
    bool is = false;
    for (size_t which = 0; which < sizeof reports / sizeof *reports; which++)
        is = is || (strncmp(seen->output, reports[which][0], strlen(reports[which][0])) == 0 &&
                    strstr(seen->output, reports[which][1]) != NULL);
    return is;
}

/* Returns whether the output of a failed command is valid: a prefix of its normal output, or the
 * error in JSON. */
static bool is_printed(const struct seen *seen, const struct seen *whole)
{
    static const char error[] = "{\n  \"error\": {\n";
    static char kept[SEEN_ROOM], expected[SEEN_ROOM];
    simplify(seen->output, kept);
    simplify(whole->output, expected);
    return strncmp(seen->output, error, sizeof error - 1) == 0 || seen->printed == 0 ||
           is_of_line(seen) ||
           (whole->output[0] != '{' && strncmp(kept, expected, strlen(kept)) == 0);
}

/* Returns whether the command prints estimates, which may be weaker without memory. */
static bool estimates(const char *command)
{
    return strncmp(command, "plan", 4) == 0 || strncmp(command, "tune", 4) == 0 ||
           strncmp(command, "bound", 5) == 0 || strncmp(command, "plot plan", 9) == 0 ||
           strncmp(command, "plot tune", 9) == 0;
}

/* Returns whether the command succeeded without the memory. Its result must be the same, except for
 * bounds and predictions: without memory for f_λ or a matrix they are weaker, or not reported. */
static bool did_without(const char *command, const struct seen *seen, const struct seen *whole)
{
    static char kept[SEEN_ROOM], expected[SEEN_ROOM];
    bool same = strcmp(seen->output, whole->output) == 0 || estimates(command);
    bool weaker = strstr(command, "postal") != NULL || strstr(command, "traffic") != NULL ||
                  strstr(command, "general") != NULL || strstr(command, "--lambda") != NULL;
    simplify(seen->output, kept);
    simplify(whole->output, expected);
    return seen->status == whole->status && seen->files == whole->files &&
           strcmp(seen->error, whole->error) == 0 &&
           (same || (weaker && strcmp(kept, expected) == 0));
}

const char *judge_no_memory(const char *command, const struct seen *seen, const struct seen *whole,
                            uint64_t before)
{
    if (seen->left != 0)
        return "memory is left";
    if (seen->open != 0)
        return "a descriptor is left";
    if (did_without(command, seen, whole))
        return NULL;
    if (seen->status != 2)
        return "another exit status than 2";
    bool same = whole->status != 0 && strcmp(seen->error, whole->error) == 0;
    if (!same && strstr(seen->error, " [E104 too-big]\n") == NULL &&
        strstr(seen->error, "Cannot allocate memory") == NULL)
        return "another message";
    if (seen->files != before && seen->files != whole->files)
        return "files are half written";
    return is_printed(seen, whole) ? NULL : "something else is printed";
}
