import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN } from '../testing/cli.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'palyra-gone-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Starts the program in a folder that somebody has removed in the meantime. */
function inGoneFolder(...words: readonly string[]) {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', script, 'sh', process.execPath, MAIN, ...words],
    { cwd: home, env: { HOME: home, PATH: process.env['PATH'] ?? '' }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const MESSAGE = 'INVALID_INPUT: the current folder is gone or cannot be entered';
const HELP = '  try: go to another folder with `cd` and try again\n';

describe('in a folder that is gone', () => {
  it.each([
    [['config', 'validate']],
    [['config', 'validate', 'palyra.toml']],
    [['journal', 'verify']],
    [['sandbox', 'explain', '--', 'ls']],
  ])('%j says so', (words) => {
    const stderr = `error ${MESSAGE}\n${HELP}`;
    expect(inGoneFolder(...words)).toEqual({ status: 2, stdout: '', stderr });
  });

  it('no gateway starts, and it says so without a stack', () => {
    const stderr = `palyrad: ${MESSAGE}\n${HELP}`;
    expect(inGoneFolder('up')).toEqual({ status: 2, stdout: '', stderr });
  });
});
