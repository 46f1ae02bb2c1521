import { describe, expect, it } from 'vitest';
import { observe } from './observe.ts';

describe('what is looked at before a command starts', () => {
  it('is refused with every layer that is missing by its name', () => {
    // No sandbox at all: this process itself.
    expect(() => observe(process.pid, 'own')).toThrow(
      /^the sandbox came up without its own user namespace, its own pid namespace, its own mnt namespace, its own ipc namespace, its own uts namespace, its own net namespace, .*its system call filter, the ban on new rights$/,
    );
  });

  it('is refused when there is no such process any more', () => {
    expect(() => observe(2 ** 22 + 1, 'shared')).toThrow('the sandbox came up without');
  });
});
