#ifndef VALET_CXML_SHIM_H
#define VALET_CXML_SHIM_H

// Some systems build libxml2 with ICU, whose headers disagree with those of Foundation's own ICU.
// What depends on them is only pointed at.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/SAX2.h>
#include <libxml/parser.h>

#endif
