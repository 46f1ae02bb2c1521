import { PalyraError, visibleText } from '@palyra/kernel';

/** A warning costs a feature; a failure keeps Palyra from working as it should. */
export type CheckResult = 'ok' | 'warning' | 'failed';

/** What was seen, and what to do about it. */
export type Outlook =
  | { readonly result: 'ok'; readonly detail: string }
  | { readonly result: 'warning' | 'failed'; readonly detail: string; readonly fix: string };

/** One thing that can be looked at. */
export interface Check {
  /** A few words, stable. */
  readonly check: string;
  /** What is looked at, in one sentence. */
  readonly about: string;
  /** Where something is tried that takes its time. */
  readonly patienceMs?: number;
  /** Contract: changes nothing; what it rejects with is a finding too. */
  look(): Outlook | Promise<Outlook>;
}

export interface Finding {
  readonly check: string;
  readonly about: string;
  readonly result: CheckResult;
  readonly detail: string;
  /** Empty when all is well. */
  readonly fix: string;
}

/** A disk that does not answer must not hang the doctor. */
const PATIENCE_MS = 5_000;

/** Contract: never rejects; findings come in the order of the checks. */
export async function examine(checks: readonly Check[]): Promise<readonly Finding[]> {
  return await Promise.all(checks.map((each) => findingOf(each)));
}

async function findingOf(each: Check): Promise<Finding> {
  const { check, about } = each;
  const outlook = await lookAt(each);
  const fix = 'fix' in outlook ? oneLine(outlook.fix) : '';
  return { check, about, result: outlook.result, detail: oneLine(outlook.detail), fix };
}

async function lookAt(check: Check): Promise<Outlook> {
  const late = Promise.withResolvers<Outlook>();
  const patienceMs = check.patienceMs ?? PATIENCE_MS;
  const timer = setTimeout(() => late.resolve(silent(patienceMs)), patienceMs);
  try {
    return await Promise.race([check.look(), late.promise]);
  } catch (reason) {
    const { message, help } = PalyraError.from(reason);
    return { result: 'failed', detail: message, fix: help };
  } finally {
    clearTimeout(timer);
  }
}

function silent(patienceMs: number): Outlook {
  return {
    result: 'failed',
    detail: `no answer for ${patienceMs / 1000} seconds`,
    fix: 'the disk or the machine is overloaded; look again in a moment',
  };
}

function oneLine(text: string): string {
  return visibleText(text, 'one-line');
}
