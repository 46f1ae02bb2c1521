import { plural } from '@palyra/client';
import { printFields, wrap } from '../render/layout.ts';
import { inline } from '../render/words.ts';
import type { Terminal } from '../terminal.ts';
import type { Report } from '../verify-report.ts';
import { CHAPTERS, type Chapter } from './chapters.ts';
import type { StepOutcome } from './check.ts';

/** Long lines are hard to read on a wide terminal too. */
const MOST_COLUMNS = 80;
const STEPS = CHAPTERS.length + 1;

type Heading = Pick<Chapter, 'title' | 'before' | 'key'>;

/** The words between the steps. */
export class Narrator {
  readonly #terminal: Terminal;
  readonly #answers: 'person' | 'demo';

  constructor(terminal: Terminal, answers: 'person' | 'demo') {
    this.#terminal = terminal;
    this.#answers = answers;
  }

  greet(): void {
    const { paint } = this.#terminal;
    this.#print(paint('strong', 'Palyra, in two minutes'));
    this.#say(
      'A gateway starts in a temporary folder, with files made for this. Nothing of yours is touched, nothing leaves this machine, and the folder is gone afterwards. A script plays the agent: it is no language model, and does on purpose what a model might do.',
    );
    this.#print('');
  }

  open(number: number, { title, before, key }: Heading): void {
    const { paint } = this.#terminal;
    this.#print(`${paint('accent', `${number} of ${STEPS}`)}  ${paint('strong', title)}`);
    this.#say(key === undefined ? before : `${before} ${this.#advice(key)}`);
    this.#print('');
  }

  #advice(key: 'y' | 'n'): string {
    if (this.#answers === 'person') return `When you are asked, press ${key}.`;
    return `The demo says ${key === 'y' ? 'yes' : 'no'} for you.`;
  }

  close({ isAsTold, because, help }: StepOutcome, after: string): void {
    const { paint, symbols } = this.#terminal;
    if (isAsTold) this.#say(after, paint('good', symbols.done));
    else {
      this.#say(`It came out otherwise: ${inline(because)}.`, paint('bad', symbols.failed));
      if (help !== '') this.#say(`try: ${inline(help)}`);
    }
    this.#print('');
  }

  report(report: Report): void {
    const { paint, symbols } = this.#terminal;
    if (report.verdict === 'broken') {
      this.#print(`  ${paint('bad', `${symbols.failed} broken`)}\n`);
      return;
    }
    const entries = plural(report.entries, 'entry', 'entries');
    this.#print(`  ${paint('good', `${symbols.done} intact`)}  ${entries}`);
    printFields(this.#terminal, [
      ['last hash', inline(report.headHash)],
      ['signed by', inline(report.keyId)],
    ]);
    this.#print('');
  }

  /** What to type for a model that understands something; `name` is what to type for this program. */
  farewell(name: string): void {
    const { paint } = this.#terminal;
    this.#print(paint('strong', 'Now with a real model'));
    this.#say(
      'Name the provider and the model, and hand over your key from a file or a password manager; it is kept in a file that only you can read. Then start the gateway in the folder where the agent is to work.',
    );
    this.#print('');
    for (const line of WITH_A_KEY) this.#print(`    ${paint('accent', `${name} ${line}`)}`);
    this.#print('');
    this.#say(
      'A model on this machine needs no key. For Ollama, vLLM or llama.cpp, in place of those:',
    );
    this.#print('');
    for (const line of WITHOUT_A_KEY) this.#print(`    ${paint('accent', `${name} ${line}`)}`);
    this.#print('');
  }

  conclude(outcomes: readonly StepOutcome[]): void {
    const { paint, symbols } = this.#terminal;
    const others = outcomes.filter(({ isAsTold }) => !isAsTold);
    if (others.length === 0) {
      this.#print(`${paint('good', symbols.done)} every step came out as told`);
      return;
    }
    for (const { step, because, help } of others) {
      const way = help === '' ? '' : `; try: ${inline(help)}`;
      this.#say(`${step}: ${inline(because)}${way}`, paint('bad', symbols.failed));
    }
  }

  #print(line: string): void {
    this.#terminal.print(line);
  }

  #say(text: string, mark = ' '): void {
    const { width } = this.#terminal;
    const room = Math.min(width, MOST_COLUMNS) - 2;
    for (const [place, line] of wrap(text, room).entries()) {
      this.#print(`${place === 0 ? mark : ' '} ${line}`);
    }
  }
}

/** Words after `palyra`. */
export const WITH_A_KEY = ['models set anthropic NAME --key-stdin < KEY-FILE', 'up'] as const;

export const WITHOUT_A_KEY = [
  'models set openai NAME --base-url http://127.0.0.1:11434/v1',
] as const;
