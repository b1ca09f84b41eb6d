/*
 * What may be printed: texts of peers and plugins are any bytes.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdint.h>

/*
 * Reads one character of a text that ends in a zero byte. Returns its length in
 * bytes, 1 to 4, or 0 when no valid UTF-8 stands there (overlong forms,
 * surrogates and a cut sequence are not; the terminating zero is, of length 1).
 */
int utf8_read(const char *text, uint32_t *out);

#endif
