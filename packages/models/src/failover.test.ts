import { describe, expect, it } from 'vitest';
import { type Candidate, withFailover } from './failover.ts';
import { type FailureReason, ModelFailure } from './failure.ts';

function failing(name: string, reason: FailureReason): Candidate<string> {
  return {
    name,
    reply: () => {
      throw new ModelFailure(reason, `${name} failed`);
    },
  };
}

function saying(name: string): Candidate<string> {
  return {
    name,
    async *reply() {
      yield name;
    },
  };
}

async function outcome(...candidates: Candidate<string>[]): Promise<unknown> {
  return await Array.fromAsync(withFailover(candidates, () => undefined)).catch(
    (error: unknown) => error,
  );
}

describe('a list of models', () => {
  it('answers with the first that speaks', async () => {
    expect(await outcome(saying('a'), saying('b'))).toEqual(['a']);
    expect(await outcome(failing('a', 'paused'), failing('b', 'bad-key'), saying('c'))).toEqual([
      'c',
    ]);
  });

  it('is not a way around a refusal', async () => {
    expect(await outcome(failing('a', 'refused'), saying('b'))).toMatchObject({
      reason: 'refused',
      message: 'a failed',
    });
  });

  it('tells every failure, and first that of the model that was asked for', async () => {
    expect(await outcome(failing('a', 'rate-limited'), failing('b', 'unreachable'))).toMatchObject({
      code: 'MODEL_FAILED',
      reason: 'rate-limited',
      message: 'a failed; then b failed',
    });
  });

  it('tells the refusal that ended the search', async () => {
    expect(await outcome(failing('a', 'overloaded'), failing('b', 'refused'))).toMatchObject({
      reason: 'refused',
    });
  });

  it('passes faults on that are no failure of a model', async () => {
    const fault = new Error('a mistake of ours');
    const broken: Candidate<string> = {
      name: 'a',
      reply: () => {
        throw fault;
      },
    };
    expect(await outcome(broken, saying('b'))).toBe(fault);
  });
});
