-- What processes that share one store agree on before they call an upstream.
--
-- Instants are milliseconds since 1970-01-01T00:00:00Z, durations milliseconds, days integers of the form YYYYMMDD.

-- The ledger of calls: a call is entered before it is made, so that a crash loses a unit and never overspends one. The
-- limit and the reserve are settings of the reader and the sync, and are not in here.
CREATE TABLE quota_day (
  upstream             TEXT NOT NULL,                  -- 'kobis'
  day                  INTEGER NOT NULL,               -- begins in Asia/Seoul at the hour of the upstream's reset
  used_count           INTEGER NOT NULL DEFAULT 0 CHECK (used_count >= 0),
  exhausted_at         INTEGER,                        -- when the upstream said that the day's calls are used up
  PRIMARY KEY (upstream, day)
) STRICT, WITHOUT ROWID;

-- The circuit breaker of each upstream: closed where next_attempt_at is null.
CREATE TABLE breaker (
  upstream             TEXT PRIMARY KEY,
  failure_count        INTEGER NOT NULL,               -- failures in a row to reach it, since the last success
  opened_at            INTEGER,                        -- when it was opened, first of all
  cool_down            INTEGER NOT NULL DEFAULT 0,     -- how long it stays open before the next probe
  next_attempt_at      INTEGER,                        -- when the next probe may be made
  probe_until          INTEGER,                        -- until when the probe under way may take
  CHECK ((opened_at IS NULL) = (next_attempt_at IS NULL)),
  CHECK (probe_until IS NULL OR opened_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Who is at work on what. AUTOINCREMENT never gives an epoch twice: who took a lease over has another epoch, and the
-- one it was taken from finds its own gone.
CREATE TABLE lease (
  epoch                INTEGER PRIMARY KEY AUTOINCREMENT,
  name                 TEXT NOT NULL UNIQUE,           -- a resource's name, or 'sync/kobis'
  holder               TEXT NOT NULL,                  -- a random name, the process, and when and where it started
  renewed_at           INTEGER NOT NULL,
  expires_at           INTEGER NOT NULL,
  CHECK (expires_at >= renewed_at)
) STRICT;
