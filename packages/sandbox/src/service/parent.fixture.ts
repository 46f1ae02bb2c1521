import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from './die-with-parent.ts';

/**
 * Somebody who starts a process that is to die with them, and that process: with a child of its own, or
 * without any. What it prints is its number, and that of its child. Then it does nothing, or nothing
 * but count.
 */
const LIFELINE = 3;
const [role = '', children = '', work = ''] = process.argv.slice(2);

function startOther(): void {
  const script = fileURLToPath(import.meta.url);
  spawn(process.execPath, ['--no-warnings', script, 'child', children, work], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
}

async function dieLater(): Promise<void> {
  const { beforeStart } = dieWithParent(LIFELINE);
  const pids = [process.pid];
  if (children === 'one') {
    await beforeStart();
    pids.push(spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).pid ?? 0);
  }
  process.stdout.write(`${pids.join(' ')}\n`);
  let count = 0;
  while (work === 'busy') count += 1;
  setInterval(() => {}, 1000);
}

if (role === 'child') await dieLater();
else startOther();
