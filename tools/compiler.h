/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_COMPILER_H
#define A32_COMPILER_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define __printf(fmt, first)	__attribute__((format(printf, fmt, first)))
#define __noreturn		__attribute__((noreturn))

#endif
