#ifndef VALET_CBUILD_H
#define VALET_CBUILD_H

// The commit that is built, as the environment variable VALET_COMMIT had it; else empty. In C, since
// Swift takes no text from the manifest.
extern const char *const valet_commit;

#endif
