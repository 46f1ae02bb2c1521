import { describe, expect, it } from 'vitest';
import { consoleProofText, readConsoleProof, writeConsoleProof } from './console-proof.ts';

const CALL = {
  timeMs: 1_900_000_000_000,
  nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
  method: 'POST',
  path: '/palyra.v1.RunService/ListRuns?a=1',
  host: 'localhost:7142',
};
const PROOF = { timeMs: CALL.timeMs, nonce: CALL.nonce, signature: `${'x'.repeat(85)}A` };

describe('what a page signs', () => {
  it('is this text, which a change would make worthless at the other end', () => {
    expect(consoleProofText(CALL)).toBe(
      '["palyra.console-proof.v1","1900000000000","AAAAAAAAAAAAAAAAAAAAAA","POST",' +
        '"/palyra.v1.RunService/ListRuns?a=1","localhost:7142"]',
    );
  });

  it('is another text for every other call, however its parts are cut', () => {
    const texts = [
      CALL,
      { ...CALL, timeMs: CALL.timeMs + 1 },
      { ...CALL, nonce: 'BAAAAAAAAAAAAAAAAAAAAA' },
      { ...CALL, method: 'GET' },
      { ...CALL, path: '/palyra.v1.RunService/ListRuns' },
      { ...CALL, host: 'localhost:7143' },
      { ...CALL, path: '/a","b', host: 'c' },
      { ...CALL, path: '/a', host: 'b","c' },
      { ...CALL, method: 'POST\n/x' },
    ].map((call) => consoleProofText(call));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('the header of a proof', () => {
  it('is read as it was written', () => {
    expect(readConsoleProof(writeConsoleProof(PROOF))).toEqual(PROOF);
  });

  it.each([
    '',
    'v1',
    'v1...',
    writeConsoleProof(PROOF).replace('v1', 'v2'),
    ` ${writeConsoleProof(PROOF)}`,
    `${writeConsoleProof(PROOF)}, ${writeConsoleProof(PROOF)}`,
    `${writeConsoleProof(PROOF)}\n`,
    writeConsoleProof({ ...PROOF, timeMs: 1 }),
    writeConsoleProof({ ...PROOF, timeMs: 19_000_000_000_000 }),
    writeConsoleProof({ ...PROOF, nonce: 'AAAA' }),
    writeConsoleProof({ ...PROOF, nonce: 'AAAAAAAAAAAAAAAAAAAAAB' }),
    writeConsoleProof({ ...PROOF, signature: 'x'.repeat(86) }),
    writeConsoleProof({ ...PROOF, signature: `${'x'.repeat(94)}A` }),
    writeConsoleProof({ ...PROOF, signature: `${PROOF.signature}==` }),
    'v1.'.repeat(30_000),
  ])('is nothing in another spelling', (header) => {
    expect(readConsoleProof(header)).toBeUndefined();
  });
});
