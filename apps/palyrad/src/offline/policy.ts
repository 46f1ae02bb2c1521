import { toJson } from '@bufbuild/protobuf';
import { type Problem, checkRules, formatRules, problemMessage, testRules } from '@palyra/policy';
import { PolicyProblemSchema } from '@palyra/protocol';
import { createCatalogue } from '@palyra/tools';
import { type Flags, usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { type Surroundings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';

export async function checkPolicy(
  [layer, ...paths]: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if ((layer !== 'operator' && layer !== 'workspace') || paths.length === 0) {
    throw usage('expected operator or workspace, then files');
  }
  const { mode } = loadSettings(surroundings, flags).config.policy;
  const { rules, problems } = await checkRules(paths, { layer, mode, tools: knownTools() });
  return told('policy.check', { rules }, problems);
}

export async function formatPolicy([how, ...paths]: readonly string[]): Promise<Answer> {
  if ((how !== 'check' && how !== 'write') || paths.length === 0) {
    throw usage('expected check or write, then files');
  }
  const { files, problems } = await formatRules(paths, how);
  return told('policy.fmt', { files }, problems);
}

export async function testPolicy(
  [folder, ...more]: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if (more.length > 0) throw usage('expected at most one folder');
  const { mode } = loadSettings(surroundings, flags).config.policy;
  const options = { mode, tools: knownTools(), catalogue: createCatalogue() };
  const report = await testRules(folder ?? surroundings.places.policiesDir, options);
  const { results, problems } = report;
  // Where nothing was tried nothing is proven, and a script must not take it for success.
  const isPassed = results.length > 0 && results.every(({ passed }) => passed);
  const answer = told('policy.test', { folder: report.folder, results }, problems);
  return isPassed || problems.length > 0 ? answer : { ...answer, exit: EXIT.failure };
}

function told(kind: string, fields: object, problems: readonly Problem[]): Answer {
  const shown = problems.map((problem) => toJson(PolicyProblemSchema, problemMessage(problem)));
  const exit = problems.length === 0 ? EXIT.ok : EXIT.config;
  return { exit, kind, fields: { ...fields, problems: shown } };
}

function knownTools() {
  return { names: new Set(createCatalogue().names()), prefixes: [] };
}
