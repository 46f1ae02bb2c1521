import type { JsonObject } from '@palyra/kernel';
import { DecisionKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../model.ts';
import { requestsForConnection } from '../request/connection.ts';
import { type Asked, isProblem } from '../request/problem.ts';
import { builtInFiles } from '../sets/built-in.ts';
import { compile } from '../sets/compile.ts';
import {
  ANNA,
  RULES,
  call,
  decideWith,
  explainCall,
  git,
  hosts,
  load,
  paths,
} from './explain.fixture.ts';

const { ALLOW, DENY, NEEDS_APPROVAL } = DecisionKind;
const PERMIT_ALL = '@id("all") permit (principal, action, resource);';
const PERMIT_CALLS = '@id("all") permit (principal, action == Action::"tool.execute", resource);';
const FORBID_ALL = '@id("none") @says("no") forbid (principal, action, resource);';

/** One call with every kind of fact. */
const FACTS: JsonObject = {
  ...git('push', 'origin'),
  http: http(),
  reads: paths('a.txt', 'b"\\.txt'),
  writes: paths('c.txt'),
  hosts: hosts(['a.example'], [443]),
  secrets: ['deploy*"\\\n'],
  taint: [{ type: 'Taint', id: 'file' }],
  bodyBytes: 5,
};

/** Each differs from that call in one fact. */
const NEIGHBOURS: Readonly<Record<string, PolicyRequest>> = {
  'another argument': near(git('push', 'upstream')),
  'one more argument': near(git('push', 'origin', '--force')),
  'another directory': near({ process: { ...git('push', 'origin').process, directory: 'sub' } }),
  'no process': without('process'),
  'another method': near({ http: http({ method: 'PUT' }) }),
  'another scheme': near({ http: http({ scheme: 'http' }) }),
  'another host of http': near({ http: http({ host: 'b.example' }) }),
  'another port of http': near({ http: http({ port: 80 }) }),
  'another path of http': near({ http: http({ path: '/x' }) }),
  'no http': without('http'),
  'one more path read': near({ reads: paths('a.txt', 'b"\\.txt', 'd') }),
  'one path less read': near({ reads: paths('a.txt') }),
  'another path written': near({ writes: paths('c.txt.') }),
  'one more path written': near({ writes: paths('c.txt', 'd') }),
  'another host': near({ hosts: hosts(['a.example.'], [443]) }),
  'one more host': near({ hosts: hosts(['a.example', 'b.example'], [443]) }),
  'another port': near({ hosts: hosts(['a.example'], [8443]) }),
  'another secret': near({ secrets: ['root'] }),
  'one more secret': near({ secrets: ['deploy', 'root'] }),
  'more taint': near({ taint: ['file', 'web'].map((id) => ({ type: 'Taint', id })) }),
  'more to send': near({ bodyBytes: 6 }),
  'other arguments of the same size': near({ argumentsSha256: '1'.repeat(64) }),
  'another workspace': near({ workspace: '/home/anna/other' }),
  'another channel': near({ channel: { type: 'Channel', id: 'api' } }),
  'another agent': near({ agent: 'other' }),
  'a skill': near({ skill: 'x' }),
  'another tool': call({ context: FACTS, tool: 'process.run2' }),
  'another user': call({ context: FACTS, principal: { type: 'User', id: 'user:ann' } }),
  'another kind of principal': call({
    context: FACTS,
    principal: { type: 'Agent', id: 'user:anna' },
  }),
};

describe('the rule offered for a call that no rule allows', () => {
  it('allows it, once it stands among the others', async () => {
    const { smallestRule, smallestRuleEffect } = await explainCall(await load(RULES), near());
    const [decision] = await decideWith(RULES, smallestRule, [near()]);
    expect(smallestRuleEffect).toBe('allows it, and asks');
    expect(decision?.kind).toBe(NEEDS_APPROVAL);
  });

  it('leaves every neighbour denied', async () => {
    const { smallestRule } = await explainCall(await load(FORBIDS_NOTHING), near());
    const decisions = await decideWith(FORBIDS_NOTHING, smallestRule, Object.values(NEIGHBOURS));
    expect(kindsByName(decisions)).toEqual(everyNeighbour(DENY));
    const [own] = await decideWith(FORBIDS_NOTHING, smallestRule, [near()]);
    expect(own?.kind).toBe(ALLOW);
  });

  it('names the folder, but for a call that is older than that fact', async () => {
    const named = await explainCall(await load(FORBIDS_NOTHING), near());
    expect(named.smallestRule).toContain('context.workspace == "/home/anna/work"');
    const { workspace: _, ...context } = near().context;
    const old = { ...near(), context };
    const { smallestRule } = await explainCall(await load(FORBIDS_NOTHING), old);
    expect(smallestRule).not.toContain('context.workspace');
    const [decision] = await decideWith(FORBIDS_NOTHING, smallestRule, [old]);
    expect(decision?.kind).toBe(ALLOW);
  });

  it('leaves another session, run, device, hour and budget allowed', async () => {
    const { smallestRule } = await explainCall(await load(FORBIDS_NOTHING), near());
    const later = near({
      session: 's2',
      run: 'r2',
      device: 'd2',
      time: { date: '2027-01-01', weekday: 5, hour: 23, minute: 59 },
      budget: { type: 'Budget', id: 'within' },
      taint: [],
      bodyBytes: 4,
    });
    const [decision] = await decideWith(FORBIDS_NOTHING, smallestRule, [later]);
    expect(decision?.kind).toBe(ALLOW);
  });

  it('of an agent is for whom it acts for, and for nobody else', async () => {
    const request = call({ principal: { type: 'Agent', id: 'palyra' } });
    const { smallestRule } = await explainCall(await load(FORBIDS_NOTHING), request);
    const [agent, ...others] = request.entities;
    const stranger = {
      ...request,
      entities: [
        ...others,
        ...(agent === undefined ? [] : [{ ...agent, attrs: { actsFor: 'user:bob' } }]),
      ],
    };
    const decisions = await decideWith(FORBIDS_NOTHING, smallestRule, [request, stranger]);
    expect(decisions.map(({ kind }) => kind)).toEqual([ALLOW, DENY]);
  });

  it('of a connection is for its port, and for where it leads', async () => {
    const to = { host: 'a.example', port: 8443, leadsTo: [{ range: 'public', isListed: false }] };
    const asked = (other: Partial<typeof to> = {}) =>
      requestsForConnection(near(), { ...to, ...other }, new Date(0)).filter(isRequest);
    const [request = near()] = asked();
    const others = [
      ...asked({ port: 22 }),
      ...asked({ leadsTo: [{ range: 'private', isListed: false }] }),
      ...asked({ leadsTo: [{ range: 'public', isListed: true }] }),
    ];
    const { smallestRule } = await explainCall(await load(FORBIDS_NOTHING), request);
    const decisions = await decideWith(FORBIDS_NOTHING, smallestRule, [request, ...others]);
    expect(decisions.map(({ kind }) => kind)).toEqual([ALLOW, DENY, DENY, DENY]);
  });

  it('can be one about the gateway, too', async () => {
    const request: PolicyRequest = {
      principal: ANNA,
      action: 'policy.manage',
      resource: { type: 'Gateway', id: 'gateway' },
      context: {
        channel: { type: 'Channel', id: 'cli' },
        device: '',
        permission: 'policy.manage',
        time: { date: '2026-11-16', weekday: 1, hour: 3, minute: 30 },
      },
      entities: [{ uid: ANNA, attrs: { name: 'Anna' }, parents: [] }],
    };
    const explanation = await explainCall(await load(RULES), request);
    const other = { ...request, action: 'vault.manage' };
    const decisions = await decideWith(RULES, explanation.smallestRule, [request, other]);
    expect(explanation.smallestRuleEffect).toBe('allows it');
    expect(decisions.map(({ kind }) => kind)).toEqual([ALLOW, DENY]);
  });

  it('is not for what holds a letter that looks like another', async () => {
    const request = call({ context: { writes: paths('pаyload.txt') } });
    const explanation = await explainCall(await load(RULES), request);
    expect(explanation.smallestRule).toBe('');
    expect(explanation.help).toMatch(/^no exact rule is offered: .* mixes letters/);
  });
});

describe('the rule offered to spare a question', () => {
  const rules = `${PERMIT_CALLS}\n${RULES}`;

  it('spares it for that call and asks for every neighbour', async () => {
    const { smallestRule } = await explainCall(await load(rules), near());
    const neighbours = Object.entries(NEIGHBOURS).filter(([name]) => name !== 'no process');
    const caged = near({ tier: { type: 'Tier', id: 'C' } });
    const requests = [near(), caged, ...neighbours.map(([, request]) => request)];
    const [own, inCage, ...others] = await decideWith(rules, smallestRule, requests);
    expect(own?.kind).toBe(ALLOW);
    expect(inCage?.kind).toBe(NEEDS_APPROVAL);
    expect(new Set(others.map(({ kind }) => kind))).toEqual(new Set([NEEDS_APPROVAL]));
  });

  it('is offered, too, when an approval was given that does not suffice', async () => {
    const strict = `${PERMIT_CALLS} @id("g") @gate("approval") @quorum("2")
      forbid (principal, action == Action::"tool.execute", resource)
      unless { context.unattended || (context has approval && context.approval.count >= 2) };`;
    const approval = { approvers: ['user:bob'], count: 1, admins: 0, owners: 0, strengths: [] };
    const explanation = await explainCall(await load(strict), call({ context: { approval } }));
    expect(explanation.reason).toBe(
      'the approval does not suffice for `process.run`: rule `g` (test.cedar:1) asks for 2 operators',
    );
    expect(explanation.smallestRuleEffect).toBe('spares the question');
  });
});

describe('the exception offered for a forbidden call', () => {
  const rules = `${PERMIT_ALL}\n${FORBID_ALL}`;

  it('allows it and leaves every neighbour forbidden', async () => {
    const { smallestRule } = await explainCall(await load(rules), near());
    const requests = [near(), ...Object.values(NEIGHBOURS)];
    const [own, ...others] = await decideWith(rules, smallestRule, requests);
    expect(own?.kind).toBe(ALLOW);
    expect(kindsByName(others)).toEqual(everyNeighbour(DENY));
  });

  it('is made in every rule that forbids it', async () => {
    const both = `${rules}\n@id("other") @says("no") forbid (principal is User, action in Action::"act", resource);`;
    const { smallestRule } = await explainCall(await load(both), near());
    const [own] = await decideWith(both, smallestRule, [near()]);
    expect(smallestRule.match(/^unless/gm)).toHaveLength(2);
    expect(own?.kind).toBe(ALLOW);
  });

  it('keeps what the rule says besides, comments included', async () => {
    const commented = `${PERMIT_ALL}
      // why
      @id("none") @says("no") forbid (principal, action in Action::"act", resource) // all of it;
      when { context.agent != ";" } // at the end;
      ;`;
    const { smallestRule } = await explainCall(await load(commented), near());
    const [own, other] = await decideWith(commented, smallestRule, [near(), call()]);
    expect(smallestRule).toContain('// at the end;');
    expect([own?.kind, other?.kind]).toEqual([ALLOW, DENY]);
  });
});

describe('under the rules that are shipped', () => {
  const operator = (text: string) => ({ layer: 'operator', name: 'mine.cedar', text }) as const;

  it('what is offered is taken as a file of the operator', async () => {
    const shipped = compile(builtInFiles('ask'), { mode: 'ask' });
    const text = shipped.kind === 'compiled' ? shipped.set.rules.map((rule) => rule.text) : [];
    const request = call({ tool: 'mcp.deploy', context: FACTS });
    const explanation = await explainCall(await load(text.join('\n')), request);
    expect(explanation.smallestRuleEffect).toBe('allows it, and asks');
    const files = [...builtInFiles('ask'), operator(explanation.smallestRule)];
    expect(compile(files, { mode: 'ask' })).toMatchObject({ kind: 'compiled' });
  });
});

/** Some permit, so that the set is not empty; it never applies. */
const FORBIDS_NOTHING = '@id("never") permit (principal is Worker, action, resource);';

function near(change: JsonObject = {}): PolicyRequest {
  return call({ context: { ...FACTS, ...change } });
}

function without(name: string): PolicyRequest {
  return call({
    context: Object.fromEntries(Object.entries(FACTS).filter(([key]) => key !== name)),
  });
}

function http(change: JsonObject = {}): JsonObject {
  const path = "/x*'%22%5C";
  return { method: 'POST', scheme: 'https', host: 'a.example', port: 443, path, ...change };
}

function kindsByName(decisions: readonly { readonly kind: DecisionKind }[]) {
  return Object.keys(NEIGHBOURS).map((name, place) => [name, decisions[place]?.kind]);
}

function everyNeighbour(kind: DecisionKind) {
  return Object.keys(NEIGHBOURS).map((name) => [name, kind]);
}

function isRequest(asked: Asked): asked is PolicyRequest {
  return !isProblem(asked);
}
