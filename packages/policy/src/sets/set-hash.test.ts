import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { type SetTexts, setHash } from './set-hash.ts';

const SHIPPED: PolicyFile = { layer: 'built-in', name: 'b.cedar', text: '// b\n' };
const OWN: PolicyFile = { layer: 'operator', name: 'a.cedar', text: '// ü\n' };
const FILES = [SHIPPED, OWN];
const TEXTS: SetTexts = { mode: 'ask', schema: 'entity A;', files: FILES };

describe('the hash of a set', () => {
  it('is the SHA-256 of its canonical text', () => {
    const canonical =
      '{"files":[{"layer":"built-in","name":"b.cedar","text":"// b\\n"},' +
      '{"layer":"operator","name":"a.cedar","text":"// ü\\n"}],' +
      '"format":"palyra.policy.v1","mode":"ask","schema":"entity A;"}';
    expect(setHash(TEXTS)).toBe(hash('sha256', canonical, 'hex'));
  });

  it('does not depend on the order of the files', () => {
    expect(setHash({ ...TEXTS, files: FILES.toReversed() })).toBe(setHash(TEXTS));
  });

  it.each<readonly [string, SetTexts]>([
    ['the mode', { ...TEXTS, mode: 'auto' }],
    ['the schema', { ...TEXTS, schema: 'entity B;' }],
    ['a text', { ...TEXTS, files: [SHIPPED, { ...OWN, text: '// u\n' }] }],
    ['a name', { ...TEXTS, files: [SHIPPED, { ...OWN, name: 'b.cedar' }] }],
    ['a layer', { ...TEXTS, files: [SHIPPED, { ...OWN, layer: 'admin' }] }],
    ['a file', { ...TEXTS, files: [OWN] }],
  ])('is another one when %s is', (_name, texts) => {
    expect(setHash(texts)).not.toBe(setHash(TEXTS));
  });
});
