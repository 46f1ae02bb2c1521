import { RunStatus } from '@palyra/protocol';

/** Why each run ended, which older entries do not say, and runs that wait for the one before them. */
export const runEndings = `
  ALTER TABLE runs ADD COLUMN stop_reason INTEGER NOT NULL DEFAULT 0;
  DROP INDEX runs_active;
  CREATE INDEX runs_active ON runs (status)
    WHERE status IN (${RunStatus.ACTIVE}, ${RunStatus.QUEUED});
`;
