import type * as parts from '../second.ts';
import { afterFrame } from './after-frame.ts';
import { unreachable } from './unreachable.ts';

type Second = typeof parts;

const kept: { second?: Promise<Second> } = {};
const drawn = Promise.withResolvers<void>();

/** For what is on the first frame, once it is on the page. */
export async function beginSecond(): Promise<void> {
  await afterFrame();
  drawn.resolve();
}

/** What comes after the first frame. Contract: not before somebody has begun with it. */
export function second(): Promise<Second> {
  kept.second ??= load();
  return kept.second;
}

async function load(): Promise<Second> {
  await drawn.promise;
  try {
    return await import('../second.ts');
  } catch (reason) {
    delete kept.second;
    throw unreachable(reason);
  }
}

/** The gateway, for what stands on the first frame; everything else imports it. */
export async function gatewayLater(): Promise<Second['gateway']> {
  return (await second()).gateway;
}
