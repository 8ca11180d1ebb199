/* SPDX-License-Identifier: Apache-2.0 */
/* template: the files of pages, which are part of the program; texts that end with a 0. */
#ifndef ROUNDCAST_VIEW_TEMPLATE_H
#define ROUNDCAST_VIEW_TEMPLATE_H

extern const char template_page[], template_index[], template_style[];

/* The scripts of a page, one behind the other. */
extern const char template_script[];

#endif
