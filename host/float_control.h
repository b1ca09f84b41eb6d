/*
 * The floating-point control state of a thread: rounding, traps, and whether
 * denormals count. A library built with -ffast-math changes it for whoever
 * loads it, which would make two hosts step the same world differently. Here
 * it is one word without the sticky exception flags, cheap enough to compare
 * around every call.
 */
#ifndef FLOAT_CONTROL_H
#define FLOAT_CONTROL_H

#include <stdint.h>

#if defined(__x86_64__)

/* MXCSR below, the x87 control word above. */
static inline uint64_t
float_control(void)
{
    uint32_t mxcsr;
    uint16_t x87;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return (uint64_t)x87 << 32 | (mxcsr & ~0x3fu);
}

static inline void
float_control_set(uint64_t control)
{
    uint32_t mxcsr = (uint32_t)control;
    uint16_t x87 = (uint16_t)(control >> 32);

    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    __asm__ volatile("fldcw %0" : : "m"(x87));
}

#elif defined(__aarch64__)

static inline uint64_t
float_control(void)
{
    uint64_t fpcr;

    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

static inline void
float_control_set(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

#else
#    include <fenv.h>

static inline uint64_t
float_control(void)
{
    return (uint64_t)fegetround();
}

static inline void
float_control_set(uint64_t control)
{
    fesetround((int)control);
}

#endif

#endif
