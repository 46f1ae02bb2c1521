import { type Log, PalyraError, redact } from '@palyra/kernel';

/** How often what has run out is marked as such. It is refused at once anyhow; this only tidies up. */
const EVERY_MS = 30_000;
/** A start is over by then, and whoever has come meanwhile has been served. */
const SOON_MS = 500;

/**
 * Soon, for what ran out while nobody was there, and then again and again. Contract: never two at once; a turn
 * that fails is logged, and the next one tries again.
 */
export function keepHouse(tidy: () => Promise<void>, log: Log): Disposable {
  let isBusy = false;
  const turn = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await tidy();
    } catch (reason) {
      log.warn('the registry could not be tidied', { error: redact(PalyraError.from(reason)) });
    } finally {
      isBusy = false;
    }
  };
  const first = setTimeout(() => void turn(), SOON_MS).unref();
  const timer = setInterval(() => void turn(), EVERY_MS).unref();
  return {
    [Symbol.dispose]: () => {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}

/**
 * For what is done as soon as somebody needs it, and should not wait for that for ever: files of
 * rules that cannot be taken are told of even when nobody asks anything.
 */
export function doSoon(work: () => Promise<void>, log: Log): Disposable {
  const turn = async () => {
    try {
      await work();
    } catch (reason) {
      log.error('the rules could not be read', { error: redact(PalyraError.from(reason)) });
    }
  };
  const timer = setTimeout(() => void turn(), SOON_MS).unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
