import * as fc from 'fast-check';
import type { PolicyRequest } from '../model.ts';
import { isProblem } from '../request/problem.ts';
import { requestForCase } from '../cases/case-request.ts';
import { type PolicyCase, policyCaseSchema } from '../cases/policy-case.ts';
import { builtInTools } from './baseline.fixture.ts';

const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 0 });
const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const PATHS = ['a.txt', 'src/b.ts', '.env', '.git/config', '.palyra/x', '/etc/passwd', '/', '.'];
const HOSTS = [
  { name: 'example.com', port: 443, range: 'name' },
  { name: 'localhost', port: 80, range: 'loopback' },
  { name: '93.184.216.34', port: 443, range: 'public' },
  { name: '10.0.0.1', port: 22, range: 'private' },
  { name: '169.254.169.254', port: 80, range: 'metadata' },
];
const SCOPES = ['sessions.use', 'memory.use', 'routines.use', 'policy.manage'];
const CAPABILITIES = ['process_exec', 'network', 'secrets_read', 'filesystem_write', 'memory'];

const process = fc.record({
  executable: oneOf('git', 'palyra', '/usr/bin/env', './build.sh'),
  arguments: some(['status', 'palyra', 'a b', '']),
});
const facts = fc.record(
  {
    process,
    reads: some(PATHS),
    writes: some(PATHS),
    hosts: some(HOSTS),
    secrets: some(['github']),
    bodyBytes: fc.nat(),
  },
  { requiredKeys: [] },
);
const approver = fc.record({
  principal: oneOf('user:ada', 'user:bob', 'user:eve'),
  role: oneOf('operator', 'admin', 'owner'),
  strength: oneOf('device', 'passkey'),
});

/** What may stand around any question. */
export const circumstances = fc.record(
  {
    principal: oneOf('user:ada', 'token:ci', 'device:d', 'agent:palyra', 'worker:w'),
    role: oneOf('none', 'operator', 'admin', 'owner'),
    scopes: some(SCOPES),
    channel: oneOf('cli', 'console', 'desktop', 'api', 'schedule', 'worker'),
    agent: oneOf('palyra', 'stranger', ''),
    skill: oneOf('', 'notes'),
    tier: oneOf('none', 'A', 'B', 'C'),
    taint: some(['web', 'tool', 'mcp', 'file', 'memory', 'secret']),
    budget: oneOf('unlimited', 'within', 'exhausted'),
    time: oneOf('2026-11-16T09:30:00Z', '2026-11-15T23:59:59Z', '2024-02-29T00:00:00Z'),
    approval: fc.array(approver, { minLength: 1, maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const tool = fc.record(
  {
    tool: oneOf('fs.read', 'fs.write', 'process.run', 'http.fetch', 'memory.save', 'mcp.x', 'none'),
    facts,
    capabilities: some(CAPABILITIES),
    risk: oneOf('low', 'medium', 'high', 'critical'),
    source: oneOf('built-in', 'mcp'),
  },
  { requiredKeys: ['tool'] },
);
const owner = oneOf('user:ada', 'user:bob');
const belonging = fc.oneof(
  fc.record({
    action: oneOf('memory.search', 'memory.save', 'memory.delete', 'memory.purge'),
    resource: fc.record({ type: oneOf('Memory'), owner }),
  }),
  fc.record({
    action: oneOf('routine.run', 'routine.save', 'routine.delete'),
    resource: fc.record({ type: oneOf('Routine'), owner }),
  }),
  fc.record({
    action: oneOf('vault.get'),
    resource: fc.record(
      { type: oneOf('Secret'), id: oneOf('github'), owner },
      { requiredKeys: ['type', 'id'] },
    ),
  }),
);
const connection = fc.record({
  action: oneOf('host.connect'),
  resource: fc.record({
    type: oneOf('Host'),
    id: oneOf('example.com', '10.0.0.1'),
    range: oneOf('public', 'private', 'loopback', 'metadata', 'special'),
    port: oneOf(22, 443),
    listed: fc.boolean(),
  }),
  facts,
});
const folder = fc.record({
  action: oneOf('workspace.open'),
  principal: oneOf('user:ada', 'token:ci'),
  resource: fc.record({ type: oneOf('Workspace'), path: oneOf('/srv/a', '/srv/b') }),
});
const work = fc.record({
  action: oneOf('work.see', 'work.speak', 'work.stop', 'work.undo'),
  resource: fc.record({
    type: oneOf('Work'),
    owner: oneOf('user:ada', 'user:bob', 'token:ci', 'token:other', 'everybody'),
  }),
});
const people = fc.record({
  action: oneOf('people.change', 'people.admit', 'people.unpair', 'people.rotate'),
  resource: fc.record({
    type: oneOf('Member'),
    user: oneOf('user:ada', 'user:bob'),
    role: oneOf('operator', 'admin', 'owner'),
  }),
});
const permission = fc.record({
  action: oneOf('status.read', 'sessions.use', 'memory.use', 'policy.manage', 'trust.operate'),
});

/** Questions of every kind, asked by anybody, in any circumstances. */
export const questions: fc.Arbitrary<PolicyRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: tool },
      belonging,
      connection,
      folder,
      work,
      people,
      permission,
    ),
    circumstances,
  )
  .map(([what, around]) => requestOf({ ...around, ...what }));

/** Of people whom rules know, about what asks somebody; as often with an answer as without. */
export const askings: fc.Arbitrary<PolicyRequest> = fc
  .record({
    principal: oneOf('user:ada', 'user:bob'),
    role: oneOf('operator', 'admin', 'owner'),
    channel: oneOf('cli', 'console', 'desktop'),
    taint: oneOf<string[]>([], ['file'], ['web']),
    tier: oneOf('none', 'C'),
    call: fc.oneof(
      fc.record({ tool: oneOf('process.run'), facts: fc.record({ process }) }),
      fc.record({
        tool: oneOf('fs.write', 'fs.patch'),
        facts: fc.record({ writes: oneOf(['a.txt'], ['src/b.ts', 'a.txt']) }),
      }),
      fc.record({
        tool: oneOf('http.fetch'),
        facts: fc.record({ hosts: oneOf(HOSTS.slice(0, 1), HOSTS.slice(2, 3)) }),
      }),
      fc.record({
        action: oneOf('memory.delete', 'memory.purge'),
        resource: fc.record({ type: oneOf('Memory'), owner: oneOf('user:ada') }),
      }),
    ),
    answer: fc.oneof(
      fc.constant({}),
      fc.record({ approval: fc.array(approver, { minLength: 1, maxLength: 3 }) }),
    ),
  })
  .map(({ call, answer, ...around }) => requestOf({ ...around, ...call, ...answer }));

/** Contract: throws for fields that make no question. */
export function requestOf(fields: Readonly<Record<string, unknown>>): PolicyRequest {
  const each: PolicyCase = policyCaseSchema.parse({ name: 'x', expect: 'deny', ...fields });
  const request = requestForCase(each, builtInTools);
  if (isProblem(request)) throw new Error(request.problem);
  return request;
}
