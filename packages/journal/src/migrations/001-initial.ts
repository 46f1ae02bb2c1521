import { RunStatus } from '@palyra/protocol';

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
    last_sequence INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    started_sequence INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    status INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT NOT NULL,
    principal TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    error TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_session ON runs (session_id);
  CREATE INDEX runs_active ON runs (status) WHERE status = ${RunStatus.ACTIVE};

  INSERT INTO segments VALUES (1, 1, '${'0'.repeat(64)}', 0, 0);
`;
