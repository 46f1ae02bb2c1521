/**
 * What happened in each hour, and how often each rule decided on each day, counted from the entries
 * that are in the store and that the other tables tell of. What cannot be read counts as nothing:
 * verifying names it.
 */
const COUNTED = `
  SELECT kind, time, payload,
    min(ifnull(CAST(payload ->> '$.usage.inputTokens' AS INTEGER), 0), 1000000000000)
    + min(ifnull(CAST(payload ->> '$.usage.outputTokens' AS INTEGER), 0), 1000000000000) AS tokens,
    min(ifnull(CAST(payload ->> '$.usage.costMicroUsd' AS INTEGER), 0), 1000000000000) AS cost
  FROM (
    SELECT entry ->> '$.kind' AS kind, entry ->> '$.time' AS time, entry -> '$.payload' AS payload
    FROM (
      SELECT CAST(canonical AS TEXT) AS entry FROM entries
      WHERE sequence <= (SELECT sequence FROM projection)
    )
    WHERE json_valid(entry)
  )`;

export const activity = `
  CREATE TABLE activity_hours (
    hour TEXT PRIMARY KEY,
    runs INTEGER NOT NULL,
    calls_allowed INTEGER NOT NULL,
    calls_asked INTEGER NOT NULL,
    calls_denied INTEGER NOT NULL,
    calls_failed INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    cost_micro_usd INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE rule_days (
    day TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (day, rule_id)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO activity_hours
  SELECT * FROM (
    SELECT substr(time, 1, 13) AS hour,
      sum(kind = 'run.started') AS runs,
      sum(kind = 'tool.decided' AND payload ->> '$.kind' IS 'DECISION_KIND_ALLOW') AS allowed,
      sum(kind = 'approval.asked') AS asked,
      sum(kind = 'tool.decided' AND payload ->> '$.kind' IS 'DECISION_KIND_DENY') AS denied,
      sum(kind = 'tool.finished' AND ifnull(payload ->> '$.outcome', '')
        IN ('TOOL_OUTCOME_FAILED', 'TOOL_OUTCOME_TIMED_OUT')) AS failed,
      min(sum(iif(kind IN ('model.message', 'run.compacted'), tokens, 0)), 9007199254740991) AS tokens,
      min(sum(iif(kind IN ('model.message', 'run.compacted'), cost, 0)), 9007199254740991) AS cost
    FROM (${COUNTED})
    WHERE kind IN ('run.started', 'approval.asked', 'tool.decided', 'tool.finished',
      'model.message', 'run.compacted')
    GROUP BY hour
  )
  WHERE runs + allowed + asked + denied + failed + tokens + cost > 0
  ORDER BY hour DESC LIMIT 9600;

  INSERT INTO rule_days
  SELECT substr(time, 1, 10) AS day, rule.value, count(*), max(time)
  FROM (${COUNTED}) AS decided, json_each(decided.payload, '$.ruleIds') AS rule
  WHERE kind = 'tool.decided' AND rule.type = 'text'
  GROUP BY day, rule.value;

  DELETE FROM rule_days WHERE day <
    (SELECT DISTINCT day FROM rule_days ORDER BY day DESC LIMIT 1 OFFSET 34);
`;
