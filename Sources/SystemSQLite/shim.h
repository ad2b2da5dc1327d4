/* What Swift cannot import of <sqlite3.h>: its variadic functions, and the macros that are casts. */

#ifndef SYSTEM_SQLITE_SHIM_H
#define SYSTEM_SQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config() for the options that are one switch.
   https://sqlite.org/c3ref/c_dbconfig_defensive.html */
static inline int system_sqlite3_db_config_switch(sqlite3 *db, int option, int is_on) {
  int is_on_now = -1;
  int result = sqlite3_db_config(db, option, is_on, &is_on_now);
  if (result == SQLITE_OK && is_on_now != is_on) return SQLITE_ERROR;
  return result;
}

/* Binds text that SQLite copies before it returns: SQLITE_TRANSIENT is a cast of -1. */
static inline int system_sqlite3_bind_text_copied(
    sqlite3_stmt *statement, int index, const void *text, sqlite3_uint64 byte_count) {
  return sqlite3_bind_text64(
      statement, index, (const char *)text, byte_count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Binds a blob that SQLite copies before it returns. */
static inline int system_sqlite3_bind_blob_copied(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 byte_count) {
  return sqlite3_bind_blob64(statement, index, bytes, byte_count, SQLITE_TRANSIENT);
}

/* 1 when the file this connection has open is no longer the one at its path.
   https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlhasmoved */
static inline int system_sqlite3_has_moved(sqlite3 *db) {
  int has_moved = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) != SQLITE_OK) return 0;
  return has_moved;
}

#endif
