#!/bin/sh
# Aircraft files as C: one string for each line, so that no compiler's limit on
# long strings is met. usage: builtin.sh FILE.ini ... >aircraft_builtin.c
echo '/* Made of conf/aircraft/ by builtin.sh; change those. */'
echo '#include <sim/aircraft_type.h>'
for file in "$@"; do
    name=$(basename "$file" .ini)
    echo "static const char *const $name[] = {"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n",/' "$file"
    echo 'NULL};'
done
echo 'const struct aircraft_builtin aircraft_builtins[] = {'
for file in "$@"; do
    name=$(basename "$file" .ini)
    echo "{\"$name\", $name},"
done
echo '{NULL, NULL}};'
