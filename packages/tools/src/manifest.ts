import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type JsonObject, canonicalBytes, isJsonObject, quote, sha256Hex } from '@palyra/kernel';
import { type CallFacts, CallFactsSchema, type Capability, type Risk } from '@palyra/protocol';
import * as z from 'zod';
import { fromWorkspace, readPath } from './canonical/path.ts';
import type { Reading } from './canonical/reading.ts';
import { notUnderstood } from './not-understood.ts';

/** What a tool declares about itself. */
export interface Manifest {
  readonly name: string;
  /** One line, for models and people. */
  readonly description: string;
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
  readonly effects: Effects;
  readonly source: 'built-in';
  /** JSON Schema of what `understand` takes, for models. */
  argumentsSchema(): JsonObject;
  /**
   * Contract: never throws, whatever JSON it is given; the same arguments always mean the same in the
   * same workspace, and the canonical ones mean themselves.
   */
  understand(args: JsonObject, workspace: string): Understood;
}

/** What a call leaves behind: nothing, what its facts say is written, or whatever it likes. */
export type Effects = 'reads' | 'changes' | 'unknown';

export type Understood =
  | {
      readonly kind: 'understood';
      /** In one spelling, defaults included: these are judged, shown, approved and executed. */
      readonly arguments: JsonObject;
      readonly facts: CallFacts;
    }
  | NotUnderstood;

/** `outside`: the tool could only refuse it, so nobody needs to decide about it. */
export interface NotUnderstood {
  readonly kind: 'not-understood' | 'outside';
  readonly reason: string;
  readonly help: string;
}

/** What the canonical arguments mean. Which bytes they are, and how many, is not for a tool to say. */
export type Meaning = Omit<
  MessageInitShape<typeof CallFactsSchema>,
  'argumentBytes' | 'argumentsSha256' | '$typeName'
>;

export interface Declaration<Args extends JsonObject> {
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
  readonly effects: Effects;
  /** The argument that names a place in the workspace, of a tool that works nowhere else. */
  readonly placedBy?: 'path' | 'cwd';
  /** Writes what else names a place in the workspace in its one spelling. */
  readonly spell?: (args: JsonObject, workspace: string) => JsonObject;
  /** Strict, every text and list in it bounded, every optional argument with a default. */
  schema(): z.ZodType<Args>;
  /** Arguments that are each fine can mean nothing together; that reason goes on from "the call". */
  meaning(args: Args): Reading<Meaning>;
}

export function declareTool<Args extends JsonObject>(declaration: Declaration<Args>): Manifest {
  const { name, description, capabilities, risk, effects, placedBy, spell } = declaration;
  // Made at the first call: a daemon that starts should not wait for tools that nobody uses.
  let made: z.ZodType<Args> | undefined;
  const schema = () => (made ??= declaration.schema());
  return {
    name,
    description,
    capabilities,
    risk,
    effects,
    source: 'built-in',
    argumentsSchema: () => jsonSchemaOf(schema()),
    understand(args, workspace) {
      const placed = placedBy === undefined ? args : placedIn(workspace, args, placedBy);
      const spelled = spell?.(placed, workspace) ?? placed;
      const parsed = schema().safeParse(spelled, { reportInput: true });
      if (!parsed.success) return notUnderstood(parsed.error);
      const place = placedBy === undefined ? undefined : parsed.data[placedBy];
      if (typeof place === 'string' && place.startsWith('/')) return outside(place);
      return withFacts(parsed.data, declaration.meaning(parsed.data));
    },
  };
}

/** One place has one spelling, so that rules and grants need to know no other. */
function placedIn(workspace: string, args: JsonObject, name: string): JsonObject {
  const written = args[name];
  const path = typeof written === 'string' ? readPath(written) : undefined;
  if (path?.kind !== 'read') return args;
  return { ...args, [name]: fromWorkspace(path.value, workspace) };
}

function outside(place: string): NotUnderstood {
  const help =
    'name a place in the workspace, written from there; a run in another folder is started with `--workspace`';
  return { kind: 'outside', reason: `${quote(place)} lies outside the workspace`, help };
}

function withFacts(args: JsonObject, meaning: Reading<Meaning>): Understood {
  if (meaning.kind === 'unreadable') {
    return { kind: 'not-understood', reason: `the call ${meaning.reason}`, help: meaning.help };
  }
  const bytes = canonicalBytes(args);
  const facts = create(CallFactsSchema, {
    ...meaning.value,
    argumentBytes: bytes.length,
    argumentsSha256: sha256Hex(bytes),
  });
  return { kind: 'understood', arguments: args, facts };
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  // Through text: what zod gives has methods of its own beside the schema.
  const plain: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })));
  if (!isJsonObject(plain)) throw new TypeError('a schema of arguments is an object');
  return plain;
}
