import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PalyraError } from '@palyra/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScript } from './load-script.ts';

const SCRIPT = '{"format":"palyra.script.v1","turns":[[{"text":"é"}]]}';

describe('a script file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'palyra script '));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('is read and checked', async () => {
    const script = await loadScript(write('good.json', SCRIPT));
    expect(script.turns).toEqual([[{ kind: 'text', text: 'é' }]]);
  });

  it('may be reached by a link and may begin with a byte order mark', async () => {
    symlinkSync(write('marked.json', `\ufeff${SCRIPT}`), join(folder, 'link.json'));
    expect((await loadScript(join(folder, 'link.json'))).turns).toHaveLength(1);
  });

  it('may be as large as the limit', async () => {
    const path = write('large.json', SCRIPT.padEnd(1024 * 1024 - 1));
    expect((await loadScript(path)).turns).toHaveLength(1);
  });

  it.each([
    ['is absent', () => join(folder, 'absent.json'), 'cannot be opened (`ENOENT`)'],
    ['is a directory', () => folder, 'is not a regular file'],
    ['is a device', () => '/dev/zero', 'is not a regular file'],
    ['has no name that a file could have', () => '/a\0b', 'cannot be opened'],
    [
      'is too large',
      () => write('huge.json', ' '.repeat(1024 * 1024 + 1)),
      'is larger than 1048576 bytes',
    ],
    ['is not text', () => write('bytes.json', new Uint8Array([0xff, 0xfe])), 'is not utf-8 text'],
    ['is not a script', () => write('bad.json', '{}'), 'is wrong at `format`'],
  ])('that %s is refused', async (_name, path, problem) => {
    const error = await loadScript(path()).catch((reason: unknown) => PalyraError.from(reason));
    expect(error).toMatchObject({ code: 'SCRIPT_INVALID' });
    expect(error).toHaveProperty('message', expect.stringContaining(problem));
  });
});
