import { renderJsonSchema } from '@palyra/config';
import { renderExitCodes } from '../../apps/palyra-cli/src/exit-codes.ts';
import { PROFILES } from '../../apps/palyrad/src/profiles.ts';
import { SECTIONS } from '../../apps/palyrad/src/sections.ts';
import { REQUIREMENTS } from '../../tests/requirements.ts';
import { PROGRAMS, metafilesOf } from '../bundle.ts';
import { citationsIn } from '../guards/check-requirements.ts';
import { treeAt } from '../tree.ts';
import { bundleContents } from './bundle-contents.ts';
import { commandsPage } from './commands-page.ts';
import { configPage } from './config-page.ts';
import { errorsPage } from './errors-page.ts';
import { type Generator, page } from './generator.ts';
import { PICTURE_PAGE, withLayersPicture } from './layers-picture.ts';
import { permissionsPage } from './permissions-page.ts';
import { policyFiles } from './policy-files.ts';
import { protocolCode } from './protocol-code.ts';
import { requirementsPage } from './requirements-page.ts';
import { toolsPage } from './tools-page.ts';

/** Everything that is generated. A new page is a new line here. */
export const GENERATORS: readonly Generator[] = [
  protocolCode,
  policyFiles,
  page('docs/reference/errors.md', errorsPage),
  page('docs/reference/commands.md', commandsPage),
  page('docs/reference/exit-codes.md', renderExitCodes),
  page('docs/reference/permissions.md', permissionsPage),
  page('docs/reference/tools.md', toolsPage),
  page('docs/reference/config.md', () => configPage(SECTIONS, PROFILES)),
  page('docs/reference/palyra.schema.json', () => renderJsonSchema(SECTIONS)),
  page('docs/reference/requirements.md', (root) =>
    requirementsPage(REQUIREMENTS, citationsIn(treeAt(root))),
  ),
  page(PICTURE_PAGE, (root) => withLayersPicture(treeAt(root))),
  ...PROGRAMS.map((program) =>
    page(`${program.app}/deps.txt`, async (root) =>
      bundleContents(await metafilesOf(program, root), root),
    ),
  ),
];
