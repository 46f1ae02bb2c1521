import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openLibc } from './libc.ts';
import { holdText } from './memory-file.ts';

describe('a text that is held in memory', () => {
  it('is read by a child from its start to its end, however long it is', () => {
    const text = new Uint8Array(1024 * 1024).fill(0x61);
    const descriptor = holdText(openLibc(), text);
    try {
      const { stdout } = spawnSync('/usr/bin/wc', ['-c'], { stdio: [descriptor, 'pipe', 'pipe'] });
      expect(stdout.toString('utf8').trim()).toBe('1048576');
    } finally {
      closeSync(descriptor);
    }
  });
});
