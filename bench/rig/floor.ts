import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { stopProgram } from './child.ts';

/** The least that starting a program costs on this machine: vfork and exec by a small C program. */
export interface Floor extends AsyncDisposable {
  /** Milliseconds from the call to the end of the program. */
  time(): Promise<number>;
}

/** Contract: rejects on a machine without a C compiler. */
export async function openFloor(program: string): Promise<Floor> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'palyra-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'floor');
  await promisify(execFile)('cc', ['-O2', '-o', file, join(import.meta.dirname, 'floor.c')]);
  const child = spawn(file, [program], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
  stack.defer(() => stopProgram(child));
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const held = stack.move();
  return {
    time: async () => {
      child.stdin.write('\n');
      const { value, done } = await answers.next();
      if (done === true) throw new Error(`\`${program}\` did not run`);
      return Number(value);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
