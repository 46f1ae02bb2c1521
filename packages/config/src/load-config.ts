import { isAbsolute } from 'node:path';
import type { Environment, Places } from '@palyra/kernel';
import { type ContradictionCheck, findContradictions } from './contradictions.ts';
import { inspectHome } from './home.ts';
import { type Explanation, type ShownSetting, explainKey, showSettings } from './inspect.ts';
import { readEnvironmentLayer, readFileLayer, readFlagLayer } from './layers.ts';
import { type FileKind, type FileOrigin, describeOrigin } from './origin.ts';
import { type ConfigProblem, MAX_PROBLEMS, refuseAny } from './problem.ts';
import type { Profiles, deploymentSection } from './profiles.ts';
import { type Traces, resolveLayers } from './resolve.ts';
import { readSafeFile, unreadable } from './safe-file.ts';
import { type Config, type KeyDeclarations, type Sections, declareKeys } from './sections.ts';
import type { LayerReading } from './setting.ts';
import { type Standing, standingOf } from './standing.ts';

/** Where an administrator decides for everybody on the machine. */
export const SYSTEM_FILE = '/etc/palyra/palyra.toml';

export interface ConfigRequest<S extends AllSections> {
  readonly sections: S;
  readonly profiles: Profiles;
  readonly contradictions: readonly ContradictionCheck<S>[];
  readonly sources: ConfigSources;
}

export type AllSections = Sections & { readonly deployment: typeof deploymentSection };

export interface ConfigSources {
  readonly places: Places;
  /** All of the process's; only names that begin with `PALYRA_` are looked at. */
  readonly environment: Environment;
  /** `--set section.key=value`, split at the first `=`. */
  readonly flags: Readonly<Record<string, string>>;
  /** Usually SYSTEM_FILE. */
  readonly systemFile: string;
  /** The `palyra.toml` of a project, which may only narrow. */
  readonly workspaceFile?: string;
  /** What the operator's own file would hold: a change is tried before it is made. */
  readonly draft?: string;
}

export interface LoadedConfig<S extends Sections> {
  readonly config: Config<S>;
  readonly show: () => readonly ShownSetting[];
  /** Contract: throws CONFIG_UNKNOWN_KEY, with a suggestion, for a key that does not exist. */
  readonly explain: (key: string) => Explanation;
}

/**
 * Contract: throws a ConfigError with every problem of every layer, or gives a frozen config.
 * Reads at most four small files, synchronously: nothing else can happen before it is known.
 */
export function loadConfig<S extends AllSections>(request: ConfigRequest<S>): LoadedConfig<S> {
  const { config, traces, ...findings } = readConfig(request);
  refuseAny(toTell(findings));
  return {
    config,
    show: () => showSettings(traces),
    explain: (key) => explainKey(traces, key),
  };
}

/** What is to be said of a key also while the configuration is refused. */
export interface Diagnosis {
  /** Of the layers that say something good about it. */
  readonly explanation: Explanation;
  /** Of the value that the explanation tells. */
  readonly standing: Standing;
  /** Why the configuration is refused, because of this key or another; empty when it is not. */
  readonly problems: readonly ConfigProblem[];
}

/** Contract: throws for a key that does not exist: what is wrong, or CONFIG_UNKNOWN_KEY with a suggestion. */
export function diagnoseKey<S extends AllSections>(
  request: ConfigRequest<S>,
  key: string,
): Diagnosis {
  const { traces, ...findings } = readConfig(request);
  const problems = toTell(findings);
  // It may stand in a file all the same, and is what is wrong with it then.
  if (!traces.has(key)) refuseAny(problems);
  const told = problems.slice(0, MAX_PROBLEMS);
  const explanation = explainKey(traces, key);
  return {
    explanation,
    standing: standingOf(key, explanation.origin, findings.faults),
    problems: told.map((problem) => (problem.key === key ? withPlaceToMend(problem) : problem)),
  };
}

/**
 * What would be left to mend. Contract: empty when the configuration is not refused; beside other
 * faults also what the values that hold without them contradict.
 */
