import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type ProcessFacts, childrenOf, factsOf } from './processes.ts';
import { isNobodyElseLeft } from './who-is-left.ts';

interface Family extends AsyncDisposable {
  readonly first: ProcessFacts;
  readonly starter: ProcessFacts;
}

/** A first process that runs `script`, whose first child stands for the starter. Each says a line when it is there. */
async function family(script: string, lines: number): Promise<Family> {
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let said = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => (said += text));
  await expect.poll(() => said.split('\n').length - 1).toBe(lines);
  const first = known(child.pid);
  return {
    first,
    starter: known(childrenOf(first.pid)[0]),
    [Symbol.asyncDispose]: () => ended(child),
  };
}

function known(pid: number | undefined): ProcessFacts {
  const facts = factsOf(pid ?? 0);
  if (facts === undefined) throw new Error('it is not there');
  return facts;
}

/** With its group, which is its own. */
async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await exit;
}

const SLEEP = `sh -c 'echo up; exec sleep 600'`;

describe('a sandbox whose starter has told of the end', () => {
  it('has nobody else when that is alone', async () => {
    await using here = await family(`${SLEEP} & wait`, 1);
    expect(isNobodyElseLeft(here.first, here.starter)).toBe(true);
  });

  it('has somebody else who lost a parent', async () => {
    await using here = await family(`${SLEEP} & ${SLEEP} & wait`, 2);
    expect(isNobodyElseLeft(here.first, here.starter)).toBe(false);
  });

  it('has somebody else who was started in the place of the command', async () => {
    await using here = await family(`sh -c '${SLEEP.replaceAll("'", '"')} & wait' & wait`, 1);
    expect(isNobodyElseLeft(here.first, here.starter)).toBe(false);
  });

  it('may have somebody else when another has the number of the starter', async () => {
    await using here = await family(`${SLEEP} & wait`, 1);
    const other = { ...here.starter, startedAt: '1' };
    expect(isNobodyElseLeft(here.first, other)).toBe(false);
  });

  it('has nobody when both are gone', async () => {
    const gone = await family(`${SLEEP} & wait`, 1);
    await gone[Symbol.asyncDispose]();
    expect(isNobodyElseLeft(gone.first, gone.starter)).toBe(true);
  });
});
