#ifndef VALET_CMEMORY_SHIM_H
#define VALET_CMEMORY_SHIM_H

// Swift's Glibc module leaves malloc.h out.
#if defined(__linux__)
#include <malloc.h>
#endif

// Asks for memory that will be read, without waiting for it. Any address will do.
static inline void valet_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
