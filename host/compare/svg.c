#include "svg.h"
#include <math.h>
#include <stdint.h>

#define LOOKS      8
#define BAR_PIXELS 10.0

/* The colours are those of Okabe and Ito; ink is what shows on each. */
static const struct {
    const char *colour;
    const char *ink;
    const char *hatch;  /* a path in a tile of 6 by 6 */
    const char *marker; /* a path around 0,0 */
    const char *dashes;
} looks[LOOKS] = {
    {"#0072b2", "#ffffff", "",                           "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "none"   },
    {"#e69f00", "#000000", "M-1,1L1,-1M0,6L6,0M5,7L7,5", "M-3.5,-3.5h7v7h-7z",
     "6,2"                                                                                               },
    {"#56b4e9", "#000000", "M3,0V6",                     "M0,-4.5L4.5,3.5H-4.5z",               "2,2"    },
    {"#d55e00", "#ffffff", "M0,3H6",                     "M0,-5L5,0L0,5L-5,0z",                 "8,2,2,2"},
    {"#009e73", "#ffffff", "M-1,5L1,7M0,0L6,6M5,-1L7,1",
     "M0,4.5L4.5,-3.5H-4.5z",                                                                   "1,2"    },
    {"#cc79a7", "#000000", "M0,0L6,6M0,6L6,0",
     "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",                                                  "10,3"   },
    {"#f0e442", "#000000", "M2,2h2v2h-2z",               "M-4,-4.5L4.5,0L-4,4.5z",              "4,1,1,1"},
    {"#000000", "#ffffff", "M3,0V6M0,3H6",               "M-4.5,-4L4.5,4V-4L-4.5,4z",           "3,4"    },
};

static const char style[] =
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;"
    "fill:#000}\n"
    ".title{font-size:18px;font-weight:bold}\n"
    ".stage,.file{font-size:12px;font-weight:bold}\n"
    ".end{text-anchor:end}\n"
    ".middle{text-anchor:middle}\n"
    "line{stroke:#000;stroke-width:1}\n"
    "line.grid{stroke:#ccc}\n"
    "line.tick{stroke-width:1.5}\n"
    "line.p50{stroke-width:3}\n"
    ".bar,.marker{stroke:#000;stroke-width:1}\n";

/* The ninth look has the first's colour with the second's hatch and marker. */
static int
shifted(int look)
{
    return (look + look / LOOKS) % LOOKS;
}

/* The bytes of the character at `text`, not its end, and whether a picture may
 * have it: valid UTF-8 and a Char of XML 1.0. */
static size_t
character(const unsigned char *text, int *valid)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t bytes = text[0] < 0x80   ? 1
                   : text[0] < 0xc0 ? 0
                   : text[0] < 0xe0 ? 2
                   : text[0] < 0xf0 ? 3
                   : text[0] < 0xf8 ? 4
                                    : 0;
    uint32_t code;
    size_t i;

    *valid = 0;
    if (bytes == 0)
        return 1;
    code = bytes == 1 ? text[0] : text[0] & (0x7fU >> bytes);
    for (i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return i;
        code = code << 6 | (text[i] & 0x3fU);
    }
    *valid = code >= least[bytes] && code >= 0x20 && code != 0x7f &&
             (code < 0xd800 || code > 0xdfff) && code != 0xfffe &&
             code != 0xffff && code <= 0x10ffff;
    return bytes;
}

static size_t
characters_of(const char *text)
{
    size_t count = 0;
    int valid;

    for (; *text != '\0'; count++)
        text += character((const unsigned char *)text, &valid);
    return count;
}

static void
put_character(FILE *to, const char *text, size_t bytes, int valid)
{
    if (!valid)
        fputs("\xef\xbf\xbd", to); /* U+FFFD */
    else if (*text == '<')
        fputs("&lt;", to);
    else if (*text == '>')
        fputs("&gt;", to);
    else if (*text == '&')
        fputs("&amp;", to);
    else
        fwrite(text, 1, bytes, to);
}

static void
put_escaped(FILE *to, const char *text, size_t characters_max)
{
    size_t left = characters_of(text), room = characters_max;
    size_t bytes;
    int valid;

    if (left > room)
        left = room - 1;
    else
        room = 0;
    for (; left > 0; left--) {
        bytes = character((const unsigned char *)text, &valid);
        put_character(to, text, bytes, valid);
        text += bytes;
    }
    if (room > 0)
        fputs("\xe2\x80\xa6", to); /* an ellipsis */
}

void
svg_begin(FILE *to, int width, int height, const char *title)
{
    fprintf(to,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    put_escaped(to, title, 200);
    fprintf(to,
            "</title>\n<style type=\"text/css\">\n%s</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            style, width, height);
}

void
svg_end(FILE *to)
{
    fputs("</svg>\n", to);
}

void
svg_hatches(FILE *to, int count)
{
    int i;

    fputs("<defs>\n", to);
    for (i = 0; i < count; i++)
        fprintf(to,
                "<pattern id=\"hatch%d\" width=\"6\" height=\"6\" "
                "patternUnits=\"userSpaceOnUse\"><rect width=\"6\" "
                "height=\"6\" fill=\"%s\"/><path d=\"M0,0%s\" stroke=\"%s\" "
                "stroke-width=\"1.2\" fill=\"none\"/></pattern>\n",
                i, looks[i % LOOKS].colour, looks[shifted(i)].hatch,
                looks[i % LOOKS].ink);
    fputs("</defs>\n", to);
}

void
svg_text(FILE *to, double x, double y, const char *kind, size_t characters_max,
         const char *text)
{
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, kind);
    put_escaped(to, text, characters_max);
    fputs("</text>\n", to);
}

void
svg_line(FILE *to, double x1, double y1, double x2, double y2, const char *kind)
{
    fprintf(to,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
            "class=\"%s\"/>\n",
            x1, y1, x2, y2, kind);
}

static void
put_tick(FILE *to, double x, double y, double half, const char *kind)
{
    svg_line(to, x, y - half, x, y + half, kind);
}

void
svg_box(FILE *to, const struct svg_box *box, int look)
{
    fprintf(to,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
            "class=\"range\" stroke-dasharray=\"%s\"/>\n",
            box->min, box->y, box->max, box->y, looks[look % LOOKS].dashes);
    put_tick(to, box->min, box->y, 2.5, "range");
    put_tick(to, box->max, box->y, 2.5, "range");
    fprintf(to,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "class=\"bar\" fill=\"url(#hatch%d)\"/>\n",
            fmin(box->p50, box->p95), box->y - BAR_PIXELS / 2,
            fabs(box->p95 - box->p50), BAR_PIXELS, look);
    put_tick(to, box->p95, box->y, 6.5, "tick");
    put_tick(to, box->p50, box->y, 6.5, "p50");
    put_tick(to, box->p99, box->y, 6.5, "tick");
    fprintf(to,
            "<path transform=\"translate(%.1f,%.1f)\" class=\"marker\" "
            "fill=\"%s\" d=\"%s\"/>\n",
            box->p99, box->y, looks[look % LOOKS].colour,
            looks[shifted(look)].marker);
}
