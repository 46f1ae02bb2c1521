/**
 * How far tables `runs` and `run_spans` have been brought: they follow the entries at a distance.
 * Up to now they were written together with the head, so they tell of everything up to it.
 */
export const projection = `
  CREATE TABLE projection (
    sequence INTEGER PRIMARY KEY,
    hash TEXT NOT NULL
  ) STRICT;

  INSERT INTO projection
  SELECT json_extract(head, '$.sequence') + 0, json_extract(head, '$.hash')
  FROM (SELECT CAST(canonical AS TEXT) AS head FROM statements WHERE name = 'head')
  UNION ALL
  SELECT 0, '${'0'.repeat(64)}' WHERE NOT EXISTS (SELECT 1 FROM statements);
`;
