/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options_value.h"

#include "sched/base/decimal.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <string.h>

bool options_number(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                    uint64_t *value, struct err *err)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || digits[count] != '\0')
        return err_set(err, ERR_OPTION,
                       "%s: '%.40s' is not a number; expected %" PRIu64 " … %" PRIu64, option, text,
                       minimum, maximum);
    uint64_t number = 0;
    bool fits = text[0] != '-';
    for (size_t which = 0; which < count && fits; which++)
        fits = !__builtin_mul_overflow(number, 10, &number) &&
               !__builtin_add_overflow(number, (uint64_t)(digits[which] - '0'), &number);
    if (!fits || number < minimum || number > maximum)
        return err_set(err, ERR_RANGE, "%s: %.40s is out of range; expected %" PRIu64 " … %" PRIu64,
                       option, text, minimum, maximum);
    *value = number;
    return true;
}

bool options_number32(const char *option, const char *text, uint32_t minimum, uint32_t maximum,
                      uint32_t *value, struct err *err)
{
    uint64_t number = 0;
    if (!options_number(option, text, minimum, maximum, &number, err))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool options_bytes(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                   uint64_t *value, struct err *err)
{
    struct decimal decimal;
    uint64_t number;
    bool negative = text[0] == '-', fraction = false;
    if (!decimal_parse(text + negative, &decimal))
        return err_set(err, ERR_OPTION,
                       "%s: '%.40s' is not a number of bytes; expected %" PRIu64 " … %" PRIu64
                       ", such as 512, 4K or 64Ki",
                       option, text, minimum, maximum);
    if (negative || !decimal_whole(&decimal, &number, &fraction) || fraction || number < minimum ||
        number > maximum)
        return err_set(err, ERR_RANGE,
                       "%s: %.40s is out of range; expected %" PRIu64 " … %" PRIu64 "%s", option,
                       text, minimum, maximum, fraction ? ", a whole number" : "");
    *value = number;
    return true;
}

bool options_choice(const char *option, const char *text, const char *const name[], size_t count,
                    unsigned *which, struct err *err)
{
    char all[200], hint[TEXT_HINT];
    struct text_nearest nearest = {0};
    for (unsigned index = 0; index < count; index++) {
        text_look(&nearest, text, name[index]);
        if (strcmp(text, name[index]) == 0) {
            *which = index;
            return true;
        }
    }
    return err_set(err, ERR_OPTION, "%s: '%.40s' does not exist%s; expected %s", option, text,
                   text_hint(&nearest, hint), text_list(name, count, " or ", all, sizeof all));
}

error_t options_argument(const char *what, const char *argument, const char **slot, struct err *err)
{
    if (*slot != NULL)
        return options_refuse(err_set(
            err, ERR_OPTION, "%.40s: one %s too many; expected only %.40s", argument, what, *slot));
    *slot = argument;
    return 0;
}
