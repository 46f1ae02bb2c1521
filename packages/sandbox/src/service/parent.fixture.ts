import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dieWithParent } from './die-with-parent.ts';

/**
 * Somebody who starts a process that is to die with them, and that process: with a child of its own, or
 * without any. What it prints is its number, and that of its child.
 */
const [role = '', children = ''] = process.argv.slice(2);

function startOther(): void {
  const script = fileURLToPath(import.meta.url);
  spawn(process.execPath, ['--no-warnings', script, 'child', children], { stdio: 'inherit' });
}

function dieLater(): void {
  const { beforeStart } = dieWithParent();
  const pids = [process.pid];
  if (children === 'one') {
    beforeStart();
    pids.push(spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).pid ?? 0);
  }
  process.stdout.write(`${pids.join(' ')}\n`);
  setInterval(() => {}, 1000);
}

if (role === 'child') dieLater();
else startOther();
