import { spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createContext, runInContext } from 'node:vm';
import { create } from '@bufbuild/protobuf';
import { type Signer, createIds, keyIdOf, systemClock } from '@palyra/kernel';
import {
  DecisionKind,
  ExecutionLimitsSchema,
  Executor,
  type ToolAttestation,
  ToolOutcome,
} from '@palyra/protocol';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { createAttestor } from './attestor.ts';
import { sealEnvelope } from './envelope.ts';

const CHROMIUM = '/usr/bin/chromium';

describe('an exported attestation can be checked', () => {
  it('where there is nothing of Node', async () => {
    const code = await bundleForBrowser();
    expect(code).not.toMatch(/["']node:/);
    const window = createContext({ TextEncoder, TextDecoder, crypto, atob });
    const check = (envelope: string) =>
      runInContext(`${code}; palyra.check(${JSON.stringify(envelope)})`, window);
    const { sealed, changed } = envelopes();
    expect(await check(sealed)).toBe('verified');
    expect(await check(changed)).toBe('broken');
  });

  it.runIf(existsSync(CHROMIUM))('in a real browser', async () => {
    const { sealed, changed } = envelopes();
    const texts = JSON.stringify([sealed, changed]).replaceAll('<', '\\u003c');
    const said = await saidBy(`<!doctype html><title>-</title><script>${await bundleForBrowser()};
      const say = (body) => fetch('/said', { method: 'POST', body });
      Promise.all(${texts}.map((text) => palyra.check(text)))
        .then((all) => say(all.join(' ')), (reason) => say('failed ' + reason));</script>`);
    expect(said).toBe('verified broken');
  });
});

/** What a page sends back to the loopback server that it comes from. The browser reaches nobody else. */
async function saidBy(page: string): Promise<string> {
  const said = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    if (request.url === '/said') void text(request).then(said.resolve, said.reject);
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? page : '');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('it has no port');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-browser-'));
  const browser = spawn(
    CHROMIUM,
    [...WORDS, `--user-data-dir=${folder.path}`, `http://127.0.0.1:${address.port}/`],
    {
      env: { HOME: folder.path, PATH: process.env['PATH'] ?? '' },
      stdio: 'ignore',
    },
  );
  const ended = once(browser, 'exit');
  void ended.then(() => said.reject(new Error('the browser ended without a word')));
  try {
    return await said.promise;
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
  }
}

const WORDS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

async function bundleForBrowser(): Promise<string> {
  const bundle = await build({
    stdin: {
      contents: `
        import { verifyEnvelope } from './index.ts';
        export const check = async (text) =>
          (await verifyEnvelope(new TextEncoder().encode(text))).verdict;`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'palyra',
  });
  return bundle.outputFiles[0]?.text ?? '';
}

/** One as a gateway gives it away, and one of which a single word was changed, with all else right. */
function envelopes(): { readonly sealed: string; readonly changed: string } {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = new Uint8Array(
    pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  const signer: Signer = {
    keyId: keyIdOf(publicKey),
    publicKey,
    sign: (bytes) => new Uint8Array(sign(undefined, bytes, pair.privateKey)),
  };
  const attestation = attestationBy(signer);
  const seal = (one: ToolAttestation) => new TextDecoder().decode(sealEnvelope(one, signer));
  return { sealed: seal(attestation), changed: seal({ ...attestation, exitCode: 1 }) };
}

function attestationBy(signer: Signer): ToolAttestation {
  return createAttestor({ signer, ids: createIds(systemClock()) }).attest({
    callId: '01ARYZ6S410000000000000001',
    runId: '01ARYZ6S410000000000000002',
    fingerprint: 'ab'.repeat(32),
    decision: DecisionKind.ALLOW,
    ruleIds: ['rule-1'],
    policySetHash: 'cd'.repeat(32),
    approvalId: '01ARYZ6S410000000000000003',
    outcome: ToolOutcome.SUCCEEDED,
    executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
    sandboxEnforcement: 'no network',
    startedAt: '2030-01-02T03:04:05.678Z',
    endedAt: '2030-01-02T03:04:05.679Z',
    previousHash: 'ef'.repeat(32),
    exitCode: 0,
    exitSignal: '',
    limits: create(ExecutionLimitsSchema, { wallTimeLimitMs: 60_000, memoryLimitBytes: 1n << 40n }),
    egressHosts: ['api.example:443'],
    egressHostsAreCut: false,
    output: new Uint8Array([0xff, 0x00, 0xfe]),
  });
}
