import { generateKeyPairSync, sign } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bytes,
  ExportWriter,
  GENESIS_HASH,
  type Signer,
  keyIdOf,
  signHead,
} from '@palyra/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN, cli } from '../testing/cli.ts';
import { homeWith, startDaemon } from '../testing/daemon.ts';
import { ENTRY_TIME, writtenEntry } from '../testing/entry.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palyra cli '));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const WRITE_FAILED =
  'error UNEXPECTED: the output cannot be written: ENOSPC: no space left on device, write\n';

describe('palyra', () => {
  it('prints its version and nothing else', async () => {
    const ended = await cli(['--version']);
    expect(ended).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  it('explains itself when nothing is asked of it', async () => {
    const ended = await cli([]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Examples:');
  });

  it('explains a command with an example', async () => {
    const ended = await cli(['journal', 'verify', '--help']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/\nExamples:\n {2}\S/);
  });

  it('takes `help` before a command as `--help` after it', async () => {
    const [before, after] = await Promise.all([
      cli(['help', 'journal', 'verify']),
      cli(['journal', 'verify', '--help']),
    ]);
    expect(before).toEqual(after);
  });

  it('guesses what an unknown command was meant to be', async () => {
    const ended = await cli(['jurnal']);
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error INVALID_INPUT: unknown command `jurnal`\n  try: did you mean `journal`?\n',
    });
  });

  it('does not take `help` for an unknown command as a success', async () => {
    expect((await cli(['help', 'nonsense'])).code).toBe(2);
  });

  it('refuses a count that is out of bounds', async () => {
    const ended = await cli(['journal', 'tail', '-n', '10001']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('give a whole number from 1 to 10000');
  });

  it('says how to start a daemon when none answers', async () => {
    const ended = await cli(['status'], { environment: { PALYRA_HOME: folder } });
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('error DAEMON_UNREACHABLE: ');
    expect(ended.stderr).toContain('  try: start one with `palyra up`');
  });

  it('puts errors into JSON on standard output for a script', async () => {
    const ended = await cli(['status', '--json'], { environment: { PALYRA_HOME: folder } });
    expect(ended.stderr).toBe('');
    expect(JSON.parse(ended.stdout)).toMatchObject({
      format: 'palyra.cli.v1',
      kind: 'error',
      error: { code: 'DAEMON_UNREACHABLE', exit: 4 },
    });
  });

  it('never shows a stack trace', async () => {
    const ended = await cli(['status'], { environment: { HOME: '' } });
    expect(ended.code).toBe(6);
    expect(ended.stderr).not.toContain('    at ');
  });

  it('shows control characters of a command line as what they are', async () => {
    const ended = await cli(['\u001b[2J']);
    expect(ended.stderr).toContain('\\u{001b}[2J');
    expect(ended.stderr).not.toContain('\u001b');
  });

  it.each([
    ['standard output', '"$0" "$1" --help > /dev/full', WRITE_FAILED],
    ['standard output, for the version', '"$0" "$1" --version > /dev/full', WRITE_FAILED],
    ['standard error', '"$0" "$1" nonsense 2> /dev/full', ''],
  ])('ends with 1 and one sentence at most when the disk is full for %s', async (_, line, said) => {
    const ended = await shell(['sh', '-c', line, process.execPath, MAIN]);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: said });
  });

  it('answers `--version --json` as it does `version --json`', async () => {
    const [option, command] = await Promise.all([
      cli(['--version', '--json']),
      cli(['version', '--json']),
    ]);
    expect(option).toEqual(command);
    expect(JSON.parse(option.stdout)).toMatchObject({
      format: 'palyra.cli.v1',
      kind: 'version',
      palyra: '0.1.0',
      daemon: null,
    });
  });

  it('does not mix JSON of its own into an export', async () => {
    const ended = await cli(['journal', 'export', '--json']);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      error: { code: 'INVALID_INPUT', message: expect.stringContaining('needs `-o FILE`') },
    });
  });

  it('refuses a prompt from standard input that is not UTF-8', async () => {
    const ended = await cli(['run', '-'], { input: new Uint8Array([0x61, 0xff]) });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(
      'error INVALID_INPUT: the prompt on standard input is not UTF-8',
    );
  });

  it('ends quietly when its reader goes away', async () => {
    const script = `"$0" "$1" --help | head -n 1; exit 0`;
    const ended = await shell(['sh', '-c', script, process.execPath, MAIN]);
    expect(ended).toEqual({ code: 0, stdout: 'Usage: palyra [options] [command]\n', stderr: '' });
  });
});

