import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type JsonObject, PalyraError, isJsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import { startSandbox, toError } from '../../daemon-program.ts';
import type { CommandExit } from '../../exit-codes.ts';
import { showFailure } from '../../failure.ts';
import { onInterrupt } from '../../interrupts.ts';
import { readLines } from '../../line-reader.ts';
import { inline } from '../../render/words.ts';
import { type SandboxEnding, endingOf, readEnding } from '../../sandbox-ending.ts';
import { orderOf } from '../../sandbox-order.ts';
import type { Terminal } from '../../terminal.ts';
import { texts } from '../../verdict-answer.ts';

export async function run(invocation: Invocation): Promise<CommandExit> {
  const { shell } = invocation;
  const order = orderOf(invocation, process.cwd());
  const output = new Output(invocation);
  const child = startSandbox(shell);
  using input = new Input(process.stdin);
  // Closing its input tells it to end, and what it runs; the second time nobody waits for that.
  using _interrupts = onInterrupt((times) => {
    if (times > 1) child.kill('SIGKILL');
    else child.stdin?.end();
  });
  child.stdin?.on('error', () => child.stdin?.destroy());
  const send = (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`);
  send({ ...order, hasInput: !process.stdin.isTTY });
  const ending = await follow(child, output, async () => send(await input.next()));
  return conclude(invocation, ending, output);
}

/** Taken only as fast as the command takes it, so that it may be without end. */
class Input implements Disposable {
  readonly #stream: NodeJS.ReadStream;
  #pieces: AsyncIterator<Uint8Array, undefined> | undefined;

  constructor(stream: NodeJS.ReadStream) {
    this.#stream = stream;
  }

  /** Contract: without `input` there is no more. */
  async next(): Promise<{ readonly input?: string }> {
    this.#pieces ??= this.#stream[Symbol.asyncIterator]();
    const { value } = await this.#pieces.next();
    return value === undefined ? {} : { input: Buffer.from(value).toString('base64') };
  }

  /** Whoever writes to us may go on for ever; nobody here waits for that. */
  [Symbol.dispose](): void {
    this.#stream.destroy();
  }
}

type StreamName = 'stdout' | 'stderr';

/** For people it is shown as it comes; for scripts it is kept, within the sandbox's own bound. */
class Output {
  readonly #show: ((stream: StreamName, bytes: Uint8Array) => void) | undefined;
  readonly #kept: Readonly<Record<StreamName, Uint8Array[]>> = { stdout: [], stderr: [] };
  /** Each that it opened or tried to; the proxy's own ceiling bounds them. */
  readonly connections: JsonObject[] = [];

  constructor(invocation: Invocation) {
    const { terminal } = invocation.shell;
    this.#show = wantsJson(invocation) ? undefined : (...piece) => terminal.pass(...piece);
  }

  add(stream: StreamName, bytes: Uint8Array): void {
    if (this.#show === undefined) this.#kept[stream].push(bytes);
    else this.#show(stream, bytes);
  }

  text(stream: StreamName): string {
    return Buffer.concat(this.#kept[stream]).toString('utf8');
  }
}

async function follow(
  child: ChildProcess,
  output: Output,
  onInputWanted: () => Promise<unknown>,
): Promise<SandboxEnding> {
  const { stdout } = child;
  if (stdout === null) throw new TypeError('the program was started without its output');
  const closed = once(child, 'close');
  let ending: SandboxEnding | undefined;
  let broken: PalyraError | undefined;
  const giveUp = (cause: unknown) => {
    broken ??= new PalyraError('INVALID_INPUT', 'the standard input cannot be read', { cause });
    // The command would wait for the rest for as long as it may run.
    child.stdin?.end();
  };
  for await (const line of readLines(stdout)) {
    const message = messageOf(line);
    // Not awaited: what the command writes comes meanwhile, and so may its end.
    if (message['kind'] === 'sandbox.input-wanted') void onInputWanted().catch(giveUp);
    ending = readMessage(message, output) ?? ending;
  }
  // It waits for us to let go of its input, so that it can tell our end from its own.
  child.stdin?.end();
  await closed;
  if (broken !== undefined) throw broken;
  if (ending !== undefined) return ending;
  throw new PalyraError('UNEXPECTED', 'palyrad ended without telling how the command did', {
    help: 'what it wrote above says why; if nothing did, somebody killed it',
  });
}

function messageOf(line: Uint8Array): JsonObject {
  const message: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
  if (isJsonObject(message)) return message;
  throw new PalyraError('UNEXPECTED', 'palyrad wrote something that cannot be read');
}

function readMessage(message: JsonObject, output: Output): SandboxEnding | undefined {
  const { error, ending, stream, base64, record } = message;
  if (isJsonObject(error)) return endingOf(toError(error));
  if (isJsonObject(ending)) return readEnding(ending);
  if (isJsonObject(record)) output.connections.push(record);
  if ((stream === 'stdout' || stream === 'stderr') && typeof base64 === 'string') {
    output.add(stream, Buffer.from(base64, 'base64'));
  }
  return undefined;
}

function conclude(invocation: Invocation, ending: SandboxEnding, output: Output): CommandExit {
  const { terminal } = invocation.shell;
  const { exit, fault, told: ended } = ending;
  if (wantsJson(invocation)) {
    const { kind, ...rest } = ended;
    const [stdout, stderr] = [output.text('stdout'), output.text('stderr')];
    const { connections } = output;
    const told = { ended: kind, ...rest, stdout, stderr, connections, exit: exit.command };
    terminal.json('sandbox_run', told);
  } else if (fault !== undefined) {
    showFailure(fault, terminal, 'text');
  } else if (typeof ended['signal'] === 'string') {
    terminal.note(`the command was ended by ${inline(ended['signal'])}`);
  }
  if (!wantsJson(invocation)) noteStep(ended, terminal);
  // Only where somebody looks: what a script reads there is the command's own.
  if (!wantsJson(invocation) && process.stderr.isTTY) {
    noteRefusals(output.connections, terminal);
    noteWeaknesses(ended, terminal);
  }
  return exit;
}

const MAX_TOLD = 5;

/** A command seldom says why a connection of it came to nothing, and never who refused it. */
function noteRefusals(connections: readonly JsonObject[], terminal: Terminal): void {
  const refused = connections.filter(({ decision }) => decision === 'refused');
  const told = new Set(refused.map(refusalWords));
  for (const words of [...told].slice(0, MAX_TOLD)) {
    terminal.note(`${terminal.symbols.warning} ${words}`);
  }
  if (told.size > MAX_TOLD) terminal.note(`  and ${told.size - MAX_TOLD} more; \`--json\` has all`);
}

function refusalWords(record: JsonObject): string {
  const { port } = record;
  const place = `${textOf(record, 'host')}${typeof port === 'number' && port > 0 ? `:${port}` : ''}`;
  return inline(`a connection to ${place || 'nobody'} was refused: ${textOf(record, 'reason')}`);
}

/** Also to a script, which takes the strongest step for granted: nothing is weaker in silence. */
function noteStep({ posture }: JsonObject, terminal: Terminal): void {
  if (!isJsonObject(posture)) return;
  for (const reason of texts(posture['passedOver'])) {
    const told = `the sandbox was ${textOf(posture, 'executor')}: ${reason}`;
    terminal.note(`${terminal.symbols.warning} ${inline(told)}`);
  }
}

function noteWeaknesses({ posture }: JsonObject, terminal: Terminal): void {
  if (!isJsonObject(posture)) return;
  const told = texts(posture['passedOver']);
  for (const weakness of texts(posture['weaknesses'])) {
    if (!told.includes(weakness)) terminal.note(`${terminal.symbols.warning} ${inline(weakness)}`);
  }
}
