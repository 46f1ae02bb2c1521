import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcherText } from './launcher.ts';
import { recordName } from './recorded-start.ts';

const RECORDER = join(import.meta.dirname, 'setup/record-run.ts');
/** Tells who called it: the launcher itself, with a record, or the loader of Node. */
const PROGRAM = `
  const caller = new Error().stack.split('\\n')[2];
  const how = caller.includes('node:internal') ? 'loaded' : 'recorded';
  void import('node:path').then(({ basename }) =>
    process.stdout.write(basename(__filename) + ' ' + how + ' one'));
`;
const LOADED = 'x.cjs loaded one';
const RECORDED = 'x.cjs recorded one';

let dist = '';
let record = '';

beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'palyra recorded-'));
  record = join(dist, 'cache', recordName('x'));
  for (const folder of ['cache', 'program']) mkdirSync(join(dist, folder));
  writeFileSync(join(dist, 'x.cjs'), launcherText('x', 'recorded'));
  writeFileSync(join(dist, 'program/x.cjs'), PROGRAM);
});
afterEach(() => rm(dist, { recursive: true, force: true }));

describe('a program that is started to serve', () => {
  it('starts without a record', async () => {
    expect(await launch()).toBe(LOADED);
  });

  it('starts from its record, which only its owner can read or write', async () => {
    await recordIt();
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(await launch()).toBe(RECORDED);
    expect(await launch('--set', 'log.level=debug')).toBe(RECORDED);
  });

  it('can be recorded again on top of a record', async () => {
    await recordIt();
    await recordIt();
    expect(await launch()).toBe(RECORDED);
  });

  it('starts without its record for anything else', async () => {
    await recordIt();
    expect(await launch('journal', 'verify')).toBe(LOADED);
    expect(await launch('--version')).toBe(LOADED);
  });

  it('never runs what was recorded of another program, be it of the same length', async () => {
    await recordIt();
    writeFileSync(join(dist, 'program/x.cjs'), PROGRAM.replace("' one'", "' two'"));
    expect(await launch()).toBe('x.cjs loaded two');
  });

  it.each([
    { what: 'is cut short', damage: () => truncateSync(record, statSync(record).size - 1) },
    { what: 'is empty', damage: () => truncateSync(record, 0) },
    { what: 'is shorter than its digest', damage: () => truncateSync(record, 7) },
    { what: 'has a changed digest', damage: () => changeByte(0) },
    { what: 'has a changed beginning', damage: () => changeByte(40) },
    { what: 'has a changed middle', damage: () => changeByte(statSync(record).size >> 1) },
    { what: 'may be written by others', damage: () => chmodSync(record, 0o622) },
    { what: 'may be read by others', damage: () => chmodSync(record, 0o644) },
    { what: 'is a link to one', damage: replaceByLink },
    { what: 'is a directory', damage: replaceByDirectory },
  ])('does not look at a record that $what', async ({ damage }) => {
    await recordIt();
    damage();
    expect(await launch()).toBe(LOADED);
  });

  it.runIf(process.getuid?.() === 0)('does not look at a record of somebody else', async () => {
    await recordIt();
    chownSync(record, 65_534, 65_534);
    expect(await launch()).toBe(LOADED);
  });

  it('starts without a record that another V8 would have written', async () => {
    await recordIt();
    expect(await launchWith(['--no-opt'])).toBe(LOADED);
  });

  it('is not recorded when a byte of it is not a character', async () => {
    writeFileSync(join(dist, 'program/x.cjs'), '/* é */');
    await expect(recordIt()).rejects.toThrow('a program is not ASCII');
  });
});

describe('the launcher of a recorded program', () => {
  it('can be read by a Node that knows only old JavaScript', () => {
    const text = launcherText('x', 'recorded');
    expect(text).not.toMatch(/=>|\b(?:const|let|class|async|import)\b|\?\.|\$\{|`[^`]*\n[^`]*`/);
  });
});

async function recordIt(): Promise<void> {
  await promisify(execFile)(process.execPath, [RECORDER, join(dist, 'program/x.cjs'), record]);
}

function launch(...words: readonly string[]): Promise<string> {
  return launchWith([], words);
}

async function launchWith(
  flags: readonly string[],
  words: readonly string[] = [],
): Promise<string> {
  const args = [...flags, join(dist, 'x.cjs'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

function changeByte(at: number): void {
  const bytes = readFileSync(record);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x5a, at);
  writeFileSync(record, bytes);
}

function replaceByLink(): void {
  renameSync(record, `${record}.real`);
  symlinkSync(`${record}.real`, record);
}

function replaceByDirectory(): void {
  renameSync(record, `${record}.real`);
  mkdirSync(record, { mode: 0o700 });
}
