import { GainKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { compareSets } from './compare-sets.ts';
import type { Gain } from './difference.ts';

const TOOLS = [
  { name: 'fs.read', capabilities: ['filesystem_read'], risk: 'low', source: 'built-in' },
  { name: 'fs.list', capabilities: ['filesystem_read'], risk: 'low', source: 'built-in' },
  { name: 'fs.write', capabilities: ['filesystem_write'], risk: 'medium', source: 'built-in' },
  { name: 'http.fetch', capabilities: ['network'], risk: 'medium', source: 'built-in' },
  { name: 'process.run', capabilities: ['process_exec'], risk: 'high', source: 'built-in' },
];

async function gainsBetween(old: string, now: string): Promise<readonly Gain[]> {
  const before = await ruleSetOf(old);
  const after = await ruleSetOf(now);
  return (await compareSets(before, after, { tools: TOOLS })).gains;
}

async function told(old: string, now: string): Promise<readonly string[]> {
  const gains = await gainsBetween(old, now);
  return gains.map(({ kind, principal, what }) => `${nameOf(kind)}: ${principal}: ${what}`);
}

function nameOf(kind: GainKind): string {
  return Object.entries(GainKind).find(([, value]) => value === kind)?.[0] ?? '';
}

const ON = (tool: string) => `action == Action::"tool.execute", resource == Tool::"${tool}"`;
const ALL = (tool: string) => `@id("all") permit (principal, ${ON(tool)});`;
/** What compares two facts of a call is asked about by no question. */
const UNASKED = 'context.argumentBytes > context.bodyBytes';
const names = (some: readonly string[]) => some.map((name) => `"${name}"`).join(', ');
const MANY = Array.from({ length: 13 }, (_, place) => `h${place}.example`);

describe('a gain that a question could hide', () => {
  it('is told of a gate that goes where another rule looks at its approval', async () => {
    const forbid = `forbid (principal, ${ON('fs.read')}) when { ${UNASKED} }`;
    const two = `@id("two") @gate("approval") @quorum("2") ${forbid} unless { context has approval && context.approval.count >= 2 };`;
    const few = `@id("few") ${forbid} when { context has approval && context.approval.count < 2 };`;
    const one = `@id("one") @gate("approval") ${forbid} unless { context has approval && context.approval.count >= 1 } unless { context has approval && context.approval.count >= 2 };`;
    const kept = `${ALL('fs.read')}${two}${few}`;
    expect(await told(`${kept}${one}`, kept)).toEqual(['POSSIBLE: anyone: one']);
  });

  it('is told of a forbid whose name another rule has now', async () => {
    const old = `${ALL('fs.write')}@id("x") forbid (principal, ${ON('fs.write')}) when { ${UNASKED} };`;
    const now = `${ALL('fs.write')}@id("x") permit (principal is Worker, ${ON('fs.list')});`;
    expect(await told(old, now)).toEqual(['TOOL: worker: fs.list', 'POSSIBLE: anyone: x']);
  });

  it('is told beside a smaller one of the same rule', async () => {
    const write = (more: string) =>
      `@id("write") permit (principal is Agent, ${ON('fs.write')}) when { context.writes.allUnder.contains("docs") ${more} };`;
    const notes = '|| context.writes.allUnder.contains("notes")';
    expect(await told(write(''), write(`${notes} || ${UNASKED}`))).toEqual([
      'WRITE_ROOT: agent: notes, through fs.write',
      'POSSIBLE: agent: write',
    ]);
    expect(await told(write(''), write(notes))).toEqual([
      'WRITE_ROOT: agent: notes, through fs.write',
    ]);
  });

  it('is told in its own words beside a host that is reached anew', async () => {
    const permit = `permit (principal is Agent, ${ON('http.fetch')})`;
    const cli = `@id("cli") ${permit} when { context.channel == Channel::"cli" };`;
    const evil = `@id("evil") forbid (principal, ${ON('http.fetch')}) when { context.hosts.anyUnder.contains("evil.example") };`;
    const api = `@id("api") ${permit} when { context.channel == Channel::"api" && context.hosts.all.contains("good.example") };`;
    expect(await told(`${cli}${evil}`, `${cli}${api}`)).toEqual([
      'HOST: agent: evil.example, through http.fetch',
      expect.stringMatching(/^TOOL: agent: http.fetch \(with .*channel api.*good.example/),
    ]);
  });

  it('is told of a condition that went, beside a smaller one that went with it', async () => {
    const permit = `permit (principal is Agent, ${ON('http.fetch')})`;
    const evil = 'context.hosts.anyUnder.contains("evil.example")';
    const old = `@id("fetch") ${permit} unless { ${evil} || ${UNASKED} };`;
    const found = ['HOST: agent: evil.example, through http.fetch', 'POSSIBLE: agent: fetch'];
    expect(await told(old, `@id("fetch") ${permit};`)).toEqual(found);
    const beside = await told(old, `${old}@id("more") ${permit};`);
    expect(beside).toEqual([found[0], 'POSSIBLE: agent: more']);
  });

  it('is told of a pattern, of which a question shows one name', async () => {
    const fetch = (host: string) =>
      `@id("fetch") permit (principal is Agent, ${ON('http.fetch')}) when { context has http && (context.http.host == "a.example" ${host}) };`;
    const found = await told(fetch(''), fetch('|| context.http.host like "*.b.example"'));
    expect(found).toContain('POSSIBLE: agent: fetch');
  });

  it('is told of each name of a long list', async () => {
    const fetch = (hosts: readonly string[]) =>
      `@id("fetch") permit (principal is Agent, ${ON('http.fetch')}) when { [${names(hosts)}].containsAll(context.hosts.all) && !context.hosts.all.isEmpty() };`;
    const added = [...MANY, 'evil.example'];
    expect(await told(fetch(['a.example']), fetch(['a.example', ...added]))).toEqual(
      added.map((host) => `HOST: agent: ${host}, through http.fetch`),
    );
  });

  it('is told of each name that went from a long list', async () => {
    const forbid = (hosts: readonly string[]) =>
      `${ALL('http.fetch')}@id("hosts") forbid (principal, ${ON('http.fetch')}) when { context.hosts.anyUnder.containsAny([${names(hosts)}]) };`;
    const old = forbid([...MANY, 'evil.example']);
    expect(await told(old, forbid(MANY.filter((host) => host !== 'h2.example')))).toEqual([
      'HOST: anyone: h2.example, through http.fetch',
      'HOST: anyone: evil.example, through http.fetch',
    ]);
  });

  it('is possible of a list that is longer than what is asked', async () => {
    const fetch = (hosts: readonly string[]) =>
      `@id("fetch") permit (principal is Agent, ${ON('http.fetch')}) when { context.hosts.allUnder.containsAny([${names(hosts)}]) };`;
    const many = Array.from({ length: 100 }, (_, place) => `m${place}.example`);
    const found = await told(fetch(['a.example']), fetch(['a.example', ...many]));
    expect(found).toContain('POSSIBLE: agent: fetch');
  });

  it('is told of each command', async () => {
    const runs = (commands: readonly string[]) =>
      `@id("runs") permit (principal is Agent, ${ON('process.run')}) when { context has process && [${names(commands)}].contains(context.process.name) };`;
    const added = [...Array.from({ length: 12 }, (_, place) => `c${place}`), 'rm'];
    const words = added.map((name) => `name ${name}`).join('; or ');
    expect(await told(runs(['ls']), runs(['ls', ...added]))).toEqual([
      `TOOL: agent: process.run (with a command, ${words})`,
    ]);
    const more = Array.from({ length: 30 }, (_, place) => `d${place}`);
    const [first] = await told(runs(['ls']), runs(['ls', ...more]));
    expect(first).toMatch(/; or name d23; and 6 more\)$/);
  });
});
