import { quote } from '@palyra/kernel';
import { type Reading, read, unreadable } from './reading.ts';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export function readMethod(text: string): Reading<Method> {
  // Only ASCII is made large: a dotless `ı` becomes an `I` too.
  const large = /^[a-z]+$/i.test(text) ? text.toUpperCase() : text;
  const method = METHODS.find((each) => each === large);
  if (method !== undefined) return read(method);
  return unreadable(`is no method: ${quote(text)}`, `one of ${METHODS.join(', ')}`);
}
