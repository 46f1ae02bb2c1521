import { describe, expect, it } from 'vitest';
import { type Candidate, withFailover } from './failover.ts';
import { type FailureReason, ModelFailure } from './failure.ts';

function failing(name: string, reason: FailureReason): Candidate {
  return {
    name,
    reply: () => {
      throw new ModelFailure(reason, `${name} failed`);
    },
  };
}

function saying(name: string): Candidate {
  return {
    name,
    async *reply() {
      yield { kind: 'text', text: name };
    },
  };
}

async function outcome(...candidates: Candidate[]): Promise<unknown> {
  return await Array.fromAsync(withFailover(candidates, () => undefined)).catch(
    (error: unknown) => error,
  );
}

describe('a list of models', () => {
  it('answers with the first that speaks', async () => {
    expect(await outcome(saying('a'), saying('b'))).toEqual([{ kind: 'text', text: 'a' }]);
  });

  it('tells whom it turns to and why, also in the middle of an answer', async () => {
    const breaking: Candidate = {
      name: 'a',
      async *reply() {
        yield { kind: 'text', text: 'half' };
        throw new ModelFailure('broken-stream', 'a broke');
      },
    };
    expect(await outcome(breaking, failing('b', 'bad-key'), saying('c'))).toEqual([
      { kind: 'text', text: 'half' },
      { kind: 'asked-again', model: 'b', waitMs: 0, why: 'a broke' },
      { kind: 'asked-again', model: 'c', waitMs: 0, why: 'b failed' },
      { kind: 'text', text: 'c' },
    ]);
  });

  it('never turns to another once a tool call was said', async () => {
    const calling: Candidate = {
      name: 'a',
      async *reply() {
        yield { kind: 'tool-call', tool: 'fs.write', argumentsJson: '{}' };
        throw new ModelFailure('overloaded', 'a failed');
      },
    };
    expect(await outcome(calling, saying('b'))).toMatchObject({ message: 'a failed' });
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
    const broken: Candidate = {
      name: 'a',
      reply: () => {
        throw fault;
      },
    };
    expect(await outcome(broken, saying('b'))).toBe(fault);
  });
});
