import { optionsOf } from './key-type.ts';
import { describeNarrowing, isNarrower } from './narrowing.ts';
import { describeOrigin } from './origin.ts';
import type { ConfigProblem } from './problem.ts';
import { PROFILE_KEY, type ProfileName, type Profiles } from './profiles.ts';
import { type KeyDeclaration, type KeyDeclarations, defaultOf } from './sections.ts';
import { type LayerReading, type Setting, checkValue } from './setting.ts';

/** Everything that was said about each key, weakest first: the last one won. */
export type Traces = ReadonlyMap<string, readonly Setting[]>;

export interface Resolution {
  readonly traces: Traces;
  readonly problems: readonly ConfigProblem[];
}

export interface LayerStack {
  readonly declarations: KeyDeclarations;
  readonly profiles: Profiles;
  /** Files, environment, flags: weakest first. */
  readonly operator: readonly LayerReading[];
  /** May only narrow what all of the above say. */
  readonly workspace: LayerReading;
}

/** Pure: which value wins for each key, and everything that is wrong. */
export function resolveLayers({ declarations, profiles, ...stack }: LayerStack): Resolution {
  const operator = stack.operator.flatMap(({ settings }) => settings);
  const profile = profileSettings(declarations, profiles, chosenProfile(declarations, operator));
  const traces = new Map<string, readonly Setting[]>();
  for (const [path, declaration] of declarations) traces.set(path, [builtIn(declaration)]);
  for (const setting of [...profile, ...operator]) put(traces, setting);

  const problems = [...stack.operator, stack.workspace].flatMap((layer) => layer.problems);
  for (const setting of stack.workspace.settings) {
    const problem = judgeWorkspace(setting, winnerOf(traces, setting.declaration.path));
    if (problem === undefined) put(traces, setting);
    else problems.push(problem);
  }
  return { traces, problems };
}

export function winnerOf(traces: Traces, path: string): Setting | undefined {
  return traces.get(path)?.at(-1);
}

function put(traces: Map<string, readonly Setting[]>, setting: Setting): void {
  const { path } = setting.declaration;
  traces.set(path, [...(traces.get(path) ?? []), setting]);
}

function builtIn(declaration: KeyDeclaration): Setting {
  return { declaration, value: defaultOf(declaration), origin: { kind: 'built-in' } };
}

function chosenProfile(declarations: KeyDeclarations, operator: readonly Setting[]): unknown {
  const declaration = declarations.get(PROFILE_KEY);
  if (declaration === undefined) throw new TypeError(`no section declares \`${PROFILE_KEY}\``);
  const choice = operator.findLast((setting) => setting.declaration.path === PROFILE_KEY);
  return choice === undefined ? defaultOf(declaration) : choice.value;
}

/** Contract: throws a TypeError for a profile that sets what no section takes: our own mistake. */
function profileSettings(
  declarations: KeyDeclarations,
  profiles: Profiles,
  profile: unknown,
): readonly Setting[] {
  if (!isProfileName(profile, profiles)) throw new TypeError('the profile has no settings');
  return Object.entries(profiles[profile].settings).map(([path, raw]) => {
    const declaration = declarations.get(path);
    if (declaration === undefined || path === PROFILE_KEY) {
      throw new TypeError(`profile \`${profile}\` sets \`${path}\`, which it cannot`);
    }
    const checked = checkValue(declaration, raw, { kind: 'profile', profile });
    if (checked.kind === 'problem') throw new TypeError(checked.problem.message);
    return checked.setting;
  });
}

function isProfileName(profile: unknown, profiles: Profiles): profile is ProfileName {
  return typeof profile === 'string' && Object.hasOwn(profiles, profile);
}

function judgeWorkspace(
  { declaration, value, origin }: Setting,
  current: Setting | undefined,
): ConfigProblem | undefined {
  const { path, narrows } = declaration;
  const change = { from: current?.value, to: value, options: optionsOf(declaration) };
  if (narrows !== undefined && isNarrower(narrows, change)) return undefined;
  const allowed = narrows === undefined ? 'a workspace may not set it' : describeNarrowing(narrows);
  return {
    code: 'CONFIG_WIDENED',
    key: path,
    origin,
    message: `\`${path}\` (${describeOrigin(origin)}) would widen what the operator allows`,
    help: `${allowed}; move the setting to your own palyra.toml if it is meant`,
  };
}
