import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setValue } from '@palyra/config';
import { PalyraError, redactText, verifyExport, visibleText } from '@palyra/kernel';
import { parseScript } from '@palyra/models';
import { randomFrom, testGateway } from '@palyra/testkit';
import { SECTIONS } from '../../apps/palyrad/src/sections.ts';
import { proposer } from '../../packages/gateway/soak/hostile-arguments.ts';
import { print } from '../print.ts';
import { mutate } from './mutation.ts';

const INPUTS = 1_000_000;
const PROGRESS_EVERY = 100_000;

interface Target {
  readonly name: string;
  readonly seeds: readonly string[];
  /** Contract: a PalyraError is a good answer; anything else that is thrown is a bug. */
  readonly feed: (text: string) => unknown;
}

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
  const run = await test.gateway.runs.start({ prompt: 'hello' }, { principal: 'user:fuzz' });
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

async function targets(): Promise<readonly Target[]> {
  const original = await exampleExport();
  const setting = (text: string) => setValue(SECTIONS, text, { key: 'runs.max_turns', value: '7' });
  return [
    { name: 'configuration', seeds: [TOML], feed: setting },
    { name: 'script', seeds: [SCRIPT], feed: (text) => parseScript(text, 'fuzz') },
    { name: 'tool arguments', seeds: [ARGUMENTS], feed: proposer() },
    { name: 'shown text', seeds: [SECRETS], feed: (text) => visibleText(redactText(text)) },
    { name: 'export', seeds: [original], feed: (text) => mustNotVerify(text, original) },
  ];
}

async function bugIn(target: Target, text: string): Promise<string | undefined> {
  try {
    await target.feed(text);
    return undefined;
  } catch (reason) {
    if (reason instanceof PalyraError && reason.code !== 'UNEXPECTED') return undefined;
    return `${target.name}: ${String(reason)} for ${JSON.stringify(text.slice(0, 200))} … ${JSON.stringify(text.slice(-300))}`;
  }
}

const { values } = parseArgs({ options: { seed: { type: 'string' }, inputs: { type: 'string' } } });
const random = randomFrom(Number(values.seed));
const inputs = Number(values.inputs ?? INPUTS);
const all = await targets();
const bugs: string[] = [];
for (let input = 0; input < inputs && bugs.length < 20; input += 1) {
  const target = all[input % all.length];
  const seed = target?.seeds[Math.floor(random() * target.seeds.length)];
  if (target === undefined || seed === undefined) break;
  const bug = await bugIn(target, mutate(seed, random));
  if (bug !== undefined) bugs.push(bug);
  if (input % PROGRESS_EVERY === PROGRESS_EVERY - 1) print(`${input + 1} inputs`);
}
for (const bug of bugs) print(bug);
print(`${inputs} hostile inputs to ${all.length} parsers, ${bugs.length} bugs`);
process.exitCode = bugs.length === 0 ? 0 : 1;
