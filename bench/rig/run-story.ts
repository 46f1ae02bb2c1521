import {
  type EntryDraft,
  type Ids,
  type JournalKind,
  type JsonObject,
  createIds,
  sha256Hex,
  systemClock,
} from '@palyra/kernel';

const PROMPT = 'Look at the failing test in the parser and propose the smallest fix.';
const ANSWER = 'I may not run the tests here, so I will describe the change instead. '.repeat(4);
const POLICY = sha256Hex(new TextEncoder().encode('policy'));

export const STORY_ENTRIES = 8;
export type Story = readonly EntryDraft[];

export function runStories(count: number): readonly Story[] {
  const ids = createIds(systemClock());
  return Array.from({ length: count }, () => runStory(ids));
}

/** The entries of one run with one refused tool call: what a journal mostly consists of. */
function runStory(ids: Ids): Story {
  const runId = ids.next<'run'>();
  const sessionId = ids.next<'session'>();
  const callId = ids.next<'call'>();
  const call = { callId, fingerprint: POLICY };
  const tell = (kind: JournalKind, payload: JsonObject): EntryDraft => ({
    kind,
    actor: 'gateway',
    runId,
    sessionId,
    payload,
  });
  return [
    tell('run.started', { prompt: PROMPT, model: 'script', principal: 'user:local' }),
    tell('model.message', {
      text: PROMPT,
      toolCalls: [{ callId, tool: 'process.run', argumentsJson: '{"command":["npm","test"]}' }],
    }),
    tell('tool.proposed', {
      ...call,
      runId,
      sessionId,
      principal: 'user:local',
      tool: 'process.run',
      arguments: { command: ['npm', 'test'] },
      risk: 'RISK_HIGH',
    }),
    tell('tool.decided', { ...call, ...DECISION }),
    tell('tool.finished', { callId, outcome: 'TOOL_OUTCOME_REFUSED', durationMs: 3 }),
    tell('tool.attested', {
      ...call,
      attestationId: ids.next<'attestation'>(),
      runId,
      decision: 'DECISION_KIND_DENY',
      ruleIds: ['deny-everything'],
      policySetHash: POLICY,
      outcome: 'TOOL_OUTCOME_REFUSED',
      executor: 'EXECUTOR_NONE',
      executionSha256: POLICY,
      keyId: POLICY,
      signature: 'A'.repeat(88),
    }),
    tell('model.message', { text: ANSWER }),
    tell('run.ended', { status: 'RUN_STATUS_COMPLETED' }),
  ];
}

const DECISION = {
  kind: 'DECISION_KIND_DENY',
  reason: 'nothing is allowed yet',
  help: 'rules that allow something come with a later version',
  ruleIds: ['deny-everything'],
  policySetHash: POLICY,
};
