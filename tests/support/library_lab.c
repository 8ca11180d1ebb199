/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/library_lab.h"

#include "tests/support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct roundcast_request library_ask(const char *const words[])
{
    struct roundcast_request request;
    struct roundcast_error error = {0};
    assert_true(roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error));
    for (size_t which = 0; words[which] != NULL; which += 2)
        if (!roundcast_set(&request, words[which], words[which + 1], &error))
            fail_msg("%s", error.text);
    return request;
}

struct roundcast_schedule *library_build(struct roundcast_request request)
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = roundcast_build(&request, &error);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    return schedule;
}

struct roundcast_image *library_route(const struct roundcast_schedule *schedule,
                                      struct roundcast_request request)
{
    struct roundcast_error error = {0};
    struct roundcast_image *image = roundcast_route(schedule, &request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    return image;
}

struct roundcast_schedule *library_read(const char *text)
{
    struct roundcast_error error = {0};
    struct roundcast_schedule *schedule = roundcast_read_text("hand", text, strlen(text), &error);
    if (schedule == NULL)
        fail_msg("%s", error.text);
    return schedule;
}

void library_rejects(bool accepted, struct roundcast_error *error, int code, const char *part)
{
    assert_false(accepted);
    if (error->code != code || strstr(error->text, part) == NULL)
        fail_msg("E%d %s; expected E%d with '%s'", error->code, error->text, code, part);
    *error = (struct roundcast_error){0};
}

char library_folder[] = "/tmp/roundcast-library-XXXXXX";

int library_folder_make(void **state)
{
    (void)state;
    return mkdtemp(library_folder) != NULL ? 0 : 1;
}

int library_folder_remove(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "/bin/rm -rf %s", library_folder); /* PATH may be another */
    return system(command);
}

const char *library_path(const char *name, char path[100])
{
    snprintf(path, 100, "%s/%s", library_folder, name);
    return path;
}

char *library_text(const struct roundcast_schedule *schedule)
{
    size_t size;
    char *text = roundcast_write_text(schedule, &size, NULL);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    return text;
}

struct roundcast_image *library_compile(const struct roundcast_request *request)
{
    struct roundcast_error error = {0};
    struct roundcast_image *image = roundcast_compile(request, &error);
    if (image == NULL)
        fail_msg("%s", error.text);
    return image;
}

bool library_keep(void *with, const struct roundcast_setting *setting)
{
    struct library_settings *settings = with;
    settings->crossed[setting->row][setting->stage][setting->field] = (uint8_t)setting->value;
    return ++settings->seen < settings->most;
}

/* Returns the lane after a Beneš network of 8 ports: stages pair lanes that are 4, 2, 1, 2, 4
 * apart, and the switches of a block of lanes begin at half its first lane. */
static uint32_t follow(const uint8_t crossed[LIBRARY_STAGES][LIBRARY_PORTS / 2], uint32_t lane)
{
    static const uint32_t apart[LIBRARY_STAGES] = {4, 2, 1, 2, 4};
    for (unsigned stage = 0; stage < LIBRARY_STAGES; stage++) {
        const uint32_t half = apart[stage], block = lane / (2 * half) * 2 * half;
        if (crossed[stage][block / 2 + (lane - block) % half])
            lane ^= half;
    }
    return lane;
}

void library_check_circuits(const struct roundcast_schedule *schedule,
                            const struct roundcast_image *image)
{
    struct library_settings settings = {.most = UINT32_MAX};
    struct roundcast_transfer transfer;
    assert_true(roundcast_each_setting(image, library_keep, &settings, NULL));
    assert_int_equal(settings.seen, roundcast_schedule_describe(schedule).end * LIBRARY_STAGES *
                                        LIBRARY_PORTS / 2);
    for (size_t which = 0; roundcast_transfer_at(schedule, which, &transfer, NULL); which++)
        assert_int_equal(follow(settings.crossed[transfer.time - 1], transfer.source),
                         transfer.destination);
}
