import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '@palyra/kernel';

/** Speaks the protocol, and breaks it as its opening's version says; runs nothing. */
type Message = Readonly<Record<string, unknown>>;

const say = (message: object) => process.send?.(message);
let [way, folder] = ['', ''];

process.on('message', (message: Message) => {
  if (message['kind'] === 'open') open(message['opening']);
  if (message['kind'] === 'run') run(Number(message['id']));
  if (message['kind'] === 'explain') explain(message['id']);
  if (message['kind'] === 'secret') output(1, message['value'] ?? 'refused');
  if (message['kind'] === 'connection-answer') output(1, message['isAllowed']);
  if (message['kind'] === 'close' && way !== 'hangs') process.exit(0);
});
process.on('disconnect', () => {
  if (way !== 'hangs') process.exit(0);
});

const FAULT = { code: 'SANDBOX_UNAVAILABLE', reason: 'not here', help: 'elsewhere' };

function explain(id: unknown): void {
  say(way === 'hangs' ? { kind: 'failed', id, fault: FAULT } : { kind: 'ended', id });
}

function open(opening: unknown): void {
  if (typeof opening !== 'object' || opening === null) return;
  if ('version' in opening) way = String(opening.version);
  if ('folder' in opening) folder = String(opening.folder);
  if (way === 'unable') say({ kind: 'unable', fault: FAULT });
  else if (way !== 'never-starts') say({ kind: 'ready' });
}

function run(id: number): void {
  switch (way) {
    case 'dies-once': {
      const mark = join(folder, 'died');
      if (existsSync(mark)) return output(id, 'alive');
      writeFileSync(mark, '');
      say({ kind: 'output', id, stream: 'stdout', bytes: new TextEncoder().encode('half') });
      return setImmediate(() => process.kill(process.pid, 'SIGKILL')) && undefined;
    }
    case 'gibberish':
      say({ kind: 'ended', id, ending: 'well' });
      return;
    case 'another-run':
      say({ kind: 'output', id: id + 1, stream: 'stdout', bytes: new Uint8Array(1) });
      return;
    case 'too-much':
      say({ kind: 'output', id, stream: 'stdout', bytes: new Uint8Array(1001) });
      return;
    case 'environment':
      return output(
        id,
        JSON.stringify([Object.keys(process.env), process.cwd(), process.argv.length]),
      );
    case 'curious':
      say({ kind: 'secret-wanted', id: 7, name: 'promised' });
      return;
    case 'connects':
      return connect(id, 'api.example');
    case 'connects-elsewhere':
      return connect(id, 'other.example');
    case 'connects-in-doubt':
      return connect(id, 'broken.example');
    case 'connects-for-nobody':
      return connect(id + 1, 'api.example');
    case 'greedy':
      say({ kind: 'secret-wanted', id: 7, name: 'of-another' });
      return;
  }
}

function connect(forRun: number, host: string): void {
  const to = { host, port: 443, addresses: ['93.184.216.34'] };
  say({ kind: 'connection-wanted', id: 9, run: forRun, to });
}

function output(id: number, text: unknown): void {
  say({ kind: 'output', id, stream: 'stdout', bytes: new TextEncoder().encode(String(text)) });
  const posture = { executor: 'odd', namespaces: [], seccomp: '', memory: 'cgroup' } as const;
  const ending = {
    kind: 'exited',
    code: 0,
    truncated: { stdout: false, stderr: false },
    outputSha256: sha256Hex(new Uint8Array()),
    durationMs: 1,
    posture: { ...posture, egress: 'strict', hosts: [], isWarm: false, weaknesses: [] },
  };
  say({ kind: 'ended', id, ending });
}
