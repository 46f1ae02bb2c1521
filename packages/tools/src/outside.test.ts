import type { JsonObject } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from './catalogue.ts';

const catalogue = createCatalogue();

function understand(tool: string, args: JsonObject, workspace = '/home/ada/site') {
  return catalogue.find(tool)?.understand(args, workspace);
}

describe('a call that names a place by its full path', () => {
  it.each([
    ['fs.read', { path: '/home/ada/site/./docs//a.md' }, { reads: ['docs/a.md'] }],
    ['fs.list', { path: '/home/ada/site' }, { reads: ['.'] }],
    ['fs.search', { text: 'x', path: '/home/ada/site/docs' }, { reads: ['docs'] }],
    ['fs.write', { path: '/home/ada/site/a', content: '' }, { writes: ['a'] }],
    ['process.run', { command: 'ls', cwd: '/home/ada/site/' }, { reads: ['.'] }],
    ['fs.read', { path: '/workspace//docs/a.md' }, { reads: ['docs/a.md'] }],
    ['fs.list', { path: '/workspace/' }, { reads: ['.'] }],
    ['fs.search', { text: 'x', path: '/workspace/docs' }, { reads: ['docs'] }],
    ['fs.write', { path: '/workspace/a', content: '' }, { writes: ['a'] }],
    ['process.run', { command: 'ls', cwd: '/workspace/docs' }, { reads: ['docs'] }],
  ])('to %s names it from the workspace where it lies there', (...call) => {
    const [tool, args, facts] = call;
    expect(understand(tool, args)).toMatchObject({ kind: 'understood', facts });
  });

  it.each([
    ['fs.read', { path: '/etc/hostname' }, '`/etc/hostname`'],
    ['fs.read', { path: '/home/ada/site-2/a' }, '`/home/ada/site-2/a`'],
    ['fs.read', { path: '/home/ada/Site/a' }, '`/home/ada/Site/a`'],
    ['fs.list', { path: '/' }, '`/`'],
    ['fs.search', { text: 'x', path: '/home/ada' }, '`/home/ada`'],
    ['fs.write', { path: '/tmp/x', content: '' }, '`/tmp/x`'],
    ['process.run', { command: 'ls', cwd: '/tmp' }, '`/tmp`'],
    ['fs.read', { path: '/workspaces/a' }, '`/workspaces/a`'],
    ['fs.read', { path: '/Workspace/a' }, '`/Workspace/a`'],
  ])('to %s, with %j, is told where it lies outside', (tool, args, place) => {
    const reason = `${place} lies outside the workspace`;
    const help = expect.stringMatching(/^name a place in the workspace, /);
    expect(understand(tool, args)).toEqual({ kind: 'outside', reason, help });
  });

  it('has one spelling, whichever name of the workspace it is given by', () => {
    const spelled = ['docs/a.md', '/home/ada/site/docs/a.md', '/workspace/docs/a.md'].map((path) =>
      understand('fs.read', { path }),
    );
    expect(spelled[1]).toEqual(spelled[0]);
    expect(spelled[2]).toEqual(spelled[0]);
  });

  it.each(['/workspace/../etc/passwd', '/workspace/docs/../../x', '/workspace/.. /x'])(
    'is refused as %j, which leads out of it',
    (path) => {
      expect(understand('fs.read', { path })).toMatchObject({ kind: 'not-understood' });
    },
  );

  it.each([
    ['/workspace', '/workspace/site/a', { reads: ['site/a'] }],
    ['/workspace/site', '/workspace/site/a', { reads: ['a'] }],
    ['/', '/workspace/a', { reads: ['workspace/a'] }],
  ])('in %j is what the machine calls it: %j', (workspace, path, facts) => {
    expect(understand('fs.read', { path }, workspace)).toMatchObject({ facts });
  });

  it('beside a workspace that lies in a real `/workspace` is outside', () => {
    const beside = { path: '/workspace/other/a' };
    expect(understand('fs.read', beside, '/workspace/site')).toMatchObject({ kind: 'outside' });
  });
});

describe('a program of the workspace', () => {
  it.each([
    ['/workspace/tool', {}, './tool'],
    ['/home/ada/site/bin//tool', {}, './bin/tool'],
    ['/workspace/docs/tool', { cwd: 'docs' }, './tool'],
    ['/workspace/docs/tool', { cwd: '/home/ada/site/docs/' }, './tool'],
    ['/home/ada/site/tool', { tier: 'B' }, './tool'],
    // Not below the folder that it starts in, or of no cage: there is no shorter spelling.
    ['/workspace/tool', { cwd: 'docs' }, '/workspace/tool'],
    ['/workspace/tool', { tier: 'B' }, '/workspace/tool'],
    ['/workspaces/tool', {}, '/workspaces/tool'],
    ['/usr/bin/git', {}, '/usr/bin/git'],
    ['./tool', {}, './tool'],
    ['git', {}, 'git'],
  ])('named %s, with %j, is %s to the rules', (command, more, executable) => {
    const understood = understand('process.run', { command, ...more });
    expect(understood).toMatchObject({
      kind: 'understood',
      arguments: { command: executable },
      facts: { process: { executable } },
    });
  });
});
