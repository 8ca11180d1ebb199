/* SPDX-License-Identifier: Apache-2.0 */
#include "view/template.h"

/* The assembler reads the files relative to the root of the sources. The Makefile lists them as
 * dependencies of this file. */
#define FILE_OF(path) ".incbin \"view/" path "\"\n"
#define TEXT(symbol, files)                                                               \
    __asm__(".section .rodata\n.global " #symbol "\n.type " #symbol ", @object\n" #symbol \
            ":\n" files ".byte 0\n.size " #symbol ", . - " #symbol "\n.previous\n");

TEXT(template_page, FILE_OF("page.html"))
TEXT(template_index, FILE_OF("index.html"))
TEXT(template_style, FILE_OF("page.css"))
TEXT(template_script,
     FILE_OF("data.js") FILE_OF("moment.js") FILE_OF("paint.js") FILE_OF("verdict.js")
         FILE_OF("lens.js") FILE_OF("multistage.js") FILE_OF("tree.js") FILE_OF("cube.js")
             FILE_OF("complete.js") FILE_OF("network.js") FILE_OF("views.js") FILE_OF("spread.js")
                 FILE_OF("timeline.js") FILE_OF("node.js") FILE_OF("page.js"))
