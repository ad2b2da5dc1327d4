-- The first schema.
--
-- Days are integers of the form YYYYMMDD and lie in Asia/Seoul. Instants are milliseconds since 1970-01-01T00:00:00Z.
-- Money is in Korean won, an audience in admissions, a share or a change in percent.

-- What an upstream was asked for: one row for each resource, with the record of the attempts to get it. Its answer
-- lies in chart_entry or in movie_details; it was stored at least once if fetched_at is not null.
CREATE TABLE resource (
  resource_id          INTEGER PRIMARY KEY,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  kind                 TEXT NOT NULL,                  -- 'daily-box-office', 'movie-details', …
  key                  TEXT NOT NULL,                  -- '20220105', or a movie's code
  first_day            INTEGER,                        -- a chart's first day
  source               TEXT,                           -- the host that answered, or 'recorded'
  fetched_at           INTEGER,                        -- when the stored answer was last fetched, the same or new
  is_empty             INTEGER NOT NULL DEFAULT 0 CHECK (is_empty IN (0, 1)),
  revision             INTEGER NOT NULL DEFAULT 0,     -- how many different answers there were
  revised_at           INTEGER,                        -- when the present revision was stored
  invalidated_at       INTEGER,                        -- when it was marked as no longer fresh
  last_attempt_at      INTEGER,
  failure_code         TEXT,                           -- why the last attempt failed; null if it did not
  failure_message      TEXT,
  failure_detail       TEXT,
  failed_at            INTEGER,
  UNIQUE (upstream, kind, key),
  CHECK ((fetched_at IS NULL) = (source IS NULL)),
  CHECK ((fetched_at IS NULL) = (revision = 0)),
  CHECK ((failure_code IS NULL) = (failed_at IS NULL))
) STRICT;

CREATE INDEX resource_by_failure ON resource (upstream, failed_at, key) WHERE failed_at IS NOT NULL;

-- The movies that charts and details have named. The title and the opening day are those of the latest chart that
-- named the movie, or of its details if no chart did.
CREATE TABLE movie (
  movie_code           TEXT PRIMARY KEY,
  title                TEXT NOT NULL,
  opened_on            INTEGER,
  named_on             INTEGER NOT NULL                -- the latest day whose chart named it; 0 if none did
) STRICT, WITHOUT ROWID;

-- The rows of charts. Ranks may tie; position is the order.
CREATE TABLE chart_entry (
  resource_id               INTEGER NOT NULL REFERENCES resource (resource_id) ON DELETE CASCADE,
  position                  INTEGER NOT NULL CHECK (position >= 1),
  rank                      INTEGER NOT NULL,
  rank_change               INTEGER NOT NULL,
  is_new                    INTEGER NOT NULL CHECK (is_new IN (0, 1)),
  movie_code                TEXT NOT NULL REFERENCES movie (movie_code),
  title                     TEXT NOT NULL,
  opened_on                 INTEGER,
  sales_krw                 INTEGER NOT NULL,
  sales_share_percent       REAL NOT NULL,
  sales_change_krw          INTEGER NOT NULL,
  sales_change_percent      REAL NOT NULL,
  sales_total_krw           INTEGER NOT NULL,
  audience                  INTEGER NOT NULL,
  audience_change           INTEGER NOT NULL,
  audience_change_percent   REAL NOT NULL,
  audience_total            INTEGER NOT NULL,
  screens                   INTEGER NOT NULL,
  showings                  INTEGER NOT NULL,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

-- A movie stands in a chart once.
CREATE UNIQUE INDEX chart_entry_by_movie ON chart_entry (movie_code, resource_id);

CREATE TABLE movie_details (
  resource_id          INTEGER PRIMARY KEY REFERENCES resource (resource_id) ON DELETE CASCADE,
  movie_code           TEXT NOT NULL REFERENCES movie (movie_code),
  title                TEXT NOT NULL,
  title_english        TEXT,
  title_original       TEXT,
  running_minutes      INTEGER,
  production_year      INTEGER,
  opened_on            INTEGER,
  status               TEXT,
  type                 TEXT
) STRICT;

CREATE INDEX movie_details_by_movie ON movie_details (movie_code);

-- The lists of movie_details, each in the upstream's order.

CREATE TABLE movie_nation (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_genre (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_director (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL, name_english TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_actor (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL, name_english TEXT, role TEXT, role_english TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_show_type (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, group_name TEXT, name TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_company (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, company_code TEXT, name TEXT NOT NULL, name_english TEXT, part TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_audit (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, number TEXT, grade TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE movie_staff (
  resource_id INTEGER NOT NULL REFERENCES movie_details (resource_id) ON DELETE CASCADE,
  position INTEGER NOT NULL, name TEXT NOT NULL, name_english TEXT, role TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

-- One row for each sync, counted on with every page it commits.
CREATE TABLE sync_run (
  run_id               INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at           INTEGER NOT NULL,
  ended_at             INTEGER,                        -- null while it runs, and if it was killed
  planned_count        INTEGER NOT NULL,
  fetched_count        INTEGER NOT NULL DEFAULT 0,
  unchanged_count      INTEGER NOT NULL DEFAULT 0,
  revised_count        INTEGER NOT NULL DEFAULT 0,
  failed_count         INTEGER NOT NULL DEFAULT 0,
  stopped_because      TEXT
) STRICT;

-- For people at the sqlite3 shell: every stored chart with its days in plain sight.
CREATE VIEW chart AS
SELECT resource.upstream, resource.kind, resource.first_day AS day, chart_entry.position, chart_entry.rank,
       chart_entry.rank_change, chart_entry.is_new, chart_entry.movie_code, chart_entry.title, chart_entry.opened_on,
       chart_entry.sales_krw, chart_entry.sales_share_percent, chart_entry.sales_total_krw, chart_entry.audience,
       chart_entry.audience_total, chart_entry.screens, chart_entry.showings, resource.source,
       datetime(resource.fetched_at / 1000, 'unixepoch') AS fetched_at_utc, resource.revision
FROM chart_entry JOIN resource USING (resource_id)
ORDER BY resource.first_day, resource.kind, chart_entry.position;
