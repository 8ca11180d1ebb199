/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast: schedules, verifies and routes a broadcast, and prints the settings of the switches in
 * a round.
 *
 *     cc broadcast.c $(pkg-config --cflags --libs roundcast) -o broadcast
 */
#include <inttypes.h>
#include <roundcast.h>
#include <stdio.h>

/* Prints the switches of each stage in the first round: `-` straight, `x` crossed. */
static bool print_setting(void *unused, const struct roundcast_setting *setting)
{
    (void)unused;
    if (setting->row > 0)
        return false;
    if (setting->field == 0)
        printf("%sstage %" PRIu32 "  ", setting->stage > 0 ? "\n" : "", setting->stage);
    putchar(setting->value ? 'x' : '-');
    return true;
}

int main(void)
{
    struct roundcast_request request;
    struct roundcast_error error = {0};
    struct roundcast_verdict verdict = {0};
    struct roundcast_image *image = NULL;
    struct roundcast_schedule *schedule = NULL;

    if (roundcast_request_init(&request, ROUNDCAST_REQUEST_VERSION, &error)) {
        request.algorithm = "matching";
        request.nodes = 22;
        request.packets = 8;
        request.network = "benes:32";
        schedule = roundcast_build(&request, &error);
    }
    if (schedule != NULL && roundcast_verify(schedule, &verdict, &error))
        image = roundcast_route(schedule, &request, &error);
    if (image != NULL && roundcast_each_setting(image, print_setting, NULL, &error))
        printf("\n%" PRIu64 " rounds (bound %" PRIu64 ") of %" PRIu32 " cycles\n",
               roundcast_schedule_describe(schedule).end, verdict.bound,
               roundcast_image_describe(image).row_cycles);
    else
        fprintf(stderr, "%s [E%d %s]\n", error.text, error.code, roundcast_error_name(error.code));
    roundcast_image_free(image);
    roundcast_schedule_free(schedule);
    return error.code != 0;
}