export function findProblems<S extends AllSections>(
  request: ConfigRequest<S>,
): readonly ConfigProblem[] {
  const { home, faults, contradictions } = readConfig(request);
  return [...home, ...faults, ...contradictions];
}

interface Findings {
  readonly home: readonly ConfigProblem[];
  /** Of the layers. */
  readonly faults: readonly ConfigProblem[];
  readonly contradictions: readonly ConfigProblem[];
}

/** Contract: of a configuration with problems only what is not wrong is to be believed. */
function readConfig<S extends AllSections>(request: ConfigRequest<S>) {
  const { sections, profiles, sources } = request;
  const declarations = declareKeys(sections);
  const { traces, problems } = resolveLayers({
    declarations,
    profiles,
    operator: readOperatorLayers(declarations, sources),
    workspace: readLayer(declarations, fileOrigin('workspace', sources.workspaceFile)),
  });
  const config = assemble(sections, traces);
  return {
    config,
    traces,
    home: inspectHome(sources.places),
    faults: problems,
    contradictions: findContradictions(request.contradictions, config, traces),
  };
}

/** Beside a fault a value is missing, and a contradiction could be told that nobody wrote. */
function toTell({ home, faults, contradictions }: Findings): readonly ConfigProblem[] {
  return home.length + faults.length > 0 ? [...home, ...faults] : contradictions;
}

/** Who asks what the key takes is told that already, and where to put it right instead. */
function withPlaceToMend(problem: ConfigProblem): ConfigProblem {
  if (problem.code !== 'CONFIG_INVALID') return problem;
  const place = describeOrigin(problem.origin);
  return { ...problem, help: `correct it in ${place}, or take it out there` };
}

function readOperatorLayers(
  declarations: KeyDeclarations,
  { places, environment, flags, systemFile, draft }: ConfigSources,
): readonly LayerReading[] {
  const user: FileOrigin = { kind: 'user', file: places.configFile };
  return [
    readLayer(declarations, fileOrigin('system', systemFile)),
    draft === undefined
      ? readLayer(declarations, user)
      : readFileLayer(declarations, new TextEncoder().encode(draft), user),
    readLayer(declarations, fileOrigin('named', environment['PALYRA_CONFIG'])),
    readEnvironmentLayer(declarations, environment),
    readFlagLayer(declarations, flags),
  ];
}

const NOTHING: LayerReading = { settings: [], problems: [] };

function readLayer(declarations: KeyDeclarations, origin: FileOrigin | undefined): LayerReading {
  if (origin === undefined) return NOTHING;
  if (origin.kind === 'named' && !isAbsolute(origin.file)) {
    // The daemon and its clients would each look in their own working directory.
    return refuseFile(origin, '`PALYRA_CONFIG` must be an absolute path');
  }
  const reading = readSafeFile(origin);
  switch (reading.kind) {
    case 'missing':
      return origin.kind === 'named' ? refuseFile(origin, 'there is no such file') : NOTHING;
    case 'refused':
      return { settings: [], problems: [reading.problem] };
    case 'read':
      return readFileLayer(declarations, reading.bytes, origin);
  }
}

function refuseFile(origin: FileOrigin, reason: string): LayerReading {
  return { settings: [], problems: [unreadable(origin, reason)] };
}

/** An empty variable counts as one that is not set, as with `PALYRA_HOME`. */
function fileOrigin(kind: FileKind, file = ''): FileOrigin | undefined {
  return file === '' ? undefined : { kind, file };
}

function assemble<S extends Sections>(sections: S, traces: Traces): Config<S> {
  const config: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(sections)) config[name] = {};
  for (const settings of traces.values()) {
    const winner = settings.at(-1);
    if (winner?.value === undefined) continue;
    const { section, key } = winner.declaration;
    // A copy: the built-in value belongs to the schema and is handed to every caller.
    (config[section] ??= {})[key] = structuredClone(winner.value);
  }
  const frozen: object = deepFreeze(config);
  if (!isConfigOf(sections, frozen)) throw new TypeError('a section got lost');
  return frozen;
}

/** Every value went through the schema of its key before it got here. */
function isConfigOf<S extends Sections>(sections: S, config: object): config is Config<S> {
  return Object.keys(sections).every((name) => Object.hasOwn(config, name));
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
