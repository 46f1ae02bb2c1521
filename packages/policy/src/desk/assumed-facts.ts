import { type Json, type JsonObject, PalyraError, quote } from '@palyra/kernel';
import type { CallToJudge } from '../request/call-request.ts';

/** What can be assumed of a call that nobody made, in the words of the schema. */
export interface Assumed extends Pick<
  CallToJudge,
  'agent' | 'skill' | 'tier' | 'taint' | 'budget'
> {
  readonly time?: Date;
  /** Where a connection would lead. */
  readonly range?: string;
}

const WORDS = ['agent', 'skill', 'tier', 'budget', 'range'] as const;
const KNOWN = [...WORDS, 'taint', 'time'];

/** Contract: throws INVALID_INPUT for a fact that is none, or is not of its type. */
export function assumedFacts(facts: JsonObject): Assumed {
  for (const name of Object.keys(facts)) {
    if (!KNOWN.includes(name)) {
      throw new PalyraError('INVALID_INPUT', `${quote(name)} is no fact that can be assumed`, {
        help: `assume \`${KNOWN.join('`, `')}\``,
      });
    }
  }
  const stated = WORDS.filter((name) => facts[name] !== undefined);
  const words = stated.map((name) => [name, wordOf(name, facts[name])] as const);
  const { taint, time } = facts;
  return {
    ...Object.fromEntries<string>(words),
    ...(taint === undefined ? {} : { taint: wordsOf('taint', taint) }),
    ...(time === undefined ? {} : { time: momentOf(time) }),
  };
}

/** Of what is asked of the gateway nothing else can be otherwise. */
export function assumedTime(facts: JsonObject): Date | undefined {
  const other = Object.keys(facts).find((name) => name !== 'time');
  if (other === undefined) return assumedFacts(facts).time;
  throw new PalyraError('INVALID_INPUT', `${quote(other)} is no fact of what people ask`, {
    help: 'assume `time`, or name a tool',
  });
}

/** As the schema has them; any other word would be refused by it, and look like a denial. */
const CHOICES: ReadonlyMap<string, readonly string[]> = new Map([
  ['tier', ['none', 'A', 'B', 'C']],
  ['taint', ['web', 'tool', 'mcp', 'file', 'memory', 'secret']],
  ['budget', ['unlimited', 'within', 'exhausted']],
  ['range', ['public', 'private', 'loopback', 'link_local', 'metadata', 'translated', 'special']],
]);

function wordOf(name: string, value: Json | undefined): string {
  if (typeof value !== 'string') throw new PalyraError('INVALID_INPUT', `\`${name}\` is a word`);
  const choices = CHOICES.get(name);
  if (choices === undefined || choices.includes(value)) return value;
  throw new PalyraError('INVALID_INPUT', `there is no ${name} ${quote(value)}`, {
    help: `one of \`${choices.join('`, `')}\``,
  });
}

function wordsOf(name: string, value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => wordOf(name, each));
  throw new PalyraError('INVALID_INPUT', `\`${name}\` is a list of words`);
}

function momentOf(value: Json): Date {
  const moment = new Date(typeof value === 'string' ? value : '');
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new PalyraError('INVALID_INPUT', '`time` is not a time', {
    help: 'write it as `2026-11-16T22:30:00Z`',
  });
}
