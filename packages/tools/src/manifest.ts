import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type JsonObject, canonicalBytes, isJsonObject, sha256Hex } from '@palyra/kernel';
import { type CallFacts, CallFactsSchema, type Capability, type Risk } from '@palyra/protocol';
import * as z from 'zod';
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
   * Contract: never throws, whatever JSON it is given; the same arguments always mean the same, and
   * the canonical ones mean themselves.
   */
  understand(args: JsonObject): Understood;
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

export interface NotUnderstood {
  readonly kind: 'not-understood';
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
  /** Strict, every text and list in it bounded, every optional argument with a default. */
  schema(): z.ZodType<Args>;
  /** Arguments that are each fine can mean nothing together; that reason goes on from "the call". */
  meaning(args: Args): Reading<Meaning>;
}

export function declareTool<Args extends JsonObject>(declaration: Declaration<Args>): Manifest {
  const { name, description, capabilities, risk, effects } = declaration;
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
    understand(args) {
      const parsed = schema().safeParse(args, { reportInput: true });
      if (!parsed.success) return notUnderstood(parsed.error);
      return withFacts(parsed.data, declaration.meaning(parsed.data));
    },
  };
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
