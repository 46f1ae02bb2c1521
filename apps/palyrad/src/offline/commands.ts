import { type Flags, usage } from '../command-line.ts';
import { EXIT, type ExitCode, exitOf } from '../exit-codes.ts';
import {
  type Surroundings,
  changeSettings,
  checkSettingsFile,
  diagnoseSetting,
  loadSettings,
} from '../sections.ts';

export interface Answer {
  readonly exit: ExitCode;
  readonly kind: string;
  readonly fields: object;
}

type Command = (
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
) => Answer | Promise<Answer>;

/** What needs the daemon's code and no running daemon. */
const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'attest verify',
    async (rest) => (await import('./attestation.ts')).verifyAttestationEnvelope(rest),
  ],
  ['config show', showConfig],
  ['config get', getSetting],
  ['config set', setSetting],
  ['config explain', explainSetting],
  ['config validate', validateConfig],
  ['doctor', async (...asked) => (await import('./doctor.ts')).diagnose(...asked)],
  ['journal verify', verifyJournal],
  ['models set', async (...asked) => (await import('./models.ts')).setModelFromInput(...asked)],
  ['policy check', async (...asked) => (await import('./policy.ts')).checkPolicy(...asked)],
  ['policy fmt', async (rest) => (await import('./policy.ts')).formatPolicy(rest)],
  ['policy test', async (...asked) => (await import('./policy.ts')).testPolicy(...asked)],
]);

export async function answer(
  words: readonly string[],
  flags: Flags,
  surroundings: Surroundings,
): Promise<Answer> {
  const command = COMMANDS.get(words.slice(0, 2).join(' '));
  if (command === undefined) throw usage('there is no such command');
  return await command(words.slice(2), surroundings, flags);
}

function showConfig(rest: readonly string[], surroundings: Surroundings, flags: Flags): Answer {
  expectWords(rest, []);
  const settings = loadSettings(surroundings, flags).show();
  return { exit: EXIT.ok, kind: 'config.show', fields: { settings } };
}

function getSetting(rest: readonly string[], surroundings: Surroundings, flags: Flags): Answer {
  const [name] = expectWords(rest, ['KEY']);
  const { key, value, origin } = loadSettings(surroundings, flags).explain(name);
  return { exit: EXIT.ok, kind: 'config.get', fields: { key, value, origin } };
}

function explainSetting(rest: readonly string[], surroundings: Surroundings, flags: Flags): Answer {
  const [name] = expectWords(rest, ['KEY']);
  const { explanation, standing, problems } = diagnoseSetting(surroundings, flags, name);
  const [first] = problems;
  const exit = first === undefined ? EXIT.ok : exitOf(first.code);
  return { exit, kind: 'config.explain', fields: { ...explanation, standing, problems } };
}

/**
 * Answers with what holds afterwards: a stronger layer may still say something else, and of a file
 * with several faults the others are still there.
 */
function setSetting(rest: readonly string[], surroundings: Surroundings, flags: Flags): Answer {
  const [name, text] = expectWords(rest, ['KEY', 'VALUE']);
  changeSettings(surroundings, flags, { key: name, value: text });
  const { explanation, problems } = diagnoseSetting(surroundings, flags, name);
  const { key, value, origin } = explanation;
  const file = surroundings.places.configFile;
  return { exit: EXIT.ok, kind: 'config.set', fields: { key, value, origin, file, problems } };
}

function validateConfig(rest: readonly string[], surroundings: Surroundings, flags: Flags): Answer {
  const valid = { exit: EXIT.ok, kind: 'config.validate' } as const;
  if (rest.length > 0) {
    const [file] = expectWords(rest, ['FILE']);
    checkSettingsFile(surroundings, file);
    return { ...valid, fields: { verdict: 'valid' } };
  }
  const keys = loadSettings(surroundings, flags).show().length;
  return { ...valid, fields: { verdict: 'valid', keys } };
}

async function verifyJournal(rest: readonly string[], surroundings: Surroundings): Promise<Answer> {
  expectWords(rest, []);
  const { verifyStoredJournal } = await import('./stored-journal.ts');
  const report = await verifyStoredJournal(surroundings.places);
  const exit = report.verdict === 'intact' ? EXIT.ok : EXIT.journalBroken;
  return { exit, kind: 'journal.verify', fields: report };
}

function expectWords<const Names extends readonly string[]>(
  rest: readonly string[],
  names: Names,
): { readonly [Place in keyof Names]: string } {
  if (!hasLength(rest, names)) {
    throw usage(`expected ${names.length === 0 ? 'no argument' : names.join(' ')}`);
  }
  return rest;
}

function hasLength<Names extends readonly string[]>(
  words: readonly string[],
  names: Names,
): words is { readonly [Place in keyof Names]: string } {
  return words.length === names.length;
}
