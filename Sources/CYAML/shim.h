#ifndef VALET_CYAML_SHIM_H
#define VALET_CYAML_SHIM_H

#include <yaml.h>

#endif
