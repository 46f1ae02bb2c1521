import { describe, expect, it } from 'vitest';
import { helpFor } from '../../apps/palyra-cli/src/help.ts';
import { smallRepository } from '../guards/small-repository.fixture.ts';
import { treeFrom } from '../tree.ts';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { table } from './generator.ts';
import { withLayersPicture } from './layers-picture.ts';
import { permissionsPage } from './permissions-page.ts';
import { requirementsPage } from './requirements-page.ts';

describe('table', () => {
  it('keeps a bar and a line break inside their cell', () => {
    expect(table(['a'], [['x | y\n  z']])).toBe('| a |\n| --- |\n| x \\| y z |');
  });
});

describe('commandsPage', () => {
  it('has a section for a command with its usage, options and examples', () => {
    expect(commandsPage()).toContain('## palyra journal tail\n\nThe newest entries.\n');
    expect(commandsPage()).toContain('- `-n, --last <count>`: so many entries (20)\n');
    expect(commandsPage()).toContain('palyra journal tail -f   # watch it grow');
  });

  it('tells every field of the JSON form', () => {
    for (const field of Object.keys(helpFor([]) ?? {})) {
      expect(commandsPage()).toContain(`| \`${field}\` |`);
    }
  });
});

describe('errorsPage', () => {
  it('has a row for an error with its way out', () => {
    expect(errorsPage()).toMatch(/\| `POLICY_DENIED` \| `permission_denied` \| .+ \| .+ \|/);
  });
});

describe('permissionsPage', () => {
  it('has a row for each permission with the roles that have it', () => {
    expect(permissionsPage()).toContain('| `tokens.manage` |  | yes | yes |  |');
  });

  it('has a row for each call with what it needs', () => {
    expect(permissionsPage()).toContain('| RunService.StartRun | `sessions.use` |');
    expect(permissionsPage()).toContain('| PairingService.BeginPairing | nothing |');
  });
});

describe('requirementsPage', () => {
  it('groups promises by area and links the tests', () => {
    const page = requirementsPage(
      { 'journal:durable': { says: 'nothing is lost', threat: 'a crash', on: ['linux'] } },
      [{ id: 'journal:durable', path: 'tests/e2e/crash.test.ts' }],
    );
    expect(page).toContain('## journal');
    expect(page).toContain(
      '| `journal:durable` | nothing is lost (linux) | a crash | [tests/e2e/crash.test.ts](../../tests/e2e/crash.test.ts) |',
    );
  });
});

describe('withLayersPicture', () => {
  const start = '<!-- layers: made from layers.json by `npm run generate` -->';

  it('replaces what stands between the marks and nothing else', () => {
    const page = `before\n${start}\nold\n<!-- /layers -->\nafter\n`;
    const made = withLayersPicture(treeFrom(smallRepository({ 'ARCHITECTURE.md': page })));
    expect(made).toMatch(/^before\n/);
    expect(made).toContain('box      b\n         journal policy\n         imports: kernel\n');
    expect(made).not.toContain('old');
    expect(made).toMatch(/\nafter\n$/);
  });

  it('refuses a page without the marks', () => {
    const tree = treeFrom(smallRepository({ 'ARCHITECTURE.md': 'no marks' }));
    expect(() => withLayersPicture(tree)).toThrow('has no place for the layers');
  });
});
