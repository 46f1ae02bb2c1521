import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

const FILES = {
  'apps/x/package.json': '{"name":"x","version":"1.2.3","type":"module"}',
  'apps/x/src/version.ts':
    "import manifest from '../package.json' with { type: 'json' };\nexport const version = manifest.version;",
  'apps/x/src/late.ts': "process.stdout.write('late\\n');\nexport const answer = 42;",
  'apps/x/src/main.ts': `
    import { version } from './version.ts';
    process.stdout.write(version + ' ' + import.meta.dirname + ' ' + import.meta.url + '\\n');
    void import('./late.ts').then(({ answer }) => process.stdout.write(String(answer) + '\\n'));
    process.stdout.write('early\\n');
  `,
};

describe('a bundle', () => {
  it('knows its version and place, loads late parts late, and needs nothing beside it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra bundle-'));
    for (const [path, source] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), source);
    }
    const { text } = await bundle({ name: 'x', app: 'apps/x' }, folder.path);
    const elsewhere = join(folder.path, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'x.cjs'), text);
    const { stdout } = await promisify(execFile)(process.execPath, [join(elsewhere, 'x.cjs')]);
    const url = `file://${encodeURI(elsewhere)}/x.cjs`;
    expect(stdout).toBe(`1.2.3 ${elsewhere} ${url}\nearly\nlate\n42\n`);
  });
});
