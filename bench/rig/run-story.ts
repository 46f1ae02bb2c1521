import {
  type AttestationId,
  type CallId,
  type EntryDraft,
  type Ids,
  type JournalKind,
  type JsonObject,
  type RunId,
  type SessionId,
  createIds,
  sha256Hex,
  systemClock,
} from '@palyra/kernel';

const PROMPT = 'Look at the failing test in the parser and propose the smallest fix.';
const ANSWER = 'I may not run the tests here, so I will describe the change instead. '.repeat(4);
const POLICY = sha256Hex(new TextEncoder().encode('policy'));

/** How many tools each turn of the model asks for; after the last turn it has only an answer. */
const CALLS_A_TURN = [2, 2, 2, 1, 1];
export const STORY_ENTRIES = 40;
export type Story = readonly EntryDraft[];

export function runStories(count: number): readonly Story[] {
  const ids = createIds(systemClock());
  return Array.from({ length: count }, () => runStory(ids));
}

/**
 * The entries of one run of an agent at work: a start, six messages of the model, eight refused tool
 * calls of four entries each, an end. A journal mostly consists of tool calls, not of runs that
 * begin and end.
 */
function runStory(ids: Ids): Story {
  const run = { runId: ids.next<'run'>(), sessionId: ids.next<'session'>() };
  const tell = (kind: JournalKind, payload: JsonObject): EntryDraft => ({
    kind,
    actor: 'gateway',
    ...run,
    payload,
  });
  const turns = CALLS_A_TURN.map((calls) => {
    const callIds = Array.from({ length: calls }, () => ids.next<'call'>());
    return [
      tell('model.message', {
        text: PROMPT,
        toolCalls: callIds.map((callId) => ({ callId, ...ASKED })),
      }),
      ...callIds.flatMap((callId) =>
        callPayloads(callId, { ...run, attestationId: ids.next<'attestation'>() }).map(
          ([kind, payload]) => tell(kind, payload),
        ),
      ),
    ];
  });
  return [
    tell('run.started', {
      prompt: PROMPT,
      model: 'script',
      principal: 'user:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
    }),
    ...turns.flat(),
    tell('model.message', { text: ANSWER }),
    tell('run.ended', { status: 'RUN_STATUS_COMPLETED' }),
  ];
}

interface CallPlace {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly attestationId: AttestationId;
}

function callPayloads(
  callId: CallId,
  { runId, sessionId, attestationId }: CallPlace,
): readonly (readonly [JournalKind, JsonObject])[] {
  const call = { callId, fingerprint: POLICY };
  return [
    ['tool.proposed', { ...call, runId, sessionId, ...PROPOSAL }],
    ['tool.decided', { ...call, ...DECISION }],
    ['tool.finished', { callId, outcome: 'TOOL_OUTCOME_REFUSED', durationMs: 3 }],
    ['tool.attested', { ...call, attestationId, runId, ...ATTESTATION }],
  ];
}

const ASKED = { tool: 'process.run', argumentsJson: '{"command":["npm","test"]}' };

const PROPOSAL = {
  principal: 'user:01JZ8Q6Y7D0M3W5K9RB2XN4TFC',
  tool: 'process.run',
  arguments: { command: ['npm', 'test'] },
  risk: 'RISK_HIGH',
};

const ATTESTATION = {
  decision: 'DECISION_KIND_DENY',
  ruleIds: ['deny-everything'],
  policySetHash: POLICY,
  outcome: 'TOOL_OUTCOME_REFUSED',
  executor: 'EXECUTOR_NONE',
  executionSha256: POLICY,
  keyId: POLICY,
  signature: 'A'.repeat(88),
};

const DECISION = {
  kind: 'DECISION_KIND_DENY',
  reason: 'nothing is allowed yet',
  help: 'rules that allow something come with a later version',
  ruleIds: ['deny-everything'],
  policySetHash: POLICY,
};
