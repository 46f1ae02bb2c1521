import { describe, expect, it } from 'vitest';
import { inOwnNamespace } from './entry-namespace.ts';

const COMMAND = { file: '/usr/bin/node', arguments: ['main.ts'] };

describe('the process that makes sandboxes', () => {
  it('gets mounts of its own as root, and the changes of the machine with them', () => {
    expect(inOwnNamespace(0, COMMAND)).toEqual({
      file: '/usr/bin/unshare',
      arguments: ['--mount', '--propagation', 'slave', '--', '/usr/bin/node', 'main.ts'],
    });
  });

  it('is started as it is by everybody else', () => {
    expect(inOwnNamespace(1000, COMMAND)).toBe(COMMAND);
  });
});
