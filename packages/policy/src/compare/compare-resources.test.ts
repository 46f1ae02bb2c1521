import { GainKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { compareSets } from './compare-sets.ts';

const NOTHING = '@id("nothing") forbid (principal, action == Action::"vault.get", resource);';
/** As it ships. */
const REACHES = `@id("reaches") permit (principal, action == Action::"host.connect", resource)
  when { (principal is User || principal is Token) && principal in Role::"operator" &&
    context.hosts.all.contains(resource.name) && context.hosts.ports.contains(resource.port) };`;
const OPENS = `@id("opens") permit (principal is User in Role::"operator", action == Action::"workspace.open", resource);
  @id("tokens") permit (principal is Token in Role::"operator", action == Action::"workspace.open", resource)
  when { principal.scopes.contains(context.permission) };`;

async function gained(old: string, rule: string): Promise<readonly string[]> {
  const [before, after] = [await ruleSetOf(old), await ruleSetOf(`${old}@id("new") ${rule}`)];
  const { gains } = await compareSets(before, after, { tools: [] });
  return gains.map(({ kind, principal, what }) => `${nameOf(kind)}: ${principal}: ${what}`);
}

function nameOf(kind: GainKind): string {
  return Object.entries(GainKind).find(([, value]) => value === kind)?.[0] ?? '';
}

describe('what a new permit allows is told by', () => {
  it('the publisher of a skill', async () => {
    const rule =
      'permit (principal is User, action == Action::"skill.execute", resource) when { resource.publisher == "acme" && resource.active };';
    expect(await gained(NOTHING, rule)).toEqual([
      'OTHER: user: skill.execute any other skill of acme',
    ]);
  });

  it('the path of a folder, or its pattern', async () => {
    const opens = (condition: string) =>
      `permit (principal is User in Role::"operator", action == Action::"workspace.open", resource) when { ${condition} };`;
    expect(await gained(NOTHING, opens('resource.path == "/srv/a"'))).toEqual([
      'OTHER: operator: workspace.open /srv/a',
    ]);
    expect(await gained(NOTHING, opens('resource.path like "/srv/*"'))).toEqual([
      'OTHER: operator: workspace.open folders like /srv/*',
    ]);
    const either = opens('resource.path like "/srv/*" || resource.path == "/home/a"');
    expect(await gained(NOTHING, either)).toEqual([
      'OTHER: operator: workspace.open /home/a',
      'OTHER: operator: workspace.open folders like /srv/*',
    ]);
  });

  it('the port of a connection, and by whether the call names it', async () => {
    const rule =
      'permit (principal is User, action == Action::"host.connect", resource) when { resource.port == 22 };';
    expect(await gained(REACHES, rule)).toEqual([
      'HOST: user without a role: any other host:22',
      'HOST: operator: any other host:22, which the call does not name',
      'HOST: operator: any other host:22, of which the call names another port',
      'HOST: operator: any other host:22, where the call names another host',
    ]);
  });

  it('every port, where it names none', async () => {
    const rule =
      'permit (principal is Device, action == Action::"host.connect", resource == Host::"a.example");';
    expect(await gained(REACHES, rule)).toEqual([
      'HOST: device: a.example',
      'HOST: device: a.example, at any other port',
    ]);
  });

  it('the port of whatever host no rule names', async () => {
    const before = await ruleSetOf(NOTHING);
    const rule =
      'permit (principal is User, action == Action::"tool.execute", resource == Tool::"http.fetch") when { context.hosts.ports == [8443] };';
    const after = await ruleSetOf(`${NOTHING}@id("new") ${rule}`);
    const tools = [
      { name: 'http.fetch', capabilities: ['network'], risk: 'medium', source: 'built-in' },
    ];
    const { gains } = await compareSets(before, after, { tools });
    expect(gains.map(({ kind, what }) => `${nameOf(kind)}: ${what}`)).toEqual([
      'TOOL: http.fetch',
      'HOST: any host that no rule names, at port 8443, through http.fetch',
    ]);
  });
});

describe('a new permit', () => {
  it.each([
    'permit (principal is User, action == Action::"workspace.open", resource) when { resource.path == "/srv/a" };',
    'permit (principal is Token, action == Action::"workspace.open", resource) when { resource.path like "/srv/*" };',
  ])('gives nobody a folder who could work in all of them: %s', async (rule) => {
    expect(await gained(OPENS, rule)).toEqual([]);
  });

  it('gives a folder where only some were open, or only to some', async () => {
    const some = OPENS.replaceAll('resource)', 'resource == Workspace::"/srv/b")');
    const rule =
      'permit (principal is User in Role::"operator", action == Action::"workspace.open", resource) when { resource.path == "/srv/a" };';
    expect(await gained(some, rule)).toEqual(['OTHER: operator: workspace.open /srv/a']);
    const owners = OPENS.replaceAll('Role::"operator"', 'Role::"owner"');
    expect(await gained(owners, rule)).not.toEqual([]);
  });

  it.each([
    ['orders ports', 'resource.port < 1024'],
    ['looks at what the call names alone', 'context.hosts.ports == [8443]'],
    ['asks for a pattern of a host', 'resource.name like "*.example"'],
  ])('leaves doubt where it %s', async (_, condition) => {
    const rule = `permit (principal is User, action == Action::"host.connect", resource) when { ${condition} };`;
    expect(await gained(REACHES, rule)).toContain('POSSIBLE: user: new');
  });

  it('leaves doubt where the folder that stands for its pattern was open before', async () => {
    const open = `@id("one") permit (principal, action == Action::"workspace.open", resource) when { resource.path like "/srv/*unnamed*" };`;
    const rule =
      'permit (principal is User, action == Action::"workspace.open", resource) when { resource.path like "/srv/*" };';
    expect(await gained(open, rule)).toEqual(['POSSIBLE: user: new']);
  });
});
