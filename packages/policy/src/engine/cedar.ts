import type * as cedarWasm from '@cedar-policy/cedar-wasm/nodejs';
import { PalyraError } from '@palyra/kernel';

export type Cedar = typeof cedarWasm;

/** Stated, not asked for, so that a status can name the engine without loading it. */
export const ENGINE_VERSION = 'cedar 4.13.0';

/**
 * Loads the engine, once in a thread; it takes megabytes and blocks for tens of milliseconds.
 * Contract: rejects when it is not the version that decisions are recorded with: another one may
 * understand the same rules differently.
 */
export async function loadCedar(): Promise<Cedar> {
  const cedar = await import('@cedar-policy/cedar-wasm/nodejs');
  const version = `cedar ${cedar.getCedarVersion()}`;
  if (version === ENGINE_VERSION) return cedar;
  throw new PalyraError('UNEXPECTED', `the engine is ${version} instead of ${ENGINE_VERSION}`);
}
