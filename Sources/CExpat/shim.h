#ifndef VALET_CEXPAT_SHIM_H
#define VALET_CEXPAT_SHIM_H

#include <expat.h>

#endif
