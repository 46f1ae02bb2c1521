import { type RunId, createIds, systemClock } from '@palyra/kernel';
import { Role } from '@palyra/protocol';
import { ownerCaller, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import type { JournalPort } from '../ports.ts';
import { ArtifactSizes } from './artifact-sizes.ts';

const ids = createIds(systemClock());
const { actor } = ownerCaller(Role.OWNER);
const hash = (number: number) => number.toString(16).padStart(64, '0');

async function stage() {
  const test = await testGateway();
  const reads = { count: 0 };
  const journal: JournalPort = {
    ...test.journal,
    page: async (query) => {
      reads.count += 1;
      return await test.journal.page(query);
    },
  };
  const runId = ids.next<'run'>();
  const leave = async (run: RunId, numbers: readonly number[]) => {
    const entry = (number: number) => ({
      kind: 'tool.finished' as const,
      actor,
      runId: run,
      payload: { artifactSha256: hash(number), artifactBytes: String(number) },
    });
    await test.journal.append(numbers.map(entry));
  };
  const close = async () => await test[Symbol.asyncDispose]();
  return { reads, runId, leave, sizes: new ArtifactSizes(journal), [Symbol.asyncDispose]: close };
}

it('a run is gone through once for however many pages, and again for what it may leave later', async () => {
  await using test = await stage();
  const { reads, runId, leave, sizes } = test;
  await leave(runId, [7]);
  expect(await sizes.find(runId, hash(7))).toBe(7);
  const once = reads.count;
  expect(await sizes.find(runId, hash(7))).toBe(7);
  expect(reads.count).toBe(once);
  expect(await sizes.find(runId, hash(8))).toBeUndefined();
  await leave(runId, [8]);
  expect(await sizes.find(runId, hash(8))).toBe(8);
});

it('what one run left is not what another did', async () => {
  await using test = await stage();
  await test.leave(test.runId, [7]);
  expect(await test.sizes.find(test.runId, hash(7))).toBe(7);
  expect(await test.sizes.find(ids.next<'run'>(), hash(7))).toBeUndefined();
});

it('256 are kept, and those that were asked for last', async () => {
  await using test = await stage();
  const { reads, runId, leave, sizes } = test;
  const numbers = Array.from({ length: 257 }, (_, index) => index + 1);
  await leave(runId, numbers);
  for (const number of numbers.slice(0, 256)) await sizes.find(runId, hash(number));
  await sizes.find(runId, hash(1));
  await sizes.find(runId, hash(257));
  const before = reads.count;
  expect(await sizes.find(runId, hash(1))).toBe(1);
  expect(reads.count).toBe(before);
  expect(await sizes.find(runId, hash(2))).toBe(2);
  expect(reads.count).toBeGreaterThan(before);
});
