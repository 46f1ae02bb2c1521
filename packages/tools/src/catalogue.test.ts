import { isJsonObject } from '@palyra/kernel';
import { Capability, Risk } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from './catalogue.ts';

const catalogue = createCatalogue();
const { BROWSER, FILESYSTEM_READ, FILESYSTEM_WRITE, MEMORY, NETWORK, PROCESS_EXEC } = Capability;

describe('the catalogue', () => {
  it.each([
    ['fs.read', Risk.LOW, [FILESYSTEM_READ]],
    ['fs.list', Risk.LOW, [FILESYSTEM_READ]],
    ['fs.search', Risk.LOW, [FILESYSTEM_READ]],
    ['fs.write', Risk.MEDIUM, [FILESYSTEM_WRITE]],
    ['fs.patch', Risk.MEDIUM, [FILESYSTEM_READ, FILESYSTEM_WRITE]],
    ['artifact.read', Risk.LOW, []],
    ['process.run', Risk.HIGH, [PROCESS_EXEC, FILESYSTEM_READ, FILESYSTEM_WRITE]],
    ['http.fetch', Risk.MEDIUM, [NETWORK]],
    ['memory.save', Risk.MEDIUM, [MEMORY]],
    ['memory.search', Risk.LOW, [MEMORY]],
    ['browser.open', Risk.MEDIUM, [BROWSER, NETWORK]],
    ['browser.read', Risk.LOW, [BROWSER]],
    ['browser.click', Risk.HIGH, [BROWSER, NETWORK]],
    ['browser.type', Risk.HIGH, [BROWSER, NETWORK]],
    ['browser.screenshot', Risk.LOW, [BROWSER]],
  ])('knows what %s can do', (name, risk, capabilities) => {
    expect(catalogue.find(name)).toMatchObject({ name, risk, capabilities, source: 'built-in' });
  });

  it('lists each tool once, with a description of one line', () => {
    expect(catalogue.names()).toHaveLength(15);
    expect(new Set(catalogue.names()).size).toBe(15);
    expect(catalogue.all().map(({ name }) => name)).toEqual(catalogue.names());
    for (const { description } of catalogue.all()) expect(description).toMatch(/^[a-z].{5,100}$/);
  });

  it.each([
    'fs.Read',
    'fs.read ',
    'fs.read.',
    'fs．read',
    'fs.re\u0430d',
    '__proto__',
    'constructor',
    '',
  ])('does not know %j', (name) => {
    expect(catalogue.find(name)).toBeUndefined();
  });

  it.each(catalogue.all())('describes the arguments of $name to a model', (manifest) => {
    const schema = manifest.argumentsSchema();
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const properties = schema['properties'];
    expect(isJsonObject(properties)).toBe(true);
    for (const property of Object.values(properties ?? {})) {
      expect(property).toHaveProperty('description');
    }
    expect(unbounded(schema)).toEqual([]);
  });
});

/** Texts without a longest, lists without a most: somebody would fill them. */
it('a command is not said to be kept from hosts where nothing keeps it', () => {
  const schema = JSON.stringify(createCatalogue().find('process.run')?.argumentsSchema());
  expect(schema).toContain('in tier B nothing keeps it from others');
});

function unbounded(schema: unknown): unknown[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => unbounded(each));
  if (!isJsonObject(schema)) return [];
  const inside = Object.values(schema).flatMap((each) => unbounded(each));
  const isBounded =
    (schema['type'] !== 'string' || 'maxLength' in schema || 'enum' in schema) &&
    (schema['type'] !== 'array' || 'maxItems' in schema) &&
    (schema['type'] !== 'integer' || 'maximum' in schema);
  return isBounded ? inside : [schema, ...inside];
}
