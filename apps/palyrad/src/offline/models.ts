import { prepareHome } from '@palyra/config';
import { PalyraError } from '@palyra/kernel';
import { checkModel, editsFor, storeKey, storedKeyFile } from '@palyra/models';
import * as z from 'zod';
import { type Flags, usage } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { ownPlaces } from '../own-places.ts';
import { type Surroundings, changeSettings, loadSettings } from '../sections.ts';
import type { Answer } from './commands.ts';

/** What `palyra models set` asks for. It comes by standard input, where others cannot see a key. */
const WISH = z.strictObject({
  provider: z.enum(['script', 'openai', 'anthropic', 'google']),
  model: z.string().optional(),
  baseUrl: z.string().optional(),
  api: z.enum(['chat', 'responses']).optional(),
  keyEnv: z.string().optional(),
  keyFile: z.string().optional(),
  /** The key itself: it is put into a file, and the file is what is configured. */
  key: z.string().optional(),
});
export type Wish = z.infer<typeof WISH>;

const MAX_WISH_BYTES = 64 * 1024;

export async function setModelFromInput(
  rest: readonly string[],
  surroundings: Surroundings,
  flags: Flags,
): Promise<Answer> {
  if (rest.length > 0) throw usage('expected no argument');
  return setModel(await readWish(process.stdin), surroundings, flags);
}

/**
 * Contract: nothing is written unless the daemon would start with it. Answers with what holds
 * afterwards, since a stronger layer may still say something else.
 */
export function setModel(
  { key, ...named }: Wish,
  surroundings: Surroundings,
  flags: Flags,
): Answer {
  const { places, environment, workspaceDir } = surroundings;
  const now = loadSettings(surroundings, flags).config.models;
  const wish =
    key === undefined
      ? named
      : { ...named, keyFile: storedKeyFile(places.configDir, named.provider) };
  const edits = editsFor(wish, now);
  const own = ownPlaces(surroundings).folders;
  const keyPlaces = { environment, workspaces: [workspaceDir], own };
  if (key !== undefined) {
    // Without the key the rest is checked first: a bad wish must not replace a key that is in use.
    checkModel({ ...now, ...edits, key_file: '' }, keyPlaces);
    prepareHome(places);
    storeKey(wish.keyFile ?? '', key);
  }
  const checked = checkModel({ ...now, ...edits }, keyPlaces);
  changeSettings(
    surroundings,
    flags,
    ...Object.entries(edits).map(([name, value]) => ({ key: `models.${name}`, value })),
  );
  const { provider, model } = loadSettings(surroundings, flags).config.models;
  const holds = provider === edits.provider && (provider === 'script' || model === edits.model);
  return {
    exit: EXIT.ok,
    kind: 'models.set',
    fields: { ...checked, file: places.configFile, holds },
  };
}

async function readWish(input: AsyncIterable<unknown>): Promise<Wish> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    if (!Buffer.isBuffer(chunk)) throw unreadable();
    size += chunk.length;
    if (size > MAX_WISH_BYTES) throw unreadable();
    chunks.push(chunk);
  }
  const parsed = WISH.safeParse(jsonOf(Buffer.concat(chunks).toString('utf8')));
  if (!parsed.success) throw unreadable();
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Without what was read: it may hold a key. */
function unreadable(): PalyraError {
  return new PalyraError('INVALID_INPUT', 'standard input holds no model to set');
}
