/**
 * Keys of records beside their bodies no longer: in a table without row numbers a search that passes a record
 * reads all of it, and a set of rules has pages of its own. Each look at any record read those once more.
 */
export const recordKeys = `
  ALTER TABLE records RENAME TO records_before;
  CREATE TABLE records (
    table_name TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_name, id)
  ) STRICT;
  INSERT INTO records (table_name, id, version, body)
    SELECT table_name, id, version, body FROM records_before ORDER BY table_name, id;
  DROP TABLE records_before;
`;
