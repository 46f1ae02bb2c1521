import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type JsonObject, WORKSPACE_IN_CAGE } from '@palyra/kernel';
import { type NamedFile, NamedFileSchema } from '@palyra/protocol';
import { type Left, bind } from './bound-file.ts';
import { namedWords } from './named-words.ts';
import { startOf } from './process-call.ts';
import { whereItLeads } from './where-it-leads.ts';

const MOST_FILES = 32;
const MOST_BYTES = 16 * 1024 ** 2;
const MOST_NAMES_IN_FOLDERS = 2000;
/** Words that are looked up; a call has no more than about a thousand arguments. */
const MOST_WORDS = 4096;
/** What people are told one by one. */
const MOST_LISTED = 64;

/**
 * What a command names in the workspace, as program or in an argument, each with its hash: a yes to
 * `sh build.sh` is one to this `build.sh`. What cannot be bound by its content says so, and is held
 * against what the file system keeps of it. Contract: never throws.
 */
export function namedFiles(args: JsonObject | undefined, workspace: string): readonly NamedFile[] {
  const start = startOf(args);
  const left = { files: MOST_FILES, bytes: MOST_BYTES, names: MOST_NAMES_IN_FOLDERS };
  const words = namedWords(args);
  const files = words
    .slice(0, MOST_WORDS)
    .flatMap((name) =>
      [...placesOf(name, start, workspace)].flatMap((path) =>
        fileOf(name, path, { workspace, left }),
      ),
    );
  const further = Math.max(words.length - MOST_WORDS, 0);
  return [...listed(files), ...(further === 0 ? [] : [unlooked(further)])];
}

/** Where a name leads for a program outside of a cage, and for one in it, which knows the workspace by another. */
function placesOf(name: string, start: string, workspace: string): ReadonlySet<string> {
  const views = [workspace, WORKSPACE_IN_CAGE].map((workspaceAt) => ({
    workspace,
    workspaceAt,
    start,
  }));
  return new Set(views.flatMap((view) => whereItLeads(name, view) ?? []));
}

function fileOf(
  name: string,
  path: string,
  { workspace, left }: { readonly workspace: string; readonly left: Left },
): readonly NamedFile[] {
  const bound = bind(path, workspace, left);
  return bound === undefined ? [] : [create(NamedFileSchema, { name, ...bound })];
}

/** What is too much to be told one by one is one line, and must not change either. */
function listed(files: readonly NamedFile[]): readonly NamedFile[] {
  const rest = files.slice(MOST_LISTED);
  if (rest.length === 0) return files;
  const facts = rest.map(({ name, sha256, facts: own }) => [name, sha256, own]);
  const more = create(NamedFileSchema, {
    name: `${rest.length} more`,
    facts: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
    notBound: 'too many files are named',
  });
  return [...files.slice(0, MOST_LISTED), more];
}

function unlooked(count: number): NamedFile {
  const name = `${count} more words`;
  return create(NamedFileSchema, { name, notBound: 'too many words to look each of them up' });
}