describe('a key that does not exist', () => {
  it.each([
    ['get', 'nope.x'],
    ['explain', 'nope.x'],
    ['set', 'nope.x', '1'],
  ])(
    'ends `config %s` with 5, as anything that was asked for and is not there',
    async (...words) => {
      await using home = await homeWith('');
      const asked = words.filter((word) => word !== undefined);
      const environment = { PALYRA_HOME: home.path };
      const ended = await cli(['config', ...asked, '--json'], { environment });
      expect(ended.code).toBe(5);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        error: { code: 'CONFIG_UNKNOWN_KEY', exit: 5 },
      });
    },
  );

  it('ends with 6 when it stands in the configuration, whatever is asked for', async () => {
    await using home = await homeWith('[nope]\nx = 1\n');
    const environment = { PALYRA_HOME: home.path };
    const [get, validate] = await Promise.all([
      cli(['config', 'get', 'nope.x'], { environment }),
      cli(['config', 'validate'], { environment }),
    ]);
    expect([get.code, validate.code]).toEqual([6, 6]);
  });
});

describe('a daemon that is there and silent', () => {
  it('is named as such by those who only look, within their time', async () => {
    await using home = await homeWith('');
    await using daemon = await startDaemon(home.path);
    daemon.child.kill('SIGSTOP');
    const environment = { PALYRA_HOME: home.path };
    const [version, doctor] = await Promise.all([
      cli(['version'], { environment }),
      cli(['doctor', '--json'], { environment }),
    ]);
    expect(version.code).toBe(0);
    expect(version.stdout).toMatch(/palyrad +.*does not answer/);
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      isHealthy: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ check: 'daemon', result: 'failed' }),
      ]),
    });
    expect(doctor.code).toBe(1);
  });
});

describe('a daemon that answers', () => {
  it('says itself what it finds, in `palyra doctor`', async () => {
    await using home = await homeWith('');
    await using _daemon = await startDaemon(home.path);
    const environment = { PALYRA_HOME: home.path };
    await cli(['policy', 'list'], { environment });
    const ended = await cli(['doctor', '--json'], { environment });
    const ok = (check: string) => expect.objectContaining({ check, result: 'ok' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      checks: expect.arrayContaining([
        ok('daemon'),
        ok('store'),
        ok('rules'),
        ok('journal intact'),
      ]),
    });
    expect(ended.code).toBe(0);
  });
});

describe('no daemon at all', () => {
  it('is a warning of the doctor, not a failure', async () => {
    await using home = await homeWith('');
    const ended = await cli(['doctor', '--json'], { environment: { PALYRA_HOME: home.path } });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ check: 'daemon', result: 'warning' }),
      ]),
    });
    expect(ended.code).toBe(0);
  });
});

describe('palyra completion', () => {
  it('completes in a real bash, also for a path with a space and for files', async () => {
    const program = join(folder, 'palyra');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
      mode: 0o755,
    });
    await writeFile(join(folder, 'an export.jsonl'), '');
    const script = `
      cd "$1" && source <(./palyra completion bash)
      ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palyra; printf '%s\\n' "\${COMPREPLY[@]}"; }
      ask ./palyra jour; ask ./palyra runs ''; ask "$PWD/palyra" journal verify 'an e'
      complete -p palyra`;
    const ended = await shell(['bash', '--norc', '-c', script, 'bash', folder]);
    expect(ended.stdout.split('\n')).toEqual([
      'journal',
      'list',
      'show',
      'cancel',
      'resume',
      'replay',
      'artifact',
      'undo',
      'an export.jsonl',
      'complete -F _palyra palyra',
      '',
    ]);
    expect(ended.stderr).toBe('');
  });

  it('has a script for each shell', async () => {
    const [zsh, fish] = await Promise.all([
      cli(['completion', 'zsh']),
      cli(['completion', 'fish']),
    ]);
    expect(zsh.stdout).toMatch(/^#compdef palyra\n/);
    expect(fish.stdout).toContain("complete -c palyra -f -a '(__palyra_complete)'");
  });
});

