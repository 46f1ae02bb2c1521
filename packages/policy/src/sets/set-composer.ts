import { PalyraError } from '@palyra/kernel';
import type { Compiled, Mode, PolicyFile, Problem, RuleSet } from '../model.ts';
import { SCHEMA_TEXT, builtInFiles } from './built-in.ts';
import { MAX_PROBLEMS } from './limits.ts';
import { problemOf } from './problems.ts';
import type { LayerReading } from './read-layers.ts';
import type { Lane } from './compilers.ts';
import type { SetMaker } from './set-maker.ts';
import type { SetTexts } from './set-hash.ts';
import { UNREADABLE_WORKSPACE } from './unreadable-workspace.ts';

export type Composed =
  /** What is wrong is then the workspace's, and something else stands in the place of its rules. */
  | { readonly kind: 'composed'; readonly set: RuleSet; readonly problems: readonly Problem[] }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

export interface SetComposerParts {
  readonly maker: Pick<SetMaker, 'make'>;
  readonly mode: Mode;
  /** Contract: of the workspace that is read, since this process began. */
  readonly inForce: () => RuleSet | undefined;
}

/**
 * Makes sets of what the layers hold. A workspace is not to be trusted, and must not keep people's
 * own rules from coming into force. INVARIANT: when those of people are good by themselves, a set
 * is composed, and it forbids no less in the workspace than its rules did before.
 */
export class SetComposer {
  readonly #parts: SetComposerParts;

  constructor(parts: SetComposerParts) {
    this.#parts = parts;
  }

  texts(files: readonly PolicyFile[]): SetTexts {
    const { mode } = this.#parts;
    return { mode, schema: SCHEMA_TEXT, files: [...builtInFiles(mode), ...files] };
  }

  /** Contract: rejects only when the rules could not be looked at for a reason outside of them. */
  async compose(reading: LayerReading, lane: Lane): Promise<Composed> {
    const whole = await this.#whole(reading, lane);
    if (whole.kind === 'compiled') return { kind: 'composed', set: whole.set, problems: [] };
    const { problems } = whole;
    const isReadable = reading.problems.every(isOfWorkspace);
    if (!isReadable || !hasWorkspace(reading)) return { kind: 'refused', problems };
    const people = reading.files.filter((file) => !isOfWorkspace(file));
    const instead = await this.#instead(people, { lane, problems });
    if (instead.kind === 'compiled') {
      return { kind: 'composed', set: instead.set, problems: ofWorkspace(problems) };
    }
    // Those of people are told even if those of the workspace kept Cedar from seeing them.
    const all = [...instead.problems, ...problems.filter(isOfWorkspace)];
    return { kind: 'refused', problems: all.slice(0, MAX_PROBLEMS) };
  }

  async #whole({ files, problems }: LayerReading, lane: Lane): Promise<Compiled> {
    if (problems.length > 0) return { kind: 'refused', problems };
    if (!files.some(isOfWorkspace)) return this.#make(files, lane);
    try {
      return await this.#parts.maker.make(this.texts(files), { lane, patience: 'short' });
    } catch (error) {
      if (PalyraError.from(error).code !== 'UNEXPECTED') throw error;
      // Whether that is the workspace's doing is found out without it.
      return { kind: 'refused', problems: [problemOf(WORKSPACE, CANNOT_LOOK)] };
    }
  }

  /** With its earlier rules; without any, or when they do not fit any more, it may do nothing. */
  async #instead(
    people: readonly PolicyFile[],
    { lane, problems }: { readonly lane: Lane; readonly problems: readonly Problem[] },
  ): Promise<Compiled> {
    const earlier = problems.every(isOfWorkspace) ? this.#earlier() : undefined;
    if (earlier !== undefined) {
      const compiled = await this.#make([...people, ...earlier], lane);
      if (compiled.kind === 'compiled') return compiled;
    }
    return this.#make([...people, UNREADABLE_WORKSPACE], lane);
  }

  /** Contract: `undefined` unless a set was in force with what this workspace held. */
  #earlier(): readonly PolicyFile[] | undefined {
    const set = this.#parts.inForce();
    if (set === undefined || set.mode === 'closed') return undefined;
    return set.files.filter(isOfWorkspace);
  }

  #make(files: readonly PolicyFile[], lane: Lane): Promise<Compiled> {
    return this.#parts.maker.make(this.texts(files), { lane });
  }
}

const WORKSPACE = { layer: 'workspace', name: '.' } as const;

function isOfWorkspace({ layer }: Pick<PolicyFile, 'layer'>): boolean {
  return layer === 'workspace';
}

function hasWorkspace({ files, problems }: LayerReading): boolean {
  return files.some(isOfWorkspace) || problems.some(isOfWorkspace);
}

/** Without the workspace nothing is wrong, so whatever was told is its doing. */
function ofWorkspace(problems: readonly Problem[]): readonly Problem[] {
  const own = problems.filter(isOfWorkspace);
  return own.length > 0 ? own : [problemOf(WORKSPACE, DOES_NOT_FIT)];
}

const DOES_NOT_FIT = {
  reason: 'with its rules those of the other layers cannot be taken',
  help: 'remove rules that are not needed',
};

const CANNOT_LOOK = {
  reason: 'its rules could not be looked at',
  help: 'make them fewer and simpler: fewer brackets, shorter conditions',
};
