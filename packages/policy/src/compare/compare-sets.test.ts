import { GainKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { compareSets } from './compare-sets.ts';
import type { Difference, Gain } from './difference.ts';

const TOOLS = [
  { name: 'fs.read', capabilities: ['filesystem_read'], risk: 'low', source: 'built-in' },
  { name: 'fs.write', capabilities: ['filesystem_write'], risk: 'medium', source: 'built-in' },
  { name: 'http.fetch', capabilities: ['network'], risk: 'medium', source: 'built-in' },
  { name: 'process.run', capabilities: ['process_exec'], risk: 'high', source: 'built-in' },
  { name: 'deploy', capabilities: ['secrets_read'], risk: 'high', source: 'built-in' },
];

async function difference(old: string, now: string): Promise<Difference> {
  const before = await ruleSetOf(old);
  const after = await ruleSetOf(now);
  return await compareSets(before, after, { tools: TOOLS });
}

function told(gains: readonly Gain[]): readonly string[] {
  return gains.map(({ kind, principal, what }) => `${nameOf(kind)}: ${principal}: ${what}`);
}

function nameOf(kind: GainKind): string {
  return Object.entries(GainKind).find(([, value]) => value === kind)?.[0] ?? '';
}

const EXECUTE = 'action == Action::"tool.execute"';
const NOTHING = '@id("nothing") forbid (principal, action == Action::"vault.get", resource);';
const LIFTED =
  'unless { context.unattended || (context has approval && context.approval.count >= 1) }';
const READS = `@id("reads") permit (principal, ${EXECUTE}, resource == Tool::"fs.read");`;
const RUNS = `@id("runs") permit (principal, ${EXECUTE}, resource == Tool::"process.run");`;
const FETCHES = (host: string) =>
  `@id("fetches") permit (principal, ${EXECUTE}, resource == Tool::"http.fetch") when { context.hosts.allUnder.contains("${host}") };`;

describe('what a change of the rules allows', () => {
  it('is nothing when nothing changed', async () => {
    const found = await difference(READS, READS);
    expect(found).toMatchObject({ gains: [], losses: [], questions: 0, changedRules: [] });
  });

  it('is nothing when only words changed, though the rule is named', async () => {
    const found = await difference(READS, READS.replace('@id', '@says("otherwise") @id'));
    expect(found).toMatchObject({ gains: [], losses: [], changedRules: ['reads'] });
  });

  it('may be more when what could fail is looked at later than before', async () => {
    const fails = '(context.bodyBytes * 9007199254740991 >= 0)';
    const big = (conditions: string) =>
      `${READS}@id("big") forbid (principal, ${EXECUTE}, resource) when { ${conditions} };`;
    const first = big(`${fails} && context.agent == "never"`);
    const last = big(`context.agent == "never" && ${fails}`);
    const { gains } = await difference(first, last);
    expect(gains.flatMap(({ ruleIds }) => ruleIds)).toContain('big');
  });

  it('is a tool for everybody', async () => {
    const found = await difference(NOTHING, `${NOTHING}${READS}`);
    expect(told(found.gains)).toEqual(['TOOL: anyone: fs.read']);
    expect(found.gains[0]?.ruleIds).toEqual(['reads']);
    expect(found.addedRules).toEqual(['reads']);
    expect(found.losses).toEqual([]);
  });

  it('is a tool for those who are at least operators', async () => {
    const rule = `@id("ops") permit (principal in Role::"operator", ${EXECUTE}, resource == Tool::"deploy") when { context.secrets.contains("key") };`;
    const found = await difference(NOTHING, `${NOTHING}${rule}`);
    expect(told(found.gains)).toEqual([
      'TOOL: operator: deploy',
      'TOOL: token of an operator: deploy',
      'SECRET: operator: key, through deploy',
      'SECRET: token of an operator: key, through deploy',
      // The condition is about one secret, and says nothing of others beside it.
      'SECRET: operator: any secret that no rule names, through deploy',
      'SECRET: token of an operator: any secret that no rule names, through deploy',
    ]);
  });

  it('is a tool for one person', async () => {
    const rule = `@id("alice") permit (principal == User::"alice", ${EXECUTE}, resource == Tool::"fs.read");`;
    const found = await difference(NOTHING, `${NOTHING}${rule}`);
    expect(told(found.gains)).toEqual(['TOOL: user:alice: fs.read']);
  });

  it('is a tool for one person while they have a role', async () => {
    const rule = `@id("alice") permit (principal == User::"alice", ${EXECUTE}, resource == Tool::"fs.read") when { principal in Role::"admin" };`;
    const found = await difference(NOTHING, `${NOTHING}${rule}`);
    expect(told(found.gains)).toEqual(['TOOL: user:alice as an admin: fs.read']);
    const exactly = rule.replace('};', '&& !(principal in Role::"owner") };');
    const { gains } = await difference(NOTHING, `${NOTHING}${exactly}`);
    expect(told(gains)).toEqual(['TOOL: user:alice as an admin: fs.read']);
  });

  it('is told by role where no question shows it', async () => {
    const odd = (who: string) =>
      `@id("odd") permit (${who}, ${EXECUTE}, resource) when { context.run like "*x*y*" && context.argumentBytes - context.bodyBytes == 12 };`;
    const whom = async (who: string) =>
      told((await difference(READS, `${READS}${odd(who)}`)).gains);
    expect(await whom('principal is User in Role::"admin"')).toEqual(['POSSIBLE: admin: odd']);
    expect(await whom('principal is Token in Role::"owner"')).toEqual([
      'POSSIBLE: token of an owner: odd',
    ]);
  });

  it('is a host, and the loss of the one before', async () => {
    const found = await difference(FETCHES('a.example'), FETCHES('b.example'));
    expect(told(found.gains)).toEqual(['HOST: anyone: b.example, through http.fetch']);
    expect(told(found.losses)).toEqual(['HOST: anyone: a.example, through http.fetch']);
    expect(found.changedRules).toEqual(['fetches']);
  });

  it('is a tool in one workspace, and not in the one before', async () => {
    const inFolder = (folder: string) =>
      `@id("in") permit (principal is User, ${EXECUTE}, resource == Tool::"fs.read") when { context has workspace && context.workspace == "${folder}" };`;
    const found = await difference(
      `${NOTHING}${inFolder('/srv/a')}`,
      `${NOTHING}${inFolder('/srv/b')}`,
    );
    expect(told(found.gains)).toEqual(['TOOL: user: fs.read (with a workspace, workspace /srv/b)']);
    expect(told(found.losses)).toEqual([
      'TOOL: user: fs.read (with a workspace, workspace /srv/a)',
    ]);
  });

  it.each([
    'context.hosts.allUnder.contains("api.example.com") && context.hosts.ports == [8443]',
    'context.hosts.all == ["api.example.com"] && context.hosts.ports == [8443]',
    'context.hosts.all == ["api.example.com"] && [8443].containsAll(context.hosts.ports)',
    'context.hosts.all.contains("api.example.com") && context.hosts.ports.contains(8443)',
    'context.hosts.ports == [8443] && context.hosts.all == ["api.example.com"]',
    'context has http && context.http.host == "api.example.com" && context.http.port == 8443',
    'context.hosts.allUnder.contains("api.example.com") && context has http && context.http.port == 8443',
  ])('is a host with its port: %s', async (when) => {
    const rule = `@id("port") permit (principal is User, ${EXECUTE}, resource == Tool::"http.fetch") when { ${when} };`;
    const found = await difference(FETCHES('a.example'), `${FETCHES('a.example')}${rule}`);
    expect(told(found.gains)).toContain('HOST: user: api.example.com:8443, through http.fetch');
    expect(told(found.gains).join()).not.toContain('POSSIBLE');
  });

  it('is another port of a host that was reached before', async () => {
    const ports = (port: number) =>
      `@id("ports") permit (principal is User, ${EXECUTE}, resource == Tool::"http.fetch") when { context.hosts.all == ["api.example.com"] && context.hosts.ports == [${port}] };`;
    const { gains } = await difference(ports(443), ports(8443));
    expect(told(gains)).toEqual(['HOST: user: api.example.com:8443, through http.fetch']);
  });

  it.each(['resource.port == 5432', '[443, 5432].contains(resource.port)'])(
    'is a port that may be connected to: %s',
    async (when) => {
      const rule = `@id("db") permit (principal is User, action == Action::"host.connect", resource == Host::"db.example.com") when { ${when} };`;
      const { gains } = await difference(NOTHING, `${NOTHING}${rule}`);
      expect(told(gains)).toContain('HOST: user: db.example.com:5432');
    },
  );

  it.each([
    'resource.under.contains("evil.example")',
    'resource.name == "evil.example"',
    'resource.under.containsAny(["evil.example", "worse.example"])',
  ])('is a host that a rule no longer keeps calls from: %s', async (when) => {
    const reach =
      '@id("reach") permit (principal is User, action == Action::"host.connect", resource) when { context.hosts.all.contains(resource.name) && context.hosts.ports.contains(resource.port) };';
    const rule = `@id("no") forbid (principal, action == Action::"host.connect", resource) when { ${when} };`;
    const { gains } = await difference(`${reach}${rule}`, reach);
    expect(told(gains)).toContain('HOST: user: evil.example');
    const { gains: none } = await difference(reach, `${reach}${rule}`);
    expect(told(none)).toEqual([]);
  });

  it('is a host that is named as the only one', async () => {
    const rule = `@id("only") permit (principal is Token, ${EXECUTE}, resource == Tool::"http.fetch") when { context.hosts.all == ["api.example.com"] };`;
    const found = await difference(FETCHES('a.example'), `${FETCHES('a.example')}${rule}`);
    expect(told(found.gains)).toEqual(['HOST: token: api.example.com, through http.fetch']);
    expect(found.gains[0]?.ruleIds).toEqual(['only']);
  });

  it('is blamed on the permit where a gate still asks', async () => {
    const gate = `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource) ${LIFTED};`;
    const found = await difference(gate, `${gate}${READS}`);
    expect(told(found.gains)).toEqual(['TOOL: anyone: fs.read']);
    expect(found.gains[0]?.ruleIds).toEqual(['reads']);
  });

  it('is every host that no rule names', async () => {
    const all = `@id("fetches") permit (principal, ${EXECUTE}, resource == Tool::"http.fetch");`;
    const found = await difference(FETCHES('a.example'), all);
    expect(told(found.gains)).toContain(
      'HOST: anyone: any host that no rule names, through http.fetch',
    );
  });

  it('is a folder to write in', async () => {
    const write = (folder: string) =>
      `@id("writes") permit (principal, ${EXECUTE}, resource == Tool::"fs.write") when { context.writes.allUnder.contains("docs") || context.writes.allUnder.contains("${folder}") };`;
    const found = await difference(write('docs'), write('src'));
    expect(told(found.gains)).toEqual(['WRITE_ROOT: anyone: src, through fs.write']);
  });

  it('is a secret, by the vault', async () => {
    const rule =
      '@id("key") permit (principal is Agent, action == Action::"vault.get", resource == Secret::"key");';
    const found = await difference(READS, `${READS}${rule}`);
    expect(told(found.gains)).toEqual(['SECRET: agent: key']);
  });

  it('is a call of the gateway, for those whose role leaves it to them', async () => {
    const rule = '@id("ask") permit (principal, action == Action::"policy.manage", resource);';
    const found = await difference(READS, `${READS}${rule}`);
    expect(told(found.gains)).toEqual(['OTHER: admin: policy.manage']);
    const scoped =
      '@id("ask") permit (principal is Token, action == Action::"memory.use", resource);';
    const { gains } = await difference(READS, `${READS}${scoped}`);
    expect(told(gains)).toEqual(['OTHER: token of an operator with every scope: memory.use']);
  });

  it('is no call of the gateway that every role which may make it makes already', async () => {
    const rule = (id: string, who: string) =>
      `@id("${id}") permit (${who}, action in [Action::"policy.manage", Action::"tokens.manage"], resource);`;
    const admins = rule('admins', 'principal is User in Role::"admin"');
    for (const who of ['principal in Role::"operator"', 'principal is Worker', 'principal']) {
      const { gains } = await difference(admins, `${admins}${rule('more', who)}`);
      expect(gains).toEqual([]);
    }
    const others = '@id("trust") permit (principal, action in Action::"control", resource);';
    expect(told((await difference(admins, `${admins}${others}`)).gains)).toContain(
      'OTHER: owner: trust.operate',
    );
    const owners = rule('owners', 'principal is User in Role::"owner"');
    expect(told((await difference(owners, `${owners}${admins}`)).gains)).toEqual([
      'OTHER: admin: policy.manage',
      'OTHER: admin: tokens.manage',
    ]);
  });

  it('is a gate less', async () => {
    const gate = `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource == Tool::"process.run") ${LIFTED};`;
    const found = await difference(`${RUNS}${gate}`, RUNS);
    expect(told(found.gains)).toEqual(['GATE_REMOVED: anyone: process.run']);
    expect(found.gains[0]?.ruleIds).toEqual(['gate']);
    const back = await difference(RUNS, `${RUNS}${gate}`);
    expect(back.gains).toEqual([]);
    expect(told(back.losses)).toEqual(['GATE_REMOVED: anyone: process.run']);
  });

  it('is a gate that nobody need pass any more', async () => {
    const gate = `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource == Tool::"process.run") ${LIFTED};`;
    const lift =
      '@id("lift") permit (principal, action == Action::"tool.unattended", resource) when { context.tier == Tier::"C" };';
    const found = await difference(`${RUNS}${gate}`, `${RUNS}${gate}${lift}`);
    expect(told(found.gains)).toEqual(['GATE_REMOVED: anyone: process.run (with tier C)']);
    expect(found.gains[0]?.ruleIds).toEqual(['lift']);
  });

  it('is a gate that fewer people can lift', async () => {
    const gate = (quorum: number) =>
      `@id("gate") @gate("approval") @quorum("${quorum}") forbid (principal, ${EXECUTE}, resource == Tool::"process.run") ${LIFTED};`;
    const found = await difference(`${RUNS}${gate(2)}`, `${RUNS}${gate(1)}`);
    expect(told(found.gains)).toEqual(['GATE_REMOVED: anyone: process.run, gate weakened']);
    const back = await difference(`${RUNS}${gate(1)}`, `${RUNS}${gate(2)}`);
    expect(back.gains).toEqual([]);
  });

  it('is a gate that asks in fewer cases', async () => {
    const gate = (when: string) =>
      `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource == Tool::"process.run") when { ${when} } ${LIFTED};`;
    const all = `${RUNS}${gate('context.argumentBytes >= 0')}`;
    const big = `${RUNS}${gate('context.argumentBytes >= 100')}`;
    expect(told((await difference(all, big)).gains)).toEqual([
      'GATE_REMOVED: anyone: process.run, gate weakened',
    ]);
    expect(told((await difference(all, big)).losses)).toEqual([
      'GATE_REMOVED: anyone: gate, gate tightened',
    ]);
    const unseen = `${RUNS}${gate('context.argumentBytes * 7 == 4711 * 7')}`;
    const less = `${RUNS}${gate('context.argumentBytes * 7 == 4711 * 7 && context.bodyBytes == 9')}`;
    expect(told((await difference(unseen, less)).gains)).toEqual([
      'GATE_REMOVED: anyone: gate, gate weakened',
    ]);
  });

  it('is nothing when a gate or a forbid names more, and a permit less', async () => {
    const gate = (folders: string) =>
      `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource) when { context.writes.anyUnder.containsAny([${folders}]) || context.tier == Tier::"B" } ${LIFTED};`;
    const forbid = (channels: string) =>
      `@id("stop") forbid (principal, ${EXECUTE}, resource) unless { [${channels}].contains(context.channel) };`;
    const permit = (names: string) =>
      `@id("runs") permit (principal, ${EXECUTE}, resource == Tool::"process.run") when { context has process && [${names}].contains(context.process.name) };`;
    const old = [gate('"a"'), forbid('Channel::"cli", Channel::"api"'), permit('"git", "npm"')];
    const now = [gate('"a", "b"'), forbid('Channel::"cli"'), permit('"git"')];
    const found = await difference(old.join('\n'), now.join('\n'));
    expect(found.gains).toEqual([]);
    expect(found.losses).not.toEqual([]);
    const back = await difference(now.join('\n'), old.join('\n'));
    expect(back.gains.flatMap(({ ruleIds }) => ruleIds)).toEqual(
      expect.arrayContaining(['gate', 'stop', 'runs']),
    );
  });

  it('is the tool when a forbid becomes a gate, and lost the other way round', async () => {
    const forbid = `@id("stop") forbid (principal, ${EXECUTE}, resource == Tool::"process.run")`;
    const plain = `${RUNS}${forbid};`;
    const gated = `${RUNS}@gate("approval")${forbid} ${LIFTED};`;
    expect(told((await difference(plain, gated)).gains)).toEqual(['TOOL: anyone: process.run']);
    const back = await difference(gated, plain);
    expect(back.gains).toEqual([]);
    expect(told(back.losses)).toEqual(['TOOL: anyone: process.run']);
  });

  it('is found where another rule has conditions too', async () => {
    const permit = `@id("runs") permit (principal, ${EXECUTE}, resource == Tool::"process.run") when { context.tier == Tier::"C" };`;
    const forbid = `@id("push") forbid (principal, ${EXECUTE}, resource) when { context has process && context.process.name == "git" && context.process.first == "push" };`;
    const found = await difference(`${permit}${forbid}`, permit);
    expect(told(found.gains)).toEqual([
      'TOOL: anyone: process.run (with tier C, a command, name git, first push)',
    ]);
    expect(found.gains[0]?.ruleIds).toEqual(['push']);
  });
});

describe('what a question may have missed', () => {
  const odd = `@id("odd") permit (principal, ${EXECUTE}, resource) when { context.argumentBytes * 7 == 4711 * 7 && context.run like "*x*y*z*" && context.argumentBytes - context.bodyBytes == 12 };`;

  it('is said to be possible', async () => {
    const found = await difference(READS, `${READS}${odd}`);
    expect(told(found.gains)).toEqual(['POSSIBLE: anyone: odd']);
  });

  it('is not said of a permit that only got narrower', async () => {
    const narrower = READS.replace(';', ' when { context.run == "x" };');
    const found = await difference(READS, narrower);
    expect(found.gains).toEqual([]);
    expect(found.losses).not.toEqual([]);
  });

  it('is not said of a forbid that only got wider', async () => {
    const forbid = `@id("stop") forbid (principal, ${EXECUTE}, resource)`;
    const found = await difference(
      `${READS}${forbid} when { context.run == "x" && context.bodyBytes > 7 };`,
      `${READS}${forbid} when { context.run == "x" };`,
    );
    expect(found.gains).toEqual([]);
  });

  it('is not said of a rule that was renamed', async () => {
    const found = await difference(READS, READS.replace('"reads"', '"reading"'));
    expect(found).toMatchObject({ gains: [], addedRules: ['reading'], removedRules: ['reads'] });
  });

  it('is said of a permit that was taken away but could fail, because what fails denies', async () => {
    const found = await difference(`${READS}${odd}`, READS);
    expect(told(found.gains)).toEqual(['POSSIBLE: anyone: odd']);
  });

  it('is said of a gate whose approval another rule waits for', async () => {
    const waits = `@id("waits") permit (principal, ${EXECUTE}, resource) when { context has approval && context.run == "x" };`;
    const gate = `@id("gate") @gate("approval") forbid (principal, ${EXECUTE}, resource) when { context.bodyBytes * 3 == 9 } ${LIFTED};`;
    const found = await difference(waits, `${waits}${gate}`);
    expect(told(found.gains)).toEqual(['POSSIBLE: anyone: gate']);
  });
});
