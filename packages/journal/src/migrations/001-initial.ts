/** The first shape of the store. A migration that has shipped is never edited. */
export const initial = `
  CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY,
    canonical BLOB NOT NULL
  ) STRICT;

  CREATE TABLE statements (
    name TEXT PRIMARY KEY,
    canonical BLOB NOT NULL,
    signature BLOB NOT NULL,
    segment_bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE segments (
    number INTEGER PRIMARY KEY,
    first_sequence INTEGER NOT NULL,
    previous_hash TEXT NOT NULL,
    last_sequence INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE run_spans (
    run_id TEXT PRIMARY KEY,
    first_sequence INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    started_sequence INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL,
    canonical TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX runs_by_start ON runs (started_sequence);
  CREATE INDEX runs_by_session ON runs (session_id, started_sequence);
  CREATE INDEX runs_active ON runs (started_sequence) WHERE is_active = 1;

  INSERT INTO segments VALUES (1, 1, '${'0'.repeat(64)}', 0, 0);
`;
