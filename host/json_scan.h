/*
 * Reads just enough JSON for a report that is passed on: whether the text is
 * one whole value, and one number in it. Nesting is at most 32 deep.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

/*
 * Looks through `text`. 0, or -EINVAL: it is not JSON. `path` names a member of
 * members ("tick_ms.p99"; names without dots and escapes); `out` becomes its
 * number, NaN when there is none. `path` may be NULL.
 */
int json_scan(const char *text, const char *path, double *out);

#endif
