#include "craft_eigen.h"

#include <complex.h>
#include <errno.h>
#include <math.h>

#define STEPS_MAX 60 /* for one eigenvalue; three are usual */
#define SMALL     1e-15

typedef double complex matrix[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX];

static void
swap_lines(matrix h, int n, int a, int b)
{
    double complex keep;
    int i;

    for (i = 0; i < n; i++) {
        keep = h[a][i];
        h[a][i] = h[b][i];
        h[b][i] = keep;
    }
    for (i = 0; i < n; i++) {
        keep = h[i][a];
        h[i][a] = h[i][b];
        h[i][b] = keep;
    }
}

/* Zeros below the first subdiagonal, by elimination with the largest pivot; the
 * columns take the inverse of what the rows do. */
static void
to_hessenberg(matrix h, int n)
{
    double complex factor;
    int column, row, i, pivot;

    for (column = 0; column < n - 2; column++) {
        pivot = column + 1;
        for (row = column + 2; row < n; row++)
            if (cabs(h[row][column]) > cabs(h[pivot][column]))
                pivot = row;
        if (h[pivot][column] == 0)
            continue;
        if (pivot != column + 1)
            swap_lines(h, n, pivot, column + 1);
        for (row = column + 2; row < n; row++) {
            factor = h[row][column] / h[column + 1][column];
            for (i = 0; i < n; i++)
                h[row][i] -= factor * h[column + 1][i];
            for (i = 0; i < n; i++)
                h[i][column + 1] += factor * h[i][row];
        }
    }
}

/* The eigenvalue of the last 2 x 2 block that is nearer to its last corner. */
static double complex
shift_of(matrix h, int last)
{
    double complex a = h[last - 1][last - 1], d = h[last][last];
    double complex half = (a - d) / 2;
    double complex root =
        csqrt(half * half + h[last - 1][last] * h[last][last - 1]);
    double complex one = (a + d) / 2 + root, other = (a + d) / 2 - root;

    return cabs(one - d) < cabs(other - d) ? one : other;
}

/* One QR step of the block first .. last: rotations from the left make it
 * triangular, and from the right mix it again. */
static void
qr_step(matrix h, int first, int last, double complex shift)
{
    double complex c[CRAFT_EIGEN_MAX], s[CRAFT_EIGEN_MAX], up, down;
    double length;
    int k, i;

    for (k = first; k <= last; k++)
        h[k][k] -= shift;
    for (k = first; k < last; k++) {
        length = hypot(cabs(h[k][k]), cabs(h[k + 1][k]));
        c[k] = length > 0 ? h[k][k] / length : 1;
        s[k] = length > 0 ? h[k + 1][k] / length : 0;
        for (i = k; i <= last; i++) {
            up = h[k][i];
            down = h[k + 1][i];
            h[k][i] = conj(c[k]) * up + conj(s[k]) * down;
            h[k + 1][i] = -s[k] * up + c[k] * down;
        }
    }
    for (k = first; k < last; k++)
        for (i = first; i <= k + 1; i++) {
            up = h[i][k];
            down = h[i][k + 1];
            h[i][k] = c[k] * up + s[k] * down;
            h[i][k + 1] = -conj(s[k]) * up + conj(c[k]) * down;
        }
    for (k = first; k <= last; k++)
        h[k][k] += shift;
}

/* Where the block that ends at `last` begins. */
static int
block_start(matrix h, int last)
{
    int k;

    for (k = last; k > 0; k--)
        if (cabs(h[k][k - 1]) <=
            SMALL * (cabs(h[k][k]) + cabs(h[k - 1][k - 1])))
            break;
    return k;
}

int
craft_eigenvalues(double a[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX], int n,
                  struct craft_root *out)
{
    int last = n - 1, steps = 0, first, i, k;
    matrix h;

    for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
            if (!isfinite(a[i][k]))
                return -EDOM;
            h[i][k] = a[i][k];
        }
    to_hessenberg(h, n);
    while (last >= 0) {
        first = block_start(h, last);
        if (first == last) {
            out[last].real = creal(h[last][last]);
            out[last].imag = cimag(h[last][last]);
            last--;
            steps = 0;
            continue;
        }
        if (++steps > STEPS_MAX)
            return -EDOM;
        /* Now and then another shift, should the usual one go in circles. */
        qr_step(h, first, last,
                steps % 10 == 0 ? cabs(h[last][last - 1]) + h[last][last]
                                : shift_of(h, last));
    }
    return 0;
}
