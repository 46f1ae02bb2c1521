import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { PERMISSIONS } from '@palyra/kernel';
import * as protocol from '@palyra/protocol';
import type { Finding } from '../tree.ts';

const { OpenTo, open_to: openTo, requires } = protocol;

/** The only two calls that anybody may make: how a new device becomes known. */
export const FOR_STRANGERS: readonly string[] = [
  'palyra.v1.PairingService.BeginPairing',
  'palyra.v1.PairingService.FinishPairing',
];

/** Every service of the protocol, without anybody having to list them. */
export function everyService(): readonly DescService[] {
  return Object.values<unknown>(protocol).filter(isService);
}

/** Every call says who may make it, and no call but the pairing of a device is open to strangers. */
export function checkPermissions(
  services: readonly DescService[] = everyService(),
): readonly Finding[] {
  return services.flatMap((service) =>
    service.methods.flatMap((method) =>
      complaintsAbout(method).map((says) => ({
        path: `packages/protocol/proto/${service.file.name}.proto`,
        says: `${service.name}.${method.name} ${says}`,
      })),
    ),
  );
}

function complaintsAbout(method: DescMethod): string[] {
  const needs = hasOption(method, requires);
  const opens = hasOption(method, openTo);
  if (needs === opens) return ['must say either what it `requires` or whom it is `open_to`'];
  if (needs) {
    return PERMISSIONS.has(getOption(method, requires)) ? [] : ['requires no known permission'];
  }
  return isRightlyOpen(method) ? [] : ['is open to strangers, who may only pair'];
}

function isRightlyOpen(method: DescMethod): boolean {
  const whom = getOption(method, openTo);
  if (whom === OpenTo.CALLERS) return true;
  const name = `${method.parent.typeName}.${method.name}`;
  return whom === OpenTo.STRANGERS && FOR_STRANGERS.includes(name);
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
}
