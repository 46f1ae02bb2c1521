import { getOption, hasOption } from '@bufbuild/protobuf';
import { PERMISSIONS, permissionWord } from '@palyra/kernel';
import { OpenTo, Role, open_to as openTo, requires } from '@palyra/protocol';
import { everyService } from '../guards/check-permissions.ts';
import { generatedFrom, table } from './generator.ts';

const ROLES = [
  ['operator', Role.OPERATOR],
  ['admin', Role.ADMIN],
  ['owner', Role.OWNER],
] as const;

export function permissionsPage(): string {
  const permissions = [...PERMISSIONS].map(([permission, { from, forPeopleOnly }]) => [
    `\`${permissionWord(permission)}\``,
    ...ROLES.map(([, role]) => (role >= from ? 'yes' : '')),
    forPeopleOnly ? '' : 'yes',
  ]);
  return `# Permissions

${generatedFrom('packages/kernel/src/permissions.ts and packages/protocol/proto')}

What each role may do in the workspace. The last column says whether an API token can be given the
permission; the others are for people only, whoever mints the token.

${table(['permission', ...ROLES.map(([word]) => word), 'token'], permissions)}

## What each call needs

A call that needs no permission is open to whoever has proven who they are; only the two calls by
which a new device pairs are open to strangers.

${table(['call', 'needs'], calls())}
`;
}

function calls(): string[][] {
  return everyService()
    .flatMap(({ name, methods }) => methods.map((method) => ({ name, method })))
    .map(({ name, method }) => {
      if (hasOption(method, requires)) {
        return [`${name}.${method.name}`, `\`${permissionWord(getOption(method, requires))}\``];
      }
      const isForStrangers = getOption(method, openTo) === OpenTo.STRANGERS;
      return [`${name}.${method.name}`, isForStrangers ? 'nothing' : 'a known caller'];
    })
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en'));
}
