import {
  type Profiles,
  type Sections,
  renderConfigReference,
  renderProfilesTable,
} from '@palyra/config';
import { generatedFrom } from './generator.ts';

export function configPage(sections: Sections, profiles: Profiles): string {
  return `# Configuration

${generatedFrom('the sections that each package declares')}

Every key of \`palyra.toml\`, with its default and the variable that sets it for one start.
\`palyra config explain KEY\` tells which layer a value comes from.

## Profiles

${renderProfilesTable(profiles).trimEnd()}

${renderConfigReference(sections).trimEnd()}
`;
}
