import * as fc from 'fast-check';
import { isJsonObject, type Json } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { foldName } from '../request/fold-name.ts';
import { hostFacts, hostProblem } from '../request/hosts.ts';
import { httpFacts, httpProblem, spellUrlPath } from '../request/http.ts';
import { pathFacts, pathProblem } from '../request/paths.ts';
import { processFacts, processProblem } from '../request/process.ts';
import { FACTS } from './fact-spellings.ts';
import { knownSchema } from './known-files.ts';

/** Letters that folding, splitting and the URL standard are about come often; all others come too. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...Array.from('/\\.: ~aAéİſßΣ%-_0x1;"\'='),
      'e\u0301',
      '\u200B',
      '\u0301',
      '／',
      '；',
      '¨',
    ),
    fc.constantFrom('.sh', '.exe', 'com', '。', '\u{FE0F}', '\0'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
});

describe('what a fact can be', () => {
  it('is said of every text and number of the schema, and of nothing else', () => {
    expect([...FACTS.keys()].toSorted()).toEqual(leavesOfSchema());
  });

  it('holds whatever paths there are', () => {
    const judged = sound(fc.array(text, { minLength: 1, maxLength: 3 }), (paths) =>
      pathProblem(paths) === undefined ? pathsOf('context.reads', pathFacts(paths)) : [],
    );
    expect(judged).toBeGreaterThan(200);
  });

  it('holds whatever hosts there are', () => {
    const judged = sound(fc.oneof(text, fc.ipV4(), fc.ipV6(), fc.domain()), (name) => {
      const hosts = [{ name, port: 443, range: 'name' }];
      return hostProblem(hosts) === undefined ? pathsOf('context.hosts', hostFacts(hosts)) : [];
    });
    expect(judged).toBeGreaterThan(200);
  });

  it('holds whatever commands there are', () => {
    const command = fc.record({
      executable: text,
      arguments: fc.array(text, { maxLength: 3 }),
      directory: fc.oneof(text, fc.constant('.')),
    });
    const judged = sound(command, (each) =>
      processProblem(each) === undefined ? pathsOf('context.process', processFacts(each)) : [],
    );
    expect(judged).toBeGreaterThan(200);
  });

  it('holds whatever addresses there are', () => {
    const judged = sound(text, (end) => {
      const path = spellUrlPath(end) ?? '';
      const http = { method: 'GET', scheme: 'https', host: 'example.com', port: 443, path };
      if (path !== '') expect([end, httpProblem(http)]).toEqual([end, undefined]);
      return path === '' ? [] : pathsOf('context.http', httpFacts(http));
    });
    expect(judged).toBeGreaterThan(200);
  });

  it('is a name that folds to itself, of each single character', () => {
    const odd: string[] = [];
    for (let point = 0; point <= LAST_LETTER; point += 1) {
      const once = foldName(`a${String.fromCodePoint(point)}b`);
      if (foldName(once) !== once) odd.push(point.toString(16));
    }
    expect(odd).toEqual([]);
  });
});

/** Of the planes that hold letters; what follows them folds to itself or is left out. */
const LAST_LETTER = 0x2fa1f;

type Value = readonly [fact: string, text: string];

/** Whatever a question can say, a rule may say too; tells how many texts were looked at. */
function sound<Facts>(
  facts: fc.Arbitrary<Facts>,
  valuesOf: (facts: Facts) => readonly Value[],
): number {
  let judged = 0;
  fc.assert(
    fc.property(facts, (each) => {
      for (const [fact, value] of valuesOf(each)) {
        const domain = FACTS.get(fact);
        if (domain?.kind !== 'text') continue;
        judged += 1;
        expect([fact, domain.spell(value)]).toEqual([fact, value]);
        for (const pattern of patternsOf(value)) expect(domain.canBeLike(pattern)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
  return judged;
}

/** What it is like: a wildcard at each place of it, before it and after it. */
function patternsOf(value: string): readonly (readonly (string | undefined)[])[] {
  return Array.from({ length: value.length + 1 }, (_, at) => [
    [value.slice(0, at), undefined],
    [undefined, value.slice(at)],
    [value.slice(0, at), undefined, value.slice(at)],
  ]).flat();
}

function pathsOf(name: string, facts: Readonly<Record<string, unknown>>): readonly Value[] {
  return Object.entries(facts).flatMap(([field, value]) =>
    [value]
      .flat()
      .flatMap((each) => (typeof each === 'string' ? [[`${name}.${field}`, each] as const] : [])),
  );
}

/** `context.reads.parts`, as rules read it. */
function leavesOfSchema(): readonly string[] {
  const space = knownSchema()[''];
  const types: Readonly<Record<string, Json>> = JSON.parse(JSON.stringify(space?.commonTypes));
  const entities: Readonly<Record<string, Json>> = JSON.parse(JSON.stringify(space?.entityTypes));
  const leaves = ['Act', 'Ask'].flatMap((type) => leavesIn(types[type], 'context', types));
  const own = Object.entries(entities).flatMap(([type, entity]) =>
    leavesIn(
      isJsonObject(entity) ? entity['shape'] : undefined,
      PRINCIPALS.includes(type) ? 'principal' : 'resource',
      types,
    ),
  );
  return [...new Set([...leaves, ...own])].toSorted();
}

const PRINCIPALS = ['User', 'Token', 'Device', 'Agent', 'Worker'];

function leavesIn(
  type: Json | undefined,
  path: string,
  types: Readonly<Record<string, Json>>,
): readonly string[] {
  if (!isJsonObject(type)) return [];
  const { attributes, element, name } = type;
  if (type['type'] === 'String' || type['type'] === 'Long') return [path];
  if (element !== undefined) return leavesIn(element, path, types);
  if (isJsonObject(attributes)) {
    return Object.entries(attributes).flatMap(([field, inner]) =>
      leavesIn(inner, `${path}.${field}`, types),
    );
  }
  if (name === 'String' || name === 'Long') return [path];
  const known = typeof name === 'string' ? name : type['type'];
  return typeof known === 'string' ? leavesIn(types[known], path, types) : [];
}
