import { flushCompileCache } from 'node:module';
import { DEFAULT_LIMITS, startSandboxd } from '@palyra/sandbox';

// Now, since all of them are killed.
flushCompileCache();

/**
 * In a daemon's place: runs commands one after the other until it is killed, and says how each ended.
 * Arguments: the program that makes sandboxes, the state folder and the workspace.
 */
const [program = '', folder = '', workspace = ''] = process.argv.slice(2);
const sandboxes = startSandboxd({
  program,
  opening: { folder, version: 'stand-in', warm: 1, warmTotal: 2, programs: [] },
});

/** Hides as well as it can: another session, signals ignored, a child that outlives its parent. */
const SCRIPT = "trap '' TERM HUP; (setsid sleep 600 & sleep 600 &); echo up; sleep 0.05";

async function runOne(): Promise<string> {
  const ending = await sandboxes.run(
    {
      tier: 'C',
      executable: 'sh',
      arguments: ['-c', SCRIPT],
      workspace,
      directory: '.',
      environment: {},
      stdin: new Uint8Array(),
      limits: DEFAULT_LIMITS,
      egress: { mode: 'strict', hosts: [], secrets: [] },
      principal: 'test',
      session: 'test',
      policySetHash: '',
    },
    {
      signal: new AbortController().signal,
      onOutput: () => {},
      onConnection: () => {},
      mayConnect: async () => false,
    },
  );
  return ending.fault?.code ?? ending.kind;
}

async function runForEver(): Promise<never> {
  for (;;) process.stdout.write(`${await runOne()}\n`);
}

void runForEver();
void runForEver();
