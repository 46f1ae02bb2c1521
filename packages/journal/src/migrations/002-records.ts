/** Records: what other boxes register, each row the newest version of one. */
export const records = `
  CREATE TABLE records (
    table_name TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_name, id)
  ) STRICT, WITHOUT ROWID;
`;
