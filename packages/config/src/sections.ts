import type { Json } from '@palyra/kernel';
import * as z from 'zod';
import { type Narrowing, isNarrowing } from './narrowing.ts';

/** Sections by name, each declared by the package that owns it. */
export type Sections = Readonly<Record<string, z.ZodObject>>;

/** What `loadConfig` gives: names as in the file, values checked, frozen all the way down. */
export type Config<S extends Sections> = {
  readonly [Name in keyof S]: DeepReadonly<z.output<S[Name]>>;
};

/** Every `section.key` there is. */
export type KeyOf<S extends Sections> = {
  [Name in keyof S & string]: `${Name}.${keyof z.output<S[Name]> & string}`;
}[keyof S & string];

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

export interface KeyDeclaration {
  /** `section.key` */
  readonly path: string;
  readonly section: string;
  readonly key: string;
  readonly schema: z.ZodType;
  readonly description: string;
  /** Its value is never shown. From `.meta({ secret: true })`. */
  readonly isSecret: boolean;
  /** A value that is refused is not shown: it may hold a secret. So with `.meta({ secret: 'when-refused' })`. */
  readonly isSecretWhenRefused: boolean;
  /** How a workspace may change it; absent: not at all. From `.meta({ narrows: … })`. */
  readonly narrows?: Narrowing;
  readonly environmentName: string;
}

export type KeyDeclarations = ReadonlyMap<string, KeyDeclaration>;

/**
 * Contract: throws a TypeError for a declaration that could not be explained or enforced. That is
 * a mistake in a section, not in a file, and any start with that section finds it.
 */
export function declareKeys(sections: Sections): KeyDeclarations {
  const keys = new Map<string, KeyDeclaration>();
  const environmentNames = new Set<string>();
  for (const [section, schema] of Object.entries(sections)) {
    checkSection(section, schema);
    const shape: z.core.$ZodShape = schema.shape;
    for (const [key, leaf] of Object.entries(shape)) {
      const declaration = declareKey(section, key, leaf);
      if (environmentNames.has(declaration.environmentName)) {
        throw new TypeError(`two keys share the name ${declaration.environmentName}`);
      }
      environmentNames.add(declaration.environmentName);
      keys.set(declaration.path, declaration);
    }
  }
  return keys;
}

/** The value when no layer sets it; `undefined` for a key that may stay unset. */
export function defaultOf(declaration: KeyDeclaration): unknown {
  return declaration.schema.safeParse(undefined).data;
}

/** What the file says about a key, as JSON Schema; the reference and every message read it. */
export function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/** What a section is about; empty for one that does not say. */
export function describeSection(schema: z.ZodObject): string {
  return metaOf(schema).description ?? '';
}

export function toJson(value: unknown): Json {
  return z.json().parse(value);
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

function checkSection(name: string, schema: z.ZodObject): void {
  if (!NAME.test(name)) throw new TypeError(`section \`${name}\` is not a snake_case name`);
  if (!(schema.def.catchall instanceof z.ZodNever)) {
    throw new TypeError(`section \`${name}\` must be strict`);
  }
  // Keys are checked one by one as the layers are read; a rule over several would never run.
  if ((schema.def.checks?.length ?? 0) > 0) {
    throw new TypeError(
      `section \`${name}\` has a rule over several keys; make it a contradiction`,
    );
  }
}

function declareKey(section: string, key: string, leaf: z.core.$ZodType): KeyDeclaration {
  const path = `${section}.${key}`;
  if (!NAME.test(key)) throw new TypeError(`key \`${path}\` is not a snake_case name`);
  if (!(leaf instanceof z.ZodType)) throw new TypeError(`key \`${path}\` is not a zod type`);
  const { description, secret = false, narrows } = metaOf(leaf);
  if (typeof description !== 'string') throw new TypeError(`key \`${path}\` has no description`);
  if (!leaf.safeParse(undefined).success) throw new TypeError(`key \`${path}\` has no default`);
  if (typeof secret !== 'boolean' && secret !== 'when-refused') {
    throw new TypeError(`\`secret\` of \`${path}\` is neither a boolean nor \`when-refused\``);
  }
  if (narrows !== undefined && !isNarrowing(narrows)) {
    throw new TypeError(`\`narrows\` of \`${path}\` is not a known rule`);
  }
  return {
    path,
    section,
    key,
    schema: leaf,
    description,
    isSecret: secret === true,
    isSecretWhenRefused: secret !== false,
    ...(narrows === undefined ? {} : { narrows }),
    environmentName: `PALYRA_${section}_${key}`.toUpperCase(),
  };
}

/** Looks through wrappers, so that `.meta({ secret: true }).default('')` still counts. */
function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const own = z.globalRegistry.get(schema) ?? {};
  const inner = innerOf(schema);
  return inner === undefined ? own : { ...metaOf(inner), ...own };
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodPipe) return schema.def.in;
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodReadonly
  ) {
    return schema.def.innerType;
  }
  return undefined;
}
