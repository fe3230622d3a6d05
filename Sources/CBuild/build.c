#include "CBuild.h"

const char *const valet_commit = VALET_COMMIT;
