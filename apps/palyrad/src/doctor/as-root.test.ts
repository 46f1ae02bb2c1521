import { describe, expect, it } from 'vitest';
import { asRoot } from './as-root.ts';

describe('a fix that only root may make', () => {
  it('begins with sudo for everybody else', () => {
    expect(asRoot('apt-get install bubblewrap', 1000)).toBe('sudo apt-get install bubblewrap');
    expect(asRoot('apt-get install bubblewrap', 0)).toBe('apt-get install bubblewrap');
  });
});
