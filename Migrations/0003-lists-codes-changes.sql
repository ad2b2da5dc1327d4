-- Charts of a part, people and companies, lists of codes, the upstream's long lists, and what changed.
--
-- Days are integers of the form YYYYMMDD and lie in Asia/Seoul. Instants are milliseconds since 1970-01-01T00:00:00Z.
-- A position counts from 1, in the upstream's order. What a table is for stands within it, so that `.schema` tells it.

ALTER TABLE resource ADD COLUMN filter TEXT NOT NULL DEFAULT ''
  /* what a chart is narrowed down to, as 'korean+area-0105001'; '' for all films in the whole country */;
ALTER TABLE resource ADD COLUMN failure_count INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0)
  /* how many attempts in a row have failed; 0 if the last one succeeded */;
ALTER TABLE resource ADD COLUMN set_aside_until INTEGER CHECK (set_aside_until IS NULL OR failed_at IS NOT NULL)
  /* until when a sync leaves it alone, as its last answer was of no use; null if the next one asks again */;

UPDATE resource SET failure_count = 1 WHERE failed_at IS NOT NULL;

CREATE TABLE code_entry (
  -- The rows of the upstream's lists of codes. Which list it is tells resource.key; the view code has both.
  resource_id          INTEGER NOT NULL REFERENCES resource (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  code                 TEXT NOT NULL,
  name                 TEXT NOT NULL,
  name_english         TEXT,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE person_details (
  -- The details of people.
  resource_id          INTEGER PRIMARY KEY REFERENCES resource (resource_id) ON DELETE CASCADE,
  person_code          TEXT NOT NULL,
  name                 TEXT NOT NULL,
  name_english         TEXT,
  sex                  TEXT,                           -- '남자', '여자'
  role                 TEXT                            -- what the person mostly does: '배우', '감독', …
) STRICT;

CREATE TABLE person_homepage (
  resource_id          INTEGER NOT NULL REFERENCES person_details (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  address              TEXT NOT NULL,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE person_film (
  -- The filmography of person_details: one row for each part that the person had in a movie.
  resource_id          INTEGER NOT NULL REFERENCES person_details (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  movie_code           TEXT NOT NULL,                  -- of any movie, charted or listed or not
  title                TEXT NOT NULL,
  part                 TEXT,                           -- '배우', '감독', …
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE company_details (
  -- The details of companies.
  resource_id          INTEGER PRIMARY KEY REFERENCES resource (resource_id) ON DELETE CASCADE,
  company_code         TEXT NOT NULL,
  name                 TEXT NOT NULL,
  name_english         TEXT,
  chief                TEXT                            -- who heads it
) STRICT;

CREATE TABLE company_part (
  -- What a company of company_details does.
  resource_id          INTEGER NOT NULL REFERENCES company_details (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  name                 TEXT NOT NULL,                  -- '제작사', '배급사', …
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE company_film (
  -- The filmography of company_details: one row for each part that the company had in a movie.
  resource_id          INTEGER NOT NULL REFERENCES company_details (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  movie_code           TEXT NOT NULL,                  -- of any movie, charted or listed or not
  title                TEXT NOT NULL,
  part                 TEXT,                           -- '제작사', '배급사', …
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_movie (
  -- The upstream's long list of movies: one row for each movie that a page of it ever had, as the latest such page.
  listed_movie_id      INTEGER PRIMARY KEY,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  movie_code           TEXT NOT NULL,
  title                TEXT NOT NULL,
  title_english        TEXT,
  production_year      INTEGER,
  opened_on            INTEGER,
  type                 TEXT,                           -- '장편', '단편', …
  status               TEXT,                           -- '개봉', '개봉예정', …
  nations              TEXT,                           -- parted by commas
  genres               TEXT,                           -- parted by commas
  main_nation          TEXT,
  main_genre           TEXT,
  source               TEXT NOT NULL,                  -- the host that gave the row, or 'recorded'
  first_seen_at        INTEGER NOT NULL,               -- when a page had it for the first time
  generation_id        INTEGER,                        -- the latest go through the list that met it
  gone_at              INTEGER,                        -- when a whole go through the list had come without it
  UNIQUE (upstream, movie_code)
) STRICT;

CREATE INDEX listed_movie_by_opening ON listed_movie (upstream, opened_on DESC, movie_code, gone_at);

CREATE TABLE listed_movie_director (
  listed_movie_id      INTEGER NOT NULL REFERENCES listed_movie (listed_movie_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  name                 TEXT NOT NULL,
  PRIMARY KEY (listed_movie_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_movie_company (
  listed_movie_id      INTEGER NOT NULL REFERENCES listed_movie (listed_movie_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  company_code         TEXT,
  name                 TEXT NOT NULL,
  PRIMARY KEY (listed_movie_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_company (
  -- The upstream's long list of companies: one row for each that a page of it ever had, as the latest such page.
  listed_company_id    INTEGER PRIMARY KEY,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  company_code         TEXT NOT NULL,
  name                 TEXT NOT NULL,
  name_english         TEXT,
  parts                TEXT,                           -- what it does, parted by commas
  chief                TEXT,                           -- who heads it
  filmography          TEXT,                           -- titles, parted by commas, which titles hold as well
  source               TEXT NOT NULL,                  -- the host that gave the row, or 'recorded'
  first_seen_at        INTEGER NOT NULL,               -- when a page had it for the first time
  generation_id        INTEGER,                        -- the latest go through the list that met it
  gone_at              INTEGER,                        -- when a whole go through the list had come without it
  UNIQUE (upstream, company_code)
) STRICT;

CREATE INDEX listed_company_gone ON listed_company (upstream) WHERE gone_at IS NOT NULL;

CREATE TABLE listed_person (
  -- The upstream's long list of people: one row for each that a page of it ever had, as the latest such page.
  listed_person_id     INTEGER PRIMARY KEY,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  person_code          TEXT NOT NULL,
  name                 TEXT NOT NULL,                  -- two people may share one
  name_english         TEXT,
  role                 TEXT,                           -- what the person mostly does: '배우', '감독', …
  filmography          TEXT,                           -- titles, parted by |
  source               TEXT NOT NULL,                  -- the host that gave the row, or 'recorded'
  first_seen_at        INTEGER NOT NULL,               -- when a page had it for the first time
  generation_id        INTEGER,                        -- the latest go through the list that met it
  gone_at              INTEGER,                        -- when a whole go through the list had come without it
  UNIQUE (upstream, person_code)
) STRICT;

CREATE INDEX listed_person_gone ON listed_person (upstream) WHERE gone_at IS NOT NULL;

CREATE TABLE list_page (
  -- The pages of the long lists, as they were when they were last fetched. Rows move from page to page.
  resource_id          INTEGER PRIMARY KEY REFERENCES resource (resource_id) ON DELETE CASCADE,
  total_count          INTEGER NOT NULL                -- the rows of the whole list, as counted with this page
) STRICT;

CREATE TABLE list_page_row (
  -- Which rows stood on a page. What they say is in listed_movie, listed_company or listed_person.
  resource_id          INTEGER NOT NULL REFERENCES list_page (resource_id) ON DELETE CASCADE,
  position             INTEGER NOT NULL,
  code                 TEXT NOT NULL,
  PRIMARY KEY (resource_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE list_generation (
  -- The goes through all pages of a long list: what a complete and steady one came without is taken to be gone.
  generation_id        INTEGER PRIMARY KEY AUTOINCREMENT,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  list                 TEXT NOT NULL CHECK (list IN ('movies', 'companies', 'people')),
  started_at           INTEGER NOT NULL,
  source               TEXT,                           -- where its pages came from; null before the first
  total_count          INTEGER,                        -- the rows of the list, as counted with the last page that came
  is_steady            INTEGER NOT NULL DEFAULT 1      -- whether count and source were the same with every page
                       CHECK (is_steady IN (0, 1)),
  completed_at         INTEGER,                        -- when its last page came; null while some are missing
  met_count            INTEGER,                        -- the different rows that it met, once it is complete
  missing_count        INTEGER,                        -- the rows known before that it did not meet
  is_buried            INTEGER                         -- whether those are taken to be gone; 0 if that is not credible
                       CHECK (is_buried IN (0, 1)),
  CHECK ((completed_at IS NULL) = (missing_count IS NULL)),
  CHECK ((completed_at IS NULL) = (is_buried IS NULL))
) STRICT;

CREATE TABLE change (
  -- What was found to have changed, in the order in which it was stored. Old changes are dropped.
  change_id            INTEGER PRIMARY KEY AUTOINCREMENT,
  at                   INTEGER NOT NULL,
  upstream             TEXT NOT NULL,                  -- 'kobis'
  resource_kind        TEXT NOT NULL,                  -- resource.kind and resource.key, which may be gone since
  resource_key         TEXT NOT NULL,
  revision             INTEGER NOT NULL,               -- the resource's revision that brought it
  kind                 TEXT NOT NULL                   -- no IN, for which each insert would make a table
                       CHECK (kind = 'appeared' OR kind = 'moved' OR kind = 'corrected' OR kind = 'vanished'),
  item_code            TEXT,                           -- a movie's, a code's, …; null for the resource itself
  item_name            TEXT,
  position_before      INTEGER,                        -- on a chart
  position_after       INTEGER,
  fields               TEXT                            -- what differs, parted by commas: 'audience,salesKRW'
) STRICT;

-- For people at the sqlite3 shell.

DROP VIEW chart;

CREATE VIEW chart AS
-- Every stored chart of all films in the whole country, with its days in plain sight.
SELECT resource.upstream, resource.kind, resource.first_day AS day, chart_entry.position, chart_entry.rank,
       chart_entry.rank_change, chart_entry.is_new, chart_entry.movie_code, chart_entry.title, chart_entry.opened_on,
       chart_entry.sales_krw, chart_entry.sales_share_percent, chart_entry.sales_total_krw, chart_entry.audience,
       chart_entry.audience_total, chart_entry.screens, chart_entry.showings, resource.source,
       datetime(resource.fetched_at / 1000, 'unixepoch') AS fetched_at_utc, resource.revision,
       CAST(strftime('%Y%m%d', printf('%d-%02d-%02d', first_day / 10000, first_day / 100 % 100, first_day % 100),
                     CASE resource.kind WHEN 'weekly-box-office' THEN '+6 days' WHEN 'weekend-box-office' THEN '+2 days'
                       WHEN 'weekday-box-office' THEN '+3 days' ELSE '+0 days' END) AS INTEGER) AS through
FROM chart_entry JOIN resource USING (resource_id)
WHERE resource.filter = ''
ORDER BY resource.first_day, resource.kind, chart_entry.position;

CREATE VIEW filtered_chart AS
-- Every stored chart of a part of the films or of the country, with ranks of its own.
SELECT resource.upstream, resource.kind, resource.filter, resource.first_day AS day, chart_entry.position,
       chart_entry.rank, chart_entry.rank_change, chart_entry.is_new, chart_entry.movie_code, chart_entry.title,
       chart_entry.opened_on, chart_entry.sales_krw, chart_entry.sales_share_percent, chart_entry.sales_total_krw,
       chart_entry.audience, chart_entry.audience_total, chart_entry.screens, chart_entry.showings, resource.source,
       datetime(resource.fetched_at / 1000, 'unixepoch') AS fetched_at_utc, resource.revision,
       CAST(strftime('%Y%m%d', printf('%d-%02d-%02d', first_day / 10000, first_day / 100 % 100, first_day % 100),
                     CASE resource.kind WHEN 'weekly-box-office' THEN '+6 days' WHEN 'weekend-box-office' THEN '+2 days'
                       WHEN 'weekday-box-office' THEN '+3 days' ELSE '+0 days' END) AS INTEGER) AS through
FROM chart_entry JOIN resource USING (resource_id)
WHERE resource.filter <> ''
ORDER BY resource.filter, resource.first_day, resource.kind, chart_entry.position;

CREATE VIEW movie_overview AS
-- One row for each movie that a daily chart of the whole country named; null where its details are not stored.
SELECT charted.upstream, movie.movie_code, movie.title, movie.opened_on, charted.chart_days, charted.first_chart_day,
       charted.last_chart_day, charted.best_rank, charted.audience_total, charted.sales_total_krw,
       details.title_english, details.running_minutes, details.production_year,
       (SELECT group_concat(name, ', ') FROM
         (SELECT name FROM movie_director WHERE resource_id = answer.resource_id ORDER BY position)) AS directors,
       (SELECT group_concat(name, ', ') FROM
         (SELECT name FROM movie_genre WHERE resource_id = answer.resource_id ORDER BY position)) AS genres,
       (SELECT group_concat(name, ', ') FROM
         (SELECT name FROM movie_nation WHERE resource_id = answer.resource_id ORDER BY position)) AS nations
FROM (SELECT resource.upstream, chart_entry.movie_code, count(*) AS chart_days,
             min(resource.first_day) AS first_chart_day, max(resource.first_day) AS last_chart_day,
             min(chart_entry.rank) AS best_rank, max(chart_entry.audience_total) AS audience_total,
             max(chart_entry.sales_total_krw) AS sales_total_krw
      FROM chart_entry JOIN resource USING (resource_id)
      WHERE resource.kind = 'daily-box-office' AND resource.filter = ''
      GROUP BY resource.upstream, chart_entry.movie_code) AS charted
JOIN movie USING (movie_code)
LEFT JOIN resource AS answer
  ON answer.upstream = charted.upstream AND answer.kind = 'movie-details' AND answer.key = movie.movie_code
LEFT JOIN movie_details AS details ON details.resource_id = answer.resource_id
ORDER BY charted.audience_total DESC, movie.movie_code;

CREATE VIEW code AS
-- The lists of codes: 'areas', 'nations' and 'film-types'.
SELECT resource.upstream, resource.key AS list, code_entry.position, code_entry.code, code_entry.name,
       code_entry.name_english
FROM code_entry JOIN resource USING (resource_id)
ORDER BY resource.upstream, resource.key, code_entry.position;

CREATE VIEW failure AS
-- What could not be had at the last attempt, the latest first, and whether something is stored all the same.
SELECT upstream, kind, key, failure_code, failure_message, failure_count,
       datetime(failed_at / 1000, 'unixepoch') AS failed_at_utc,
       datetime(set_aside_until / 1000, 'unixepoch') AS set_aside_until_utc, fetched_at IS NOT NULL AS is_stored
FROM resource WHERE failed_at IS NOT NULL
ORDER BY failed_at DESC, kind, key;

CREATE VIEW change_log AS
-- What changed, the oldest first, with its time as text.
SELECT change_id, datetime(at / 1000, 'unixepoch') AS at_utc, upstream || '/' || resource_kind || '/' || resource_key
       AS resource, revision, kind, item_code, item_name, position_before, position_after, fields
FROM change
ORDER BY change_id;
