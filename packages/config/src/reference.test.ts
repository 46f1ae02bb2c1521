import { describe, expect, it } from 'vitest';
import { PROFILES, deploymentSection, renderProfilesTable } from './profiles.ts';
import { renderConfigReference, renderJsonSchema } from './reference.ts';
import { SAMPLE_PROFILES, SECTIONS } from './sample.fixture.ts';

describe('the reference', () => {
  it('has a line for every key', () => {
    const { journal, transport } = SECTIONS;
    const lines = renderConfigReference({ journal, transport }).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      '## [journal]',
      '',
      '| Key | Takes | Default | Meaning | Variable |',
      '| --- | --- | --- | --- | --- |',
      '| `journal.segment_bytes` | a whole number from 4096 to 1000000 | `65536` | size of a segment; a workspace may lower it | `PALYRA_JOURNAL_SEGMENT_BYTES` |',
      '| `journal.keep_days` | a whole number from 1 to 3650 | `30` | how long entries are kept | `PALYRA_JOURNAL_KEEP_DAYS` |',
      '',
    ]);
    expect(lines).toContain(
      '| `transport.password` | text of 8 to 100 characters | not set | what callers say; never shown | `PALYRA_TRANSPORT_PASSWORD` |',
    );
  });

  it('has a schema that knows every key and takes no other', () => {
    const schema: unknown = JSON.parse(renderJsonSchema(SECTIONS));
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'palyra.toml',
      additionalProperties: false,
      properties: {
        deployment: {
          properties: { profile: { default: 'local', enum: expect.arrayContaining(['local']) } },
        },
        journal: {
          additionalProperties: false,
          properties: {
            segment_bytes: { type: 'integer', minimum: 4096, maximum: 1_000_000, default: 65_536 },
          },
        },
      },
    });
    expect(schema).not.toHaveProperty('required');
    expect(JSON.stringify(schema)).not.toMatch(/"(?:narrows|secret|required)"/);
  });

  it('tells what each profile sets', () => {
    expect(renderProfilesTable(SAMPLE_PROFILES).split('\n')[3]).toBe(
      '| `single-vm` | `remote_vps` | one server that people and devices reach over the network | `journal.keep_days = 90` |',
    );
    expect(renderProfilesTable(PROFILES).split('\n')).toHaveLength(6);
  });
});

describe('the profile', () => {
  it.each([
    ['local', 'local'],
    ['local_desktop', 'local'],
    ['single-vm', 'single-vm'],
    ['remote_vps', 'single-vm'],
    ['worker-enabled', 'worker-enabled'],
  ])('`%s` is known as `%s`', (name, canonical) => {
    expect(deploymentSection.parse({ profile: name })).toEqual({ profile: canonical });
  });

  it('is `local` unless somebody says otherwise', () => {
    expect(deploymentSection.parse({})).toEqual({ profile: 'local' });
  });
});
