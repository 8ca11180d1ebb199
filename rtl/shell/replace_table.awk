# SPDX-License-Identifier: Apache-2.0
# replace_table.awk: prints a page with the table of registers replaced by that in the file `table`.

/^\| number \| name \| bits / {
    while ((getline line < table) > 0) print line
    replaced = 1
}
/^[^|]|^$/ { replaced = 0 }
!replaced { print }
