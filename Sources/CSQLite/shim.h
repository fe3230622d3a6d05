#ifndef VALET_CSQLITE_SHIM_H
#define VALET_CSQLITE_SHIM_H

// Debian and Homebrew build SQLite with the pre-update hook; its declarations hide behind this.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift cannot call: the two shapes that Valet needs.
static inline int valet_sqlite3_db_config_set(sqlite3 *db, int option, int value) {
    int result = 0;
    return sqlite3_db_config(db, option, value, &result);
}

// SQLITE_TRANSIENT is a cast macro, which Swift does not import.
static inline sqlite3_destructor_type valet_sqlite3_transient(void) {
    return SQLITE_TRANSIENT;
}

#endif
