import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { ownerCaller, talkingModel, tempHome, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { Caller } from '../identity/caller.ts';

const person = (name: string): Caller => ({
  ...ownerCaller(Role.OPERATOR),
  principal: `user:${name}`,
  actor: `user:${name}`,
});
const [ada, eve] = [person('ada'), person('eve')];
const never = new AbortController().signal;
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const SHA256 = createHash('sha256').update(PNG).digest('hex');

const HIDDEN = `@id("adas-work-is-hidden")
@says("what Ada does is hers")
forbid (principal, action == Action::"work.see", resource == Work::"user:ada")
unless { principal == User::"ada" };
`;

async function stage() {
  const home = await tempHome();
  const folder = join(home.places.configDir, 'policies');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'work.cedar'), HIDDEN, { mode: 0o600 });
  const model = talkingModel([{ kind: 'text', text: 'seen' }]);
  const test = await testGateway({ home, rules: 'ask', model });
  const run = async (images: readonly Uint8Array<ArrayBuffer>[]) => {
    const sent = images.map((bytes) => ({ mediaType: 'image/png', bytes }));
    const started = await test.gateway.runs.start({ prompt: 'look', images: sent }, ada);
    await Array.fromAsync(started.events(never));
    return started.runId;
  };
  const read = (runId: RunId, caller: Caller, { sha256 = SHA256, offset = 0, length = 100 } = {}) =>
    test.gateway.readArtifact({ runId, sha256, offset, length }, caller);
  const close = async () => {
    await test[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  };
  return { ...test, run, read, [Symbol.asyncDispose]: close };
}

it('what was sent with a prompt is read in pages, and known by its bytes', async () => {
  await using test = await stage();
  const runId = await test.run([PNG]);
  expect(await test.read(runId, ada)).toEqual({ data: PNG, size: 11, mediaType: 'image/png' });
  const rest = await test.read(runId, ada, { offset: 8, length: 2 });
  expect(rest).toEqual({ data: Uint8Array.of(1, 2), size: 11, mediaType: 'image/png' });
  expect((await test.read(runId, ada, { offset: 11 })).data).toHaveLength(0);
});

it('a hash alone opens nothing: the run must have left it', async () => {
  await using test = await stage();
  await test.run([PNG]);
  const other = await test.run([]);
  const foreign = await test.parts.blobs.put(new TextEncoder().encode('of another run'));
  for (const sha256 of [SHA256, foreign, 'a'.repeat(64), '../secret', '']) {
    await expect(test.read(other, ada, { sha256 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

it('who may not see the run reads nothing of what it left', async () => {
  await using test = await stage();
  const runId = await test.run([PNG]);
  await expect(test.read(runId, eve)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});
