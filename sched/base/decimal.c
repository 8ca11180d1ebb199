/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/decimal.h"

#include <string.h>

/* limit of an exponent; digits cannot compensate for a larger one */
#define FAR INT64_C(1000000000)
#define WHOLE_END UINT64_C(10000000000000000000)

enum { WHOLE, POINT, EXPONENT, SIGN, POWER, LETTER, OVER };

struct decimal decimal_begin(void)
{
    return (struct decimal){.times = 1};
}

static void take_digit(struct decimal *decimal, unsigned digit)
{
    bool point = decimal->stage == POINT;
    decimal->any = true;
    if (decimal->kept == DECIMAL_DIGITS) {
        decimal->more = decimal->more || digit != 0;
        decimal->tens += !point;
        return;
    }
    decimal->kept += decimal->kept > 0 || digit != 0;
    decimal->digits = decimal->digits * 10 + digit;
    decimal->tens -= point;
}

static void take_power(struct decimal *decimal, unsigned digit)
{
    decimal->stage = POWER;
    if (decimal->exponent < FAR)
        decimal->exponent = decimal->exponent * 10 + digit;
}

static bool take_suffix(struct decimal *decimal, char byte)
{
    static const char letters[] = "KMGT";
    const char *letter = byte != '\0' ? strchr(letters, byte) : NULL;
    if (letter == NULL)
        return false;
    for (const char *power = letters; power <= letter; power++)
        decimal->times *= 1000;
    decimal->stage = LETTER;
    return true;
}

/* Handles an i after the suffix: powers of 1024 replace those of 1000. */
static void take_binary(struct decimal *decimal)
{
    uint64_t binary = 1;
    for (uint64_t decimals = decimal->times; decimals > 1; decimals /= 1000)
        binary *= 1024;
    decimal->times = binary;
    decimal->stage = OVER;
}

bool decimal_take(struct decimal *decimal, char byte)
{
    bool mantissa = decimal->stage == WHOLE || decimal->stage == POINT;
    bool power = decimal->stage == EXPONENT || decimal->stage == SIGN || decimal->stage == POWER;
    if (byte >= '0' && byte <= '9' && mantissa)
        take_digit(decimal, (unsigned)(byte - '0'));
    else if (byte >= '0' && byte <= '9' && power)
        take_power(decimal, (unsigned)(byte - '0'));
    else if (byte == '.' && decimal->stage == WHOLE)
        decimal->stage = POINT;
    else if ((byte == 'e' || byte == 'E') && mantissa && decimal->any)
        decimal->stage = EXPONENT;
    else if ((byte == '+' || byte == '-') && decimal->stage == EXPONENT) {
        decimal->negative = byte == '-';
        decimal->stage = SIGN;
    } else if (byte == 'i' && decimal->stage == LETTER)
        take_binary(decimal);
    else
        return ((mantissa && decimal->any) || decimal->stage == POWER) &&
               take_suffix(decimal, byte);
    return true;
}

bool decimal_end(struct decimal *decimal)
{
    decimal->tens += decimal->negative ? -decimal->exponent : decimal->exponent;
    decimal->exponent = 0;
    return decimal->any && decimal->stage != EXPONENT && decimal->stage != SIGN;
}

bool decimal_whole(const struct decimal *decimal, uint64_t *whole, bool *fraction)
{
    const uint64_t times = decimal->times;
    unsigned __int128 value = (unsigned __int128)decimal->digits * times; /* < 2^64 · 2^40 */
    bool part = decimal->more;
    if (decimal->more && times > 1 && (times & (times - 1)) == 0)
        return false;
    for (int64_t tens = decimal->tens; tens > 0 && value > 0 && value < WHOLE_END; tens--)
        value *= 10;
    for (int64_t tens = decimal->tens; tens < 0 && value > 0; tens++) {
        part = part || value % 10 != 0;
        value /= 10;
    }
    /* If digits were dropped and the value is less than this, those digits are after the point. */
    if (value >= WHOLE_END)
        return false;
    *whole = (uint64_t)value;
    *fraction = part;
    return true;
}

bool decimal_parse(const char *text, struct decimal *decimal)
{
    *decimal = decimal_begin();
    for (; *text != '\0'; text++)
        if (!decimal_take(decimal, *text))
            return false;
    return decimal_end(decimal);
}
