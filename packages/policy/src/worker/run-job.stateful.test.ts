import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import type { PolicyFile } from '../model.ts';
import { builtInFiles } from '../sets/built-in.ts';
import { MAX_UNANSWERED, openPolicyJob, runPolicyJob } from './run-job.ts';

const FILE: PolicyFile = {
  layer: 'operator',
  name: 'a.cedar',
  text: 'permit(principal,action,resource);',
};
const BATCH = { files: builtInFiles('ask'), options: { mode: 'ask' } } as const;

describe('a job on rules', () => {
  it('is done in another process, and what comes back is data', async () => {
    const tools = { names: new Set(['fs.read']), prefixes: ['mcp.'] };
    const batch = { ...BATCH, options: { ...BATCH.options, tools } };
    const compiled = await runPolicyJob('compile', { init: undefined, batch });
    expect(compiled.kind).toBe('compiled');
  });

  it('takes batch after batch, and answers in their order', async () => {
    await using job = openPolicyJob('format', undefined);
    const texts = ['permit(principal,action,resource);', 'nonsense', '// nothing'];
    const answers = await Promise.all(texts.map((text) => job.send({ ...FILE, text })));
    expect(answers.map(({ kind }) => kind)).toEqual(['formatted', 'refused', 'formatted']);
  });

  it('gives what went wrong in it to whoever waits, and goes on', async () => {
    await using job = openPolicyJob('compile', undefined);
    const wrong = job.send({ files: [], options: { mode: 'ask', schema: 'no schema' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'UNEXPECTED',
      message: 'the schema of the rules cannot be read',
    });
    expect((await job.send(BATCH)).kind).toBe('compiled');
  });

  it('ends at once when it is called off, whatever it is doing', async () => {
    const stop = new AbortController();
    const job = openPolicyJob('compile', undefined, stop.signal);
    const answer = job.send(BATCH);
    stop.abort(new PalyraError('CANCELLED', 'enough'));
    await expect(answer).rejects.toMatchObject({ code: 'CANCELLED', message: 'enough' });
    await expect(job.send(BATCH)).rejects.toMatchObject({ message: 'enough' });
    await job[Symbol.asyncDispose]();
  });

  it('does nothing when it was called off before', async () => {
    const signal = AbortSignal.abort(new PalyraError('CANCELLED', 'never'));
    const answer = runPolicyJob('compile', { init: undefined, batch: BATCH }, signal);
    await expect(answer).rejects.toMatchObject({ message: 'never' });
  });

  it('rejects what is still on its way when it is disposed of', async () => {
    const job = openPolicyJob('compile', undefined);
    const [answer] = await Promise.allSettled([job.send(BATCH), job[Symbol.asyncDispose]()]);
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } });
    await expect(job.send(BATCH)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('takes no more than so many batches at once', async () => {
    await using job = openPolicyJob('format', undefined);
    const answers = Array.from({ length: MAX_UNANSWERED }, () => job.send(FILE));
    await expect(job.send(FILE)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await Promise.all(answers);
    expect((await job.send(FILE)).kind).toBe('formatted');
  });
});
