import { create, createFileRegistry, setExtension } from '@bufbuild/protobuf';
import {
  FileDescriptorSetSchema,
  type MethodOptions,
  MethodOptionsSchema,
  file_google_protobuf_descriptor,
} from '@bufbuild/protobuf/wkt';
import { OpenTo, Permission, file_palyra_v1_access, open_to, requires } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { checkPermissions, everyService } from './check-permissions.ts';

describe('checkPermissions', () => {
  it('finds every service of the protocol, and nothing to complain about', () => {
    expect(everyService().map(({ name }) => name)).toContain('PairingService');
    expect(everyService().length).toBeGreaterThanOrEqual(10);
    expect(checkPermissions()).toEqual([]);
  });

  it('refuses a call that says nothing', () => {
    expect(complaints(create(MethodOptionsSchema))).toEqual([
      'Odd.Try must say either what it `requires` or whom it is `open_to`',
    ]);
  });

  it('refuses a call that says both', () => {
    const options = create(MethodOptionsSchema);
    setExtension(options, requires, Permission.SESSIONS_USE);
    setExtension(options, open_to, OpenTo.CALLERS);
    expect(complaints(options)).toHaveLength(1);
  });

  it('refuses another call that is open to strangers', () => {
    const options = create(MethodOptionsSchema);
    setExtension(options, open_to, OpenTo.STRANGERS);
    expect(complaints(options)).toEqual(['Odd.Try is open to strangers, who may only pair']);
  });

  it.each([Permission.UNSPECIFIED])('refuses permission %j, which nobody has', (permission) => {
    const options = create(MethodOptionsSchema);
    setExtension(options, requires, permission);
    expect(complaints(options)).toEqual(['Odd.Try requires no known permission']);
  });
});

/** A protocol with one call, as a careless change could add it. */
function complaints(options: MethodOptions): string[] {
  const file = {
    name: 'odd.proto',
    package: 'odd',
    syntax: 'proto3',
    dependency: [file_palyra_v1_access.proto.name],
    messageType: [{ name: 'Nothing' }],
    service: [
      {
        name: 'Odd',
        method: [{ name: 'Try', inputType: '.odd.Nothing', outputType: '.odd.Nothing', options }],
      },
    ],
  };
  const files = [file_google_protobuf_descriptor.proto, file_palyra_v1_access.proto, file];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
  const service = registry.getService('odd.Odd');
  if (service === undefined) throw new TypeError('the odd service is missing');
  return checkPermissions([service]).map(({ says }) => says);
}
