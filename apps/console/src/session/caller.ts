import { PalyraError, isJsonObject } from '@palyra/kernel';
import { type GetCallerResponse, Permission, PrincipalKind, Role } from '@palyra/protocol';
import { listOf, textOf } from './told.ts';

/** Whoever is signed in. */
export type Caller = Omit<GetCallerResponse, '$typeName' | '$unknown'>;

/**
 * As the gateway tells it with the session. Read by hand: the page is drawn with it before the
 * protocol's descriptions are loaded.
 */
export async function callerIn(answer: Response): Promise<Caller> {
  const value: unknown = await answer.json();
  if (!isJsonObject(value) || typeof value['principal'] !== 'string') throw unknown();
  const { principal, permissions } = value;
  return {
    principal,
    kind: oneOf(PrincipalKind, value['kind']) ?? PrincipalKind.UNSPECIFIED,
    name: textOf(value['name']),
    role: oneOf(Role, value['role']) ?? Role.UNSPECIFIED,
    permissions: listOf(permissions).flatMap((each) => oneOf(Permission, each) ?? []),
    deviceId: textOf(value['deviceId']),
  };
}

function oneOf<Value extends number>(
  names: Readonly<Record<string, Value>>,
  value: unknown,
): Value | undefined {
  return Object.values(names).find((each) => each === value);
}

function unknown(): PalyraError {
  return new PalyraError(
    'UNEXPECTED',
    'the gateway tells of the session in words unknown to this page',
  );
}
