import type { Bytes } from '@palyra/kernel';
import {
  type Instruction,
  OFFSETS,
  type Result,
  branch,
  bytesOf,
  give,
  load,
  loadArgument,
  loadUpperHalf,
} from './program.ts';
import { type Check, type FilterTerms, answerOf, checkOf } from './rules.ts';
import { ARM64_SYSCALLS } from './syscalls-arm64.ts';
import { X86_64_SYSCALLS } from './syscalls-x86-64.ts';

export type Machine = 'x64' | 'arm64';

interface MachineFacts {
  /** As the kernel's audit names it. */
  readonly architecture: number;
  readonly syscalls: Readonly<Record<string, number>>;
  /** From here on numbers are of another convention, through which a filter could be walked around. */
  readonly foreignFrom?: number;
}

const MACHINES: Readonly<Record<Machine, MachineFacts>> = {
  x64: { architecture: 0xc000_003e, syscalls: X86_64_SYSCALLS, foreignFrom: 0x4000_0000 },
  arm64: { architecture: 0xc000_00b7, syscalls: ARM64_SYSCALLS },
};

/** The whole filter: pure, so the same terms always give the same bytes. */
export function compileFilter(machine: Machine, terms: FilterTerms): Bytes {
  return bytesOf(filterProgram(machine, terms));
}

export function filterProgram(machine: Machine, terms: FilterTerms): readonly Instruction[] {
  const { architecture, syscalls, foreignFrom } = MACHINES[machine];
  const tree = decide(spansOf(syscalls, terms));
  const native =
    foreignFrom === undefined
      ? tree
      : branch('greaterOrEqual', foreignFrom, { yes: [give('kill')], no: tree });
  return [
    load(OFFSETS.architecture),
    ...branch('equal', architecture, {
      yes: [load(OFFSETS.number), ...native],
      no: [give('kill')],
    }),
  ];
}

/** Neighbouring numbers with one answer, each span up to the next. */
interface Span {
  readonly from: number;
  readonly answer: Result | Check;
}

function spansOf(syscalls: Readonly<Record<string, number>>, terms: FilterTerms): readonly Span[] {
  const names = new Map(Object.entries(syscalls).map(([name, number]) => [number, name]));
  const last = Math.max(...names.keys());
  const spans: Span[] = [];
  for (let number = 0; number <= last + 1; number += 1) {
    const name = names.get(number);
    // What the table does not know, a later kernel may: nobody has looked at it.
    const answer = name === undefined ? 'ENOSYS' : (checkOf(name, terms) ?? answerOf(name, terms));
    if (spans.at(-1)?.answer !== answer) spans.push({ from: number, answer });
  }
  return spans;
}

/** A balanced tree: every call finds its answer after as few questions. */
function decide(spans: readonly Span[]): readonly Instruction[] {
  const [first] = spans;
  if (first === undefined) return [give('ENOSYS')];
  if (spans.length === 1) return answerProgram(first.answer);
  const middle = Math.ceil(spans.length / 2);
  const right = spans.slice(middle);
  const pivot = right[0]?.from ?? 0;
  return branch('greaterOrEqual', pivot, {
    yes: decide(right),
    no: decide(spans.slice(0, middle)),
  });
}

function answerProgram(answer: Result | Check): readonly Instruction[] {
  return typeof answer === 'string' ? [give(answer)] : checkProgram(answer);
}

function checkProgram(check: Check): readonly Instruction[] {
  const [yes, no] = [[give('allow')], [give('EPERM')]] as const;
  switch (check.kind) {
    case 'bits':
      return [
        loadArgument(check.argument),
        ...branch('bitSet', check.refuse, { yes: no, no: [give(check.otherwise ?? 'allow')] }),
      ];
    case 'if':
      return [
        loadArgument(check.argument),
        ...oneOf(check.allow, { yes: checkProgram(check.further), no }),
      ];
    case 'null':
      return unlessNull(check.argument, { yes, no: [give('ask')] });
    case 'values':
      return [loadArgument(check.argument), ...oneOf(check.refuse, { yes: no, no: yes })];
    case 'only':
      return [loadArgument(check.argument), ...oneOf(check.allow, { yes, no })];
    case 'mode-on-create': {
      const mode = branch('bitSet', check.refuse, { yes: no, no: yes });
      const created = [loadArgument(check.mode), ...mode];
      return [
        loadArgument(check.flags),
        ...branch('bitSet', check.create, { yes: created, no: yes }),
      ];
    }
    case 'core-limit': {
      const pretend = [give('pretend')];
      return [
        loadArgument(check.resource),
        ...branch('equal', RLIMIT_CORE, {
          yes: check.limit === undefined ? pretend : unlessNull(check.limit, { yes, no: pretend }),
          no: yes,
        }),
      ];
    }
    case 'families': {
      const routes = [loadArgument(2), ...branch('equal', 0, { yes, no })];
      const others = check.netlink ? branch('equal', AF_NETLINK, { yes: routes, no }) : no;
      return [loadArgument(0), ...oneOf(check.allow, { yes, no: others })];
    }
  }
}

const AF_NETLINK = 16;
const RLIMIT_CORE = 4;

interface Ways {
  readonly yes: readonly Instruction[];
  readonly no: readonly Instruction[];
}

function unlessNull(argument: number, { yes, no }: Ways): readonly Instruction[] {
  const upper = [loadUpperHalf(argument), ...branch('equal', 0, { yes, no })];
  return [loadArgument(argument), ...branch('equal', 0, { yes: upper, no })];
}

function oneOf(values: readonly number[], ways: Ways): readonly Instruction[] {
  return values.reduceRight<readonly Instruction[]>(
    (no, value) => branch('equal', value, { yes: ways.yes, no }),
    ways.no,
  );
}
