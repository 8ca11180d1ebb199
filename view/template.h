/* SPDX-License-Identifier: Apache-2.0 */
/* template: the files of pages, linked into the program as null-terminated strings. */
#ifndef ROUNDCAST_VIEW_TEMPLATE_H
#define ROUNDCAST_VIEW_TEMPLATE_H

extern const char template_page[], template_index[], template_style[];

/* The scripts of a page, concatenated. */
extern const char template_script[];

#endif
