import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TestWorkspace } from '../workspace/workspace.fixture.ts';

describe('fs.search', () => {
  it('gives path, number and text of each line, in order', async () => {
    using space = new TestWorkspace({
      'b.ts': 'x\nneedle needle\n\tlast needle',
      'a/c.ts': 'needle',
      'd.ts': 'nothing',
    });
    expect(await space.run('fs.search', { text: 'needle' })).toContain(
      '\na/c.ts:1: needle\nb.ts:2: needle needle\nb.ts:3: \tlast needle\n',
    );
  });

  it('finds a last line without an end, however many letters are new up to there', async () => {
    const letters = 'abcdefghijklmnpqrstuvwxyz0123456789ABCDEFGH';
    using space = new TestWorkspace();
    for (const [place] of Array.from(letters).entries()) {
      space.write('a', `${letters.slice(place)}o`);
      const args = { text: 'o$', match: 'pattern', path: 'a' };
      expect(await space.run('fs.search', args)).toContain('1 line found\na:1: ');
    }
  });

  it('looks below a folder, or in one file', async () => {
    using space = new TestWorkspace({ 'a/x': 'needle', 'b/x': 'needle' });
    expect(await space.run('fs.search', { text: 'needle', path: 'b' })).toBe(
      '1 line found\nb/x:1: needle\n',
    );
    expect(await space.run('fs.search', { text: 'needle', path: 'a/x' })).toBe(
      '1 line found\na/x:1: needle\n',
    );
    expect(await space.run('fs.search', { text: 'n', path: 'no' })).toMatch(/^NOT_FOUND: /);
  });

  it('leaves out secrets, ignored files, repositories, links, pipes and what is no text', async () => {
    using space = new TestWorkspace({
      '.gitignore': 'made\n',
      '.env': 'needle',
      '.git/config': 'needle',
      'made/x': 'needle',
      'state/x': 'needle',
      binary: 'needle\0',
      found: 'needle',
    });
    writeFileSync(join(space.root, 'outside'), 'needle');
    symlinkSync(join(space.root, 'outside'), space.at('link'));
    symlinkSync(space.root, space.at('up'));
    execFileSync('mkfifo', [space.at('pipe')]);
    truncateSync(space.at('binary'), 2 ** 40);
    expect(await space.run('fs.search', { text: 'needle' })).toBe(
      '1 line found; 1 left out by ignore files; 4 left out as secret or not for tools\n' +
        'found:1: needle\n',
    );
  });

  it('ends at the most lines that were wanted', async () => {
    using space = new TestWorkspace({ a: 'x\n'.repeat(50) });
    const output = await space.run('fs.search', { text: 'x', max_results: 3 });
    expect(output.split('\n')).toEqual([
      expect.stringContaining('3 lines found; there may be more'),
      'a:1: x',
      'a:2: x',
      'a:3: x',
      '',
    ]);
  });

  it('ends when it has read enough, and says so', async () => {
    using space = new TestWorkspace({ a: 'y\n'.repeat(200_000), b: 'x' }, { scanBytes: 100_000 });
    expect(await space.run('fs.search', { text: 'x' })).toMatch(/^0 lines found;.* there is more/);
  });

  it.each(['exact', 'any-case', 'pattern'])(
    'finds lines beyond the first piece, and counts right (%s)',
    async (match) => {
      const filler = 'some line of text\n'.repeat(20_000);
      using space = new TestWorkspace({ a: `${filler}needle\n${filler}needle` });
      expect(await space.run('fs.search', { text: 'needle', match })).toContain(
        '\na:20001: needle\na:40002: needle\n',
      );
    },
  );

  it('finds a text in a line that is longer than a piece, and shows its start', async () => {
    using space = new TestWorkspace({ a: `${'y'.repeat(300_000)}needle` });
    const output = await space.run('fs.search', { text: 'needle' });
    expect(output).toMatch(/\na:1: y{512}\n$/);
  });

  it('takes capitals for small letters when told to', async () => {
    using space = new TestWorkspace({ a: 'NEEDLE\nÄRGER\nother' });
    expect(await space.run('fs.search', { text: 'needle', match: 'any-case' })).toContain('a:1: ');
    expect(await space.run('fs.search', { text: 'ärger', match: 'any-case' })).toContain('a:2: ');
    expect(await space.run('fs.search', { text: 'needle' })).toMatch(/^0 lines found/);
  });

  it('shows what nobody could see', async () => {
    using space = new TestWorkspace({ 'a\nb': 'needle \u202E \u001B[2J' });
    expect(await space.run('fs.search', { text: 'needle' })).toContain(
      'a\\u{000a}b:1: needle \\u{202e} \\u{001b}[2J\n',
    );
  });

  it.each([
    // What goes back would take longer than anybody lives.
    ['(a|aa)+(a*a*)*b{3}(x+x+)+y', `${'a'.repeat(4_000_000)}\n`],
    // Each byte leads to a set of steps that was never seen before.
    ['(a|b)*a(a|b){99}c', coinTosses(4000)],
  ])('lets others go first, however hostile the pattern: %s', async (pattern, text) => {
    using space = new TestWorkspace({ a: text });
    let turns = 0;
    let isDone = false;
    const search = space.run('fs.search', { text: pattern, match: 'pattern' }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      turns += 1;
      await setImmediate();
    }
    expect(await search).toMatch(/^0 lines found/);
    expect(turns).toBeGreaterThan(10);
  });

  it('is cancelled in the middle', async () => {
    using space = new TestWorkspace({ a: 'x\n'.repeat(1_000_000) });
    const controller = new AbortController();
    const search = space.run('fs.search', { text: 'needle' }, controller.signal);
    controller.abort();
    expect(await search).toBe('CANCELLED: the call was cancelled');
  });
});

/** The same each time, and without a pattern of its own. */
function coinTosses(count: number): string {
  const bytes = createHash('shake256', { outputLength: count }).update('coin').digest();
  return Array.from(bytes, (byte) => 'ab'.charAt(byte & 1)).join('');
}
