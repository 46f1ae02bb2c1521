import { create } from '@bufbuild/protobuf';
import { ToolAttestationSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { checkEnvelope, withKeyOf } from './attestation-answer.ts';

const { terminal } = recordedTerminal();
const bytes = (text: string) => new TextEncoder().encode(text);

describe('what is no envelope', () => {
  it.each([
    ['words', bytes('hello')],
    ['nothing', bytes('')],
    ['a list', bytes('[]')],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['more than can be one', bytes(`{"a":"${'x'.repeat(70_000)}"}`)],
    ['more than it seems', bytes(`{"a":"${'\u007f\\u0000'.repeat(10_000)}"}`)],
  ])('is refused before any program is asked: %s', async (_name, content) => {
    const shell = { terminal, environment: {}, entryFile: '', ending: new AsyncDisposableStack() };
    await expect(checkEnvelope(shell, content)).rejects.toMatchObject({
      code: 'EXPORT_MALFORMED',
      message: 'the file is not an exported attestation',
    });
  });
});

describe('a key that is asked for', () => {
  const verified = {
    verdict: 'verified',
    attestation: create(ToolAttestationSchema),
    keyId: 'aa',
  } as const;

  it('changes nothing when it is the one that signed', () => {
    expect(withKeyOf(verified, 'aa')).toBe(verified);
  });

  it('breaks what another one signed', () => {
    expect(withKeyOf(verified, 'bb')).toEqual({
      verdict: 'broken',
      reason: 'it is signed by another key, aa',
    });
  });
});
