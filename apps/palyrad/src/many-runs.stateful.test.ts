import { type ServerResponse, createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { create } from '@bufbuild/protobuf';
import { type Approvals, createApprovals } from '@palyra/approvals';
import { type PolicyPort, createGateway } from '@palyra/gateway';
import { verifyStore } from '@palyra/journal';
import { type SealedEntry, systemClock, permissionsOf } from '@palyra/kernel';
import { createModel, modelsSection } from '@palyra/models';
import {
  type ApprovalRecord,
  ApprovalStatus,
  DecisionKind,
  GrantScope,
  PolicyGateSchema,
  PrincipalKind,
  Role,
  RunStatus,
} from '@palyra/protocol';
import {
  type TestGateway,
  policyThatSays,
  quietLog,
  rememberingSandbox,
  testGateway,
} from '@palyra/testkit';
import { describe, expect, it } from 'vitest';

const RUNS = 200;
const never = new AbortController().signal;
const ada = {
  principal: 'user:ada',
  kind: PrincipalKind.USER,
  permissions: permissionsOf(Role.OPERATOR),
  actor: 'user:ada via device:laptop',
  channel: 'cli',
  deviceId: 'laptop',
} as const;
const answerer = { ...ada, role: Role.OWNER, strength: 'device', vouchedBy: [] } as const;

const delta = (fields: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
const END = 'data: [DONE]\n\n';
const call = { index: 0, id: 'c', type: 'function' };

interface Asked {
  readonly messages: readonly { readonly role: string }[];
}

function isAsked(body: unknown): body is Asked {
  return typeof body === 'object' && body !== null && 'messages' in body;
}

/** Asks for one call, and then says that it is done. Every other answer breaks off the first time. */
async function modelServer() {
  const asked = new Set<string>();
  const answer = (body: unknown, response: ServerResponse) => {
    const hasCalled = isAsked(body) && body.messages.at(-1)?.role === 'tool';
    const rest = hasCalled
      ? `${delta({ content: ', done' }, 'stop')}${END}`
      : `${delta({ tool_calls: [{ ...call, function: { name: 'mail_send', arguments: '{}' } }] })}${delta({}, 'tool_calls')}${END}`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const question = JSON.stringify(body);
    const isFirst = !asked.has(question);
    asked.add(question);
    if (!isFirst || asked.size % 2 > 0) return void response.end(delta({ content: 'well' }) + rest);
    response.write(delta({ content: 'well' }), () => response.destroy());
  };
  const server = createServer((request, response) => {
    void json(request).then((body) => answer(body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const gate = create(PolicyGateSchema, {
  ruleId: 'asks',
  approvers: Role.OPERATOR,
  quorum: 1,
  strength: 'device',
  waitSeconds: 300,
});

/** A person is asked about everything; what they grant is allowed. */
function policyThatAsks(): PolicyPort {
  const says = policyThatSays();
  return {
    ...says,
    judge: async (judged, approval) => {
      const plain = await says.judge(judged, approval);
      return approval === undefined
        ? { ...plain, kind: DecisionKind.NEEDS_APPROVAL, gates: [gate] }
        : { ...plain, kind: DecisionKind.ALLOW };
    },
  };
}

/** Says yes to three of four, and no to the fourth; each is answered by two at once. */
function answering(approvals: Approvals) {
  const answered = new Set<string>();
  const refusals: Promise<unknown>[] = [];
  const answer = (record: ApprovalRecord) => {
    const { approvalId, fingerprint, status } = record;
    if (status !== ApprovalStatus.PENDING || answered.has(approvalId)) return;
    answered.add(approvalId);
    const given = {
      approvalId,
      fingerprint,
      answer: answered.size % 4 === 0 ? ('denied' as const) : ('granted' as const),
      reason: 'so it is',
      scope: GrantScope.ONCE,
      shape: '',
      until: undefined,
      uses: 0,
    };
    const tries = [1, 2].map(() => approvals.answer(given, answerer));
    refusals.push(Promise.allSettled(tries));
  };
  return { answered, refusals, watch: approvals.watch(answer) };
}

async function opened(test: TestGateway, url: string) {
  const { clock, ids, workspace } = test.parts;
  const people = { roleOf: async () => Role.OWNER };
  const { records } = test.journal;
  const approvals = createApprovals({ records, people, workspace, clock, ids });
  const model = await createModel({
    settings: modelsSection.parse({ provider: 'openai', model: 'm', base_url: url }),
    environment: {},
    workspaces: [],
    own: [],
    clock: systemClock(),
    log: quietLog(),
  });
  const sandbox = rememberingSandbox('sent');
  const policy = policyThatAsks();
  const catalogue = {
    find: () => undefined,
    offered: () => [{ name: 'mail.send', says: 'sends', schema: { type: 'object' } }],
  };
  const parts = { ...test.parts, approvals, approvalDesk: approvals, model, policy, sandbox };
  const gateway = createGateway({ ...parts, catalogue });
  return { gateway, approvals, sandbox, model };
}

function count(entries: readonly SealedEntry[], kind: string): number {
  return entries.filter((entry) => entry.kind === kind).length;
}

describe(`${RUNS} runs at once, each with a question to a person, with a model that breaks off`, () => {
  it('all end as they were answered, and nothing is done twice', { timeout: 120_000 }, async () => {
    await using server = await modelServer();
    await using test = await testGateway();
    const { gateway, approvals, sandbox, model } = await opened(test, server.url);
    using _model = model;
    const people = answering(approvals);
    using _watch = people.watch;
    const ended = await Promise.all(
      Array.from({ length: RUNS }, async (_, place) => {
        const run = await gateway.runs.start({ prompt: `mail ${place}` }, ada);
        await Array.fromAsync(run.events(never));
        return await gateway.runs.get(run.runId, ada);
      }),
    );
    await Promise.all(people.refusals);

    expect(ended.filter(({ status }) => status === RunStatus.COMPLETED)).toHaveLength(RUNS);
    expect(people.answered.size).toBe(RUNS);
    const ran = sandbox.requests.map(({ callId }) => callId);
    expect(ran).toHaveLength((RUNS / 4) * 3);
    expect(new Set(ran).size).toBe(ran.length);
    const entries = await Array.fromAsync(
      gateway.journal.tail({ from: { after: 0 }, follow: 'until-now' }, never),
    );
    expect(count(entries, 'run.ended')).toBe(RUNS);
    expect(count(entries, 'tool.proposed')).toBe(RUNS);
    expect(count(entries, 'approval.asked')).toBe(RUNS);
    expect(count(entries, 'approval.answered')).toBe(RUNS);
    expect(count(entries, 'tool.started')).toBe(ran.length);
    expect(count(entries, 'tool.attested')).toBe(RUNS);
    expect(await verifyStore(test.home.places)).toMatchObject({ verdict: 'intact' });
  });
});
