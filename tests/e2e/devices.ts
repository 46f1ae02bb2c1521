import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, isJsonObject } from '@palyra/kernel';
import { CLI, type Ended, environment, palyra } from './harness.ts';

/** What a command answers with `--json`. Contract: one object; throws when the command failed. */
export async function answerOf(home: string, ...words: readonly string[]): Promise<JsonObject> {
  const ended = await palyra(home, ...words, '--json');
  if (ended.code !== 0) throw new Error(`${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
  return objectOf(ended.stdout);
}

export function objectOf(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error(`not an object: ${text}`);
  return value;
}

/** A field that is there. */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value !== 'string') throw new Error(`no text at ${name}: ${JSON.stringify(object)}`);
  return value;
}

export function listAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export interface StartedPairing {
  readonly pairingId: string;
  readonly pin: string;
  readonly link: string;
}

export async function startPairing(
  home: string,
  ...more: readonly string[]
): Promise<StartedPairing> {
  const answer = await answerOf(home, 'pairing', 'start', '--no-wait', ...more);
  const { pairing } = answer;
  const pairingId = isJsonObject(pairing) ? textAt(pairing, 'pairingId') : '';
  return { pairingId, pin: textAt(answer, 'pin'), link: textAt(answer, 'link') };
}

/** `palyra pair` as a process of its own, on another machine's home, with a secret on its input. */
export class NewDevice {
  readonly child: ChildProcess;
  /** Later than its end: what it has said is read then. */
  readonly #closed: Promise<unknown>;
  #isClosed = false;
  #output = '';

  constructor(home: string, words: readonly string[], input: string) {
    this.child = spawn(process.execPath, [CLI, 'pair', ...words, '--json'], {
      env: environment(home),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.#closed = once(this.child, 'close').finally(() => (this.#isClosed = true));
    this.child.stdin?.end(`${input}\n`);
  }

  /** The fingerprint that it shows. Contract: throws when it ends before it has one to show. */
  async proven(): Promise<string> {
    while (!this.#output.includes('\n')) {
      if (this.#isClosed) throw new Error(`it ended: ${this.#output}`);
      await sleep(10);
    }
    return textAt(objectOf(this.#output.split('\n', 1)[0] ?? ''), 'keyFingerprint');
  }

  async end(): Promise<Ended> {
    await this.#closed;
    return { code: this.child.exitCode, stdout: this.#output, stderr: '' };
  }
}

export interface Together {
  readonly gatewayHome: string;
  readonly deviceHome: string;
  readonly address: string;
}

/** Pairs the two as two people would: PIN here, yes there. */
export async function pairTogether(
  { gatewayHome, deviceHome, address }: Together,
  ...more: readonly string[]
): Promise<void> {
  const { pairingId, pin } = await startPairing(gatewayHome, ...more);
  const device = new NewDevice(deviceHome, [address, '--as', 'office', '--name', 'visitor'], pin);
  const fingerprint = await device.proven();
  await answerOf(gatewayHome, 'pairing', 'approve', pairingId, '--fingerprint', fingerprint);
  const ended = await device.end();
  if (ended.code !== 0) throw new Error(`not paired: ${ended.stdout}`);
}
