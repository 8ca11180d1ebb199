/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_options: the defaults that the help states, and each field at and beyond its limits. */
#include "lib/roundcast/mpi.h"
#include "tests/support/cmocka_all.h"

#include <string.h>

static bool set(struct roundcast_mpi_options *request, const char *name, const char *text,
                struct roundcast_error *err)
{
    const struct roundcast_field *field =
        roundcast_field_find(roundcast_mpi_fields, ROUNDCAST_MPI_FIELDS, name);
    assert_non_null(field);
    *err = (struct roundcast_error){0};
    return roundcast_field_parse(field, request, text, err);
}

static void defaults_are_those_of_the_help(void **unused)
{
    (void)unused;
    static const uint32_t usual[] = {1, 64, 4096, 65536};
    struct roundcast_mpi_options request;
    roundcast_mpi_init(&request);
    assert_int_equal(request.repeat, 10);
    assert_int_equal(request.order, ROUNDCAST_MPI_ROUNDS);
    assert_int_equal(request.byte_count, 4);
    assert_memory_equal(request.bytes, usual, sizeof usual);
    assert_non_null(
        strstr(roundcast_field_find(roundcast_mpi_fields, ROUNDCAST_MPI_FIELDS, "bytes")->help,
               request.sizes));
}

static void fields_have_limits(void **unused)
{
    (void)unused;
    struct roundcast_error err;
    struct roundcast_mpi_options request;
    roundcast_mpi_init(&request);
    assert_true(set(&request, "order", "dependency", &err));
    assert_int_equal(request.order, ROUNDCAST_MPI_DEPENDENCY);
    assert_false(set(&request, "order", "none", &err));
    assert_int_equal(err.code, ROUNDCAST_E_OPTION);

    assert_true(set(&request, "bytes", "7,1Ki,1073741824", &err));
    assert_int_equal(request.byte_count, 3);
    assert_int_equal(request.bytes[1], 1024);
    assert_int_equal(request.bytes[2], UINT32_C(1) << 30);
    assert_false(set(&request, "bytes", "1073741825", &err));
    assert_int_equal(err.code, ROUNDCAST_E_RANGE);
    assert_false(set(&request, "bytes", "1,,2", &err));
    assert_int_equal(err.code, ROUNDCAST_E_OPTION);
    char many[2 * (ROUNDCAST_MPI_SIZES + 1)];
    for (size_t size = 0; size <= ROUNDCAST_MPI_SIZES; size++)
        memcpy(many + 2 * size, "1,", 2);
    many[2 * ROUNDCAST_MPI_SIZES - 1] = '\0';
    assert_true(set(&request, "bytes", many, &err));
    many[2 * ROUNDCAST_MPI_SIZES - 1] = ',';
    many[sizeof many - 1] = '\0';
    assert_false(set(&request, "bytes", many, &err));
    assert_int_equal(err.code, ROUNDCAST_E_RANGE);

    assert_true(set(&request, "repeat", "1000000", &err));
    assert_false(set(&request, "repeat", "1000001", &err));
    assert_int_equal(err.code, ROUNDCAST_E_RANGE);
    assert_false(set(&request, "repeat", "0", &err));
    assert_int_equal(err.code, ROUNDCAST_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_help),
        cmocka_unit_test(fields_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
