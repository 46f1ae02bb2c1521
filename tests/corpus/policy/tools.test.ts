import { Capability, Risk } from '@palyra/protocol';
import { checkRules } from '@palyra/policy';
import { createCatalogue } from '@palyra/tools';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function wordOf(names: Readonly<Record<string, number>>, value: number): string {
  const named = Object.entries(names).find(([, known]) => known === value);
  return named?.[0].toLowerCase() ?? 'unknown';
}

it('the corpus speaks of the built-in tools as the catalogue declares them', () => {
  const declared = createCatalogue()
    .all()
    .map(({ name, risk, capabilities }) => [
      name,
      {
        risk: wordOf(Risk, risk),
        capabilities: capabilities.map((capability) => wordOf(Capability, capability)).toSorted(),
      },
    ]);
  const file = new URL('tools/built-in.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(Object.fromEntries(declared));
});

it('a rule may name whatever a tool makes of its arguments', async () => {
  const calls = [
    { url: 'HTTPS://Bücher.EXAMPLE.:8443/a b'.replace(' ', '%20'), method: 'post' },
    { url: 'http://0x7f.1/%7euser?x#y', method: 'Options' },
    { url: 'https://[::FFFF:1.2.3.4]/', method: 'HEAD' },
  ];
  const tool = createCatalogue().find('http.fetch');
  const conditions = calls.map((call) => {
    const understood = tool?.understand(call, '/workspace');
    if (understood?.kind !== 'understood') throw new Error(JSON.stringify(understood));
    const { method = '', scheme = '', host = '', path = '' } = understood.facts.http ?? {};
    const http = { method, scheme, host, path };
    return Object.entries(http)
      .map(([fact, value]) => `context.http.${fact} == ${JSON.stringify(value)}`)
      .join(' && ');
  });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-tools-'));
  const file = join(folder.path, 'a.cedar');
  const rules = conditions.map(
    (condition, place) =>
      `@id("a-${place}") @says("x") forbid (principal, action == Action::"tool.execute", resource) when { context has http && ${condition} };`,
  );
  await writeFile(file, rules.join('\n'));
  const tools = { names: new Set<string>(), prefixes: [] };
  const checked = await checkRules([file], { layer: 'operator', mode: 'ask', tools });
  expect(checked).toEqual({ rules: 3, problems: [] });
});
