/* The files of templates/, as the build puts them into the program. */
#ifndef NEW_H
#define NEW_H

struct new_template {
    const char *name; /* of the file; NULL after the last */
    const char *text;
};

extern const struct new_template new_templates[];

#endif
