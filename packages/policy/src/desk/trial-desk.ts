import { relative } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { PalyraError } from '@palyra/kernel';
import {
  type CheckPolicyResponse,
  CheckPolicyResponseSchema,
  type PolicyCandidate,
  type TestPolicyRequest,
  type TestPolicyResponse,
  TestPolicyResponseSchema,
} from '@palyra/protocol';
import type { CaseText, Tested } from '../cases/try-cases.ts';
import type { PolicyFile } from '../model.ts';
import type { PolicyParts } from '../policy.ts';
import type { KnownTools } from '../sets/check-rule.ts';
import { layerProblems, readLayers } from '../sets/read-layers.ts';
import { type Composed, SetComposer } from '../sets/set-composer.ts';
import type { Sets } from '../sets/sets.ts';
import { WarmCompiler } from '../sets/warm-compiler.ts';
import type { Asking, Desk } from './desk.ts';
import type { JobSlots } from './job-slots.ts';
import { withinLimit } from './time-limit.ts';
import { byteLength, problemMessage } from './wire.ts';

export interface TrialDeskParts extends Pick<PolicyParts, 'mode' | 'dirs' | 'tools'> {
  readonly sets: Pick<Sets, 'inForce'>;
  readonly slots: JobSlots;
  readonly nameable: KnownTools;
  readonly desk: Pick<Desk, 'layerOf'>;
}

/** They are read by the process that decides; whoever has more tests them with `palyra policy test`. */
const MAX_CASE_FILES = 64;
const MAX_CASE_BYTES = 256 * 1024;
const LIMIT_MS = 20_000;
const IDLE_MS = 20_000;

/** Says of rules that are still being written whether they are fit, and changes nothing. */
export class TrialDesk implements AsyncDisposable {
  readonly #parts: TrialDeskParts;
  readonly #compiler = new WarmCompiler(IDLE_MS);
  readonly #composer: SetComposer;

  constructor(parts: TrialDeskParts) {
    this.#parts = parts;
    const { mode, nameable: tools, sets } = parts;
    this.#composer = new SetComposer({
      mode,
      inForce: () => sets.inForce()?.set,
      maker: {
        make: ({ files, schema }) =>
          withinLimit({ limitMs: LIMIT_MS }, (signal) =>
            this.#compiler.compile({ files, options: { mode, schema, tools } }, signal),
          ),
      },
    });
  }

  /** Whether a candidate could be applied. Contract: OVERLOADED for a second check by the same person. */
  async check(candidate: PolicyCandidate, { whose }: Asking): Promise<CheckPolicyResponse> {
    const { slots, desk } = this.#parts;
    using _slot = slots.take('check', whose);
    const composed = await this.#compose(await desk.layerOf(candidate));
    if (composed.kind === 'refused') {
      return create(CheckPolicyResponseSchema, { problems: composed.problems.map(problemMessage) });
    }
    const { rules, hash } = composed.set;
    return create(CheckPolicyResponseSchema, {
      rules: rules.filter(({ layer }) => layer === 'operator').length,
      policySetHash: hash,
    });
  }

  /** As `palyra policy test`: the candidate beside the built-in rules, whatever other layers say. */
  async test(
    {
      candidate,
      cases,
    }: Pick<TestPolicyRequest, 'cases'> & { readonly candidate: PolicyCandidate },
    { whose, signal }: Asking,
  ): Promise<TestPolicyResponse> {
    using _slot = this.#parts.slots.take('test', whose);
    const rules = await this.#parts.desk.layerOf(candidate);
    const found = cases.length > 0 ? { cases, problems: [], folder: '' } : await this.#ownCases();
    refuseTooMany(found.cases);
    if (found.problems.length > 0) return answered(found, found);
    const { tryCases } = await import('../cases/try-cases.ts');
    const { mode, nameable: tools, tools: known } = this.#parts;
    const catalogue = { find: (name: string) => known.find((tool) => tool.name === name) };
    const tested = await withinLimit({ limitMs: LIMIT_MS, signal }, (limited) =>
      tryCases({ rules, cases: found.cases }, { mode, tools, catalogue, signal: limited }),
    );
    return answered(found, tested);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#compiler[Symbol.asyncDispose]();
  }

  /** Beside what the other layers hold now, as an apply would. */
  async #compose(own: readonly PolicyFile[]): Promise<Composed> {
    const { operator: _replaced, ...dirs } = this.#parts.dirs;
    const others = readLayers(dirs);
    const files = [...others.files, ...own];
    const problems = [...others.problems, ...layerProblems(own)];
    return await this.#composer.compose({ files, problems }, 'question');
  }

  /** With names as they are in the folder. */
  async #ownCases() {
    const folder = this.#parts.dirs.operator;
    if (folder === undefined) return { cases: [], problems: [], folder: '' };
    const { readCaseFolder } = await import('../cases/case-folder.ts');
    const { cases, problems } = readCaseFolder(folder);
    return {
      cases: cases.map(({ name, text }) => ({ name: relative(folder, name), text })),
      problems: problems.map((each) => ({ ...each, file: relative(folder, each.file) })),
      folder,
    };
  }
}

function refuseTooMany(cases: readonly CaseText[]): void {
  if (cases.length <= MAX_CASE_FILES && byteLength(cases) <= MAX_CASE_BYTES) return;
  const bounds = `${MAX_CASE_FILES} files of cases with ${MAX_CASE_BYTES} bytes together`;
  throw new PalyraError('INVALID_INPUT', `at most ${bounds} are tested here`, {
    help: '`palyra policy test` takes more',
  });
}

interface Found {
  readonly cases: readonly CaseText[];
  readonly folder: string;
}

function answered(
  { cases, folder }: Found,
  { problems, results = [] }: Partial<Tested> & Pick<Tested, 'problems'>,
): TestPolicyResponse {
  return create(TestPolicyResponseSchema, {
    problems: problems.map(problemMessage),
    results: results.map(({ rules, ...result }) => ({ ...result, ruleIds: [...rules] })),
    caseFiles: cases.map(({ name }) => name),
    folder,
  });
}