describe('palyra journal verify FILE', () => {
  it('finds an untouched export intact and names its key', async () => {
    const file = await exportFile('good.jsonl', (lines) => lines);
    const ended = await cli(['journal', 'verify', file, '--json']);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      kind: 'verification',
      verdict: 'intact',
      entries: 3,
      keyId: signer.keyId,
    });
  });

  it('names the first bad entry of a changed one and ends with 7', async () => {
    const file = await exportFile('changed.jsonl', (lines) =>
      lines.map((line) => line.replace('number 2', 'number 9')),
    );
    const ended = await cli(['journal', 'verify', file]);
    expect(ended.code).toBe(7);
    expect(ended.stdout).toContain('✗ broken  at entry 2\n');
    expect(ended.stdout).toContain('its content was changed');
  });

  it('names the header of one in which that was changed, and no entry', async () => {
    const file = await exportFile('header.jsonl', ([header = '', ...rest]) => [
      header.replace('"exportedAt":"2', '"exportedAt":"3'),
      ...rest,
    ]);
    const ended = await cli(['journal', 'verify', file]);
    expect(ended.code).toBe(7);
    expect(ended.stdout).toBe(
      '✗ broken\n\n  because  the header is not the one that was signed\n  read     3 entries\n',
    );
  });

  it('notices that entries were cut off', async () => {
    const file = await exportFile('cut.jsonl', (lines) => lines.slice(0, -1));
    expect((await cli(['journal', 'verify', file])).code).toBe(7);
  });

  it('does not accept another key than the one asked for', async () => {
    const file = await exportFile('key.jsonl', (lines) => lines);
    const right = await cli(['journal', 'verify', file, '--key', signer.keyId.toUpperCase()]);
    expect(right.code).toBe(0);
    const wrong = await cli(['journal', 'verify', file, '--key', 'f'.repeat(64)]);
    expect(wrong.code).toBe(7);
    expect(wrong.stdout).toMatch(/^✗ broken\n\n {2}because {2}it is signed by another key,\n/);
    expect(wrong.stdout).not.toContain('first bad');
    expect((await cli(['journal', 'verify', file, '--key', 'f'])).code).toBe(2);
  });

  it('reads standard input for `-`', async () => {
    const ended = await cli(['journal', 'verify', '-'], { input: exportText((lines) => lines) });
    expect(ended.stdout).toContain('✓ intact  3 entries\n');
  });

  it('says so when the file is none of ours, a directory or not there', async () => {
    const file = join(folder, 'other.txt');
    await writeFile(file, 'hello\n');
    const [other, directory, missing] = await Promise.all([
      cli(['journal', 'verify', file]),
      cli(['journal', 'verify', folder]),
      cli(['journal', 'verify', join(folder, 'missing')]),
    ]);
    expect(other).toMatchObject({ code: 7 });
    expect(other.stderr).toContain('error EXPORT_MALFORMED: not a journal export');
    expect(directory).toMatchObject({ code: 2 });
    expect(directory.stderr).toContain('is a directory');
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain('there is no file');
  });
});

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const rawKey: Bytes = new Uint8Array(
  publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
);
const signer: Signer = {
  keyId: keyIdOf(rawKey),
  publicKey: rawKey,
  sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
};

async function exportFile(
  name: string,
  edit: (lines: readonly string[]) => readonly string[],
): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, exportText(edit));
  return file;
}

function exportText(edit: (lines: readonly string[]) => readonly string[]): string {
  const start = { exportedAt: ENTRY_TIME, previousHash: GENESIS_HASH };
  const writer = new ExportWriter(start, signer);
  const lines = [Buffer.from(writer.header).toString('utf8')];
  let hash = GENESIS_HASH;
  for (const sequence of [1, 2, 3]) {
    const entry = writtenEntry(sequence, hash);
    hash = entry.hash;
    writer.add(Buffer.from(hash, 'hex'));
    lines.push(Buffer.from(entry.canonical).toString('utf8'));
  }
  const head = signHead({ sequence: 3, hash }, ENTRY_TIME, signer);
  lines.push(Buffer.from(writer.trailer(head)).toString('utf8'));
  return `${edit(lines).join('\n')}\n`;
}

function shell([program = '', ...words]: readonly string[]) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout: stdout.join(''), stderr: stderr.join('') });
    });
  });
}
