import { linkSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestWorkspace } from './workspace.fixture.ts';

const REFUSED = /^SANDBOX_SCOPE_DENIED: .* is a second name of a file that is guarded as a secret$/;
const PATCH = '--- a/notes.txt\n+++ b/notes.txt\n@@ -1,1 +1,1 @@\n-token\n+other\n';

function linked(secret: string, innocent = 'notes.txt'): TestWorkspace {
  const space = new TestWorkspace({ [secret]: 'token\n', 'plain.txt': 'a token\n' });
  mkdirSync(dirname(space.at(innocent)), { recursive: true });
  linkSync(space.at(secret), space.at(innocent));
  return space;
}

describe('a second name of a secret', () => {
  it.each(['.env', 'deep/down/.env.prod', '.ssh/config', 'keys/server.pem', 'state/journal'])(
    'is not read, searched, changed or listed: %s',
    async (secret) => {
      using space = linked(secret);
      const path = 'notes.txt';
      expect(await space.run('fs.read', { path })).toMatch(REFUSED);
      expect(await space.run('fs.search', { text: 'token', path })).toMatch(REFUSED);
      expect(await space.run('fs.patch', { patch: PATCH })).toMatch(REFUSED);
      expect(await space.run('fs.write', { path, content: 'x', mode: 'append' })).toMatch(REFUSED);
      const found = await space.run('fs.search', { text: 'token' });
      expect(found).toContain('left out as secret');
      expect(found).toContain('plain.txt:1: a token');
      expect(found).not.toContain('notes.txt');
      expect(await space.run('fs.list', {})).not.toContain('notes.txt');
      expect(space.read(secret)).toBe('token\n');
    },
  );

  it('is read by the name that people are asked about', async () => {
    using space = linked('.env');
    expect(await space.run('fs.read', { path: '.env' })).toContain('token');
    using inside = linked('.env', '.ssh/config');
    expect(await inside.run('fs.read', { path: '.ssh/config' })).toContain('token');
    expect(await inside.run('fs.list', { path: '.ssh' })).toContain('.ssh/config');
  });

  it('is found, too, when it was made while the call goes on', async () => {
    using space = linked('.env');
    expect(await space.run('fs.read', { path: 'notes.txt' })).toMatch(REFUSED);
    linkSync(space.at('.env'), space.at('later.txt'));
    expect(await space.run('fs.read', { path: 'later.txt' })).toMatch(REFUSED);
  });
});

describe('a second name of any other file', () => {
  it('is as good as the first', async () => {
    using space = linked('.env.example');
    expect(await space.run('fs.read', { path: 'notes.txt' })).toContain('token');
    expect(await space.run('fs.list', {})).toContain('file 6 notes.txt');
    expect(await space.run('fs.search', { text: 'token' })).toContain('notes.txt:1: token');
  });

  it('is refused where the workspace is too deep to know every secret in it', async () => {
    using space = linked('a.txt');
    mkdirSync(space.at(Array.from({ length: 65 }, () => 'd').join('/')), { recursive: true });
    expect(await space.run('fs.read', { path: 'notes.txt' })).toBe(
      'SANDBOX_SCOPE_DENIED: `notes.txt` has a second name, which cannot be told from that of a secret here',
    );
    expect(await space.run('fs.read', { path: 'plain.txt' })).toContain('a token');
  });
});
