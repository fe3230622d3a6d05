#ifndef VALET_CMALLOC_SHIM_H
#define VALET_CMALLOC_SHIM_H

// Swift's Glibc module leaves malloc.h out.
#if defined(__linux__)
#include <malloc.h>
#endif

#endif
