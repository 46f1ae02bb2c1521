import type { JsonObject } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from './catalogue.ts';

const catalogue = createCatalogue();

function understand(tool: string, args: JsonObject) {
  return catalogue.find(tool)?.understand(args, '/home/ada/site');
}

describe('a call that names a place by its full path', () => {
  it.each([
    ['fs.read', { path: '/home/ada/site/./docs//a.md' }, { reads: ['docs/a.md'] }],
    ['fs.list', { path: '/home/ada/site' }, { reads: ['.'] }],
    ['fs.search', { text: 'x', path: '/home/ada/site/docs' }, { reads: ['docs'] }],
    ['fs.write', { path: '/home/ada/site/a', content: '' }, { writes: ['a'] }],
    ['process.run', { command: 'ls', cwd: '/home/ada/site/' }, { reads: ['.'] }],
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
  ])('to %s, with %j, is told where it lies outside', (tool, args, place) => {
    const reason = `${place} lies outside the workspace`;
    const help = expect.stringMatching(/^name a place in the workspace, /);
    expect(understand(tool, args)).toEqual({ kind: 'outside', reason, help });
  });
});
