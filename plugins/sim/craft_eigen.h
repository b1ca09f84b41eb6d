/* Eigenvalues of a small real matrix, by shifted QR steps. */
#ifndef SIM_CRAFT_EIGEN_H
#define SIM_CRAFT_EIGEN_H

#define CRAFT_EIGEN_MAX 16

struct craft_root {
    double real, imag;
};

/* The `n` eigenvalues of `a` (rows of CRAFT_EIGEN_MAX), in no order. 0, or
 * -EDOM: not a number among them, or no end was found. */
int craft_eigenvalues(double a[CRAFT_EIGEN_MAX][CRAFT_EIGEN_MAX], int n,
                      struct craft_root *out);

#endif
