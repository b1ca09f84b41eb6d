/* The sentence that says why a file is refused. */
#ifndef REFUSE_H
#define REFUSE_H

#include "plugin.h"
#include <stdarg.h>
#include <stdio.h>

/* Writes the sentence (PLUGIN_WHY_MAX; NULL: nobody asks) and returns `code`,
 * so that a refusal is one statement. */
__attribute__((format(printf, 3, 4))) static inline int
refuse(char *why, int code, const char *format, ...)
{
    va_list arguments;

    if (why == NULL)
        return code;
    va_start(arguments, format);
    vsnprintf(why, PLUGIN_WHY_MAX, format, arguments);
    va_end(arguments);
    return code;
}

#endif
