import { createHash } from 'node:crypto';
import { setValue } from '@palyra/config';
import { redactText, verifyExport, visibleText } from '@palyra/kernel';
import { parseScript } from '@palyra/models';
import { ownerCaller, testGateway } from '@palyra/testkit';
import { SECTIONS } from '../../apps/palyrad/src/sections.ts';
import { proposer } from '../../packages/gateway/soak/hostile-arguments.ts';
import { mutate } from './mutation.ts';
import type { Target } from './target.ts';

const INPUTS_EACH = 200_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const TOML = '# mine\n[runs]\nmax_turns = 5 # few\n[log]\nlevel = "info"\n[models]\nscript = ""\n';
const SCRIPT = JSON.stringify({
  format: 'palyra.script.v1',
  pace_ms: 5,
  turns: [[{ text: 'hello {{prompt}}' }, { tool: 'fs.read', arguments: { path: 'a' } }]],
});
const ARGUMENTS = '{"path":"README.md","lines":[1,2,3],"deep":{"a":{"b":null}},"n":1.5e3}';
const SECRETS =
  'password=hunter2 https://a:b@c/?token=x Authorization: Bearer abcdefghijkl sk-aaaaaaaaaaaaaaaaaaaa';

async function exampleExport(): Promise<string> {
  await using test = await testGateway();
  const run = await test.gateway.runs.start({ prompt: 'hello' }, ownerCaller());
  await Array.fromAsync(run.events(new AbortController().signal));
  const lines = await Array.fromAsync(test.journal.exportLines({}));
  return lines.map((line) => `${decoder.decode(line)}\n`).join('');
}

async function* linesOf(text: string): AsyncGenerator<Uint8Array> {
  const lines = text.split('\n');
  // What follows the last newline is a line too, unless there is nothing.
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) yield encoder.encode(line);
}

/** An edited export that still verifies would be the worst of all bugs. */
async function mustNotVerify(text: string, original: string): Promise<void> {
  // The same lines, only the newline at the very end is gone: nothing was edited.
  if (text.toWellFormed().replace(/\n$/, '') === original.replace(/\n$/, '')) return;
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const report = await verifyExport(linesOf(text), { sha256 });
  if (report.verdict === 'intact') throw new TypeError('an edited export verified');
}

/** Settings, scripts, arguments of tools, what is shown to people, and exports. */
export async function textTargets(): Promise<readonly Target[]> {
  const original = await exampleExport();
  const setting = (text: string) => setValue(SECTIONS, text, { key: 'runs.max_turns', value: '7' });
  return [
    target('configuration', TOML, setting),
    target('script', SCRIPT, (text) => parseScript(text, 'fuzz')),
    target('tool arguments', ARGUMENTS, proposer()),
    target('shown text', SECRETS, (text) => visibleText(redactText(text))),
    target('export', original, (text) => mustNotVerify(text, original)),
  ];
}

function target(name: string, seed: string, feed: (text: string) => unknown): Target {
  return {
    name,
    inputs: INPUTS_EACH,
    next: (random) => {
      const text = mutate(seed, random);
      return { input: JSON.stringify(text), outcome: () => feed(text) };
    },
  };
}
