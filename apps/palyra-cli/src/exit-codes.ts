import type { ErrorCode } from '@palyra/kernel';

/** How a command can end. A script may rely on these numbers; they never change their meaning. */
export const EXITS = {
  ok: { code: 0, meaning: 'it worked' },
  failure: { code: 1, meaning: 'it failed; the message says why' },
  usage: { code: 2, meaning: 'the command line is wrong; nothing was done' },
  denied: { code: 3, meaning: 'the run ended, and at least one of its tool calls was refused' },
  unreachable: { code: 4, meaning: 'no gateway answers' },
  notFound: {
    code: 5,
    meaning:
      'there is no such run, session, entry, key, device, passkey, token, member, approval or grant',
  },
  config: { code: 6, meaning: 'the configuration is invalid or unsafe' },
  journalBroken: { code: 7, meaning: 'the journal or an export of it fails verification' },
  busy: { code: 8, meaning: 'somebody else holds it now; the same command may work later' },
  interrupted: {
    code: 9,
    meaning: 'the run was interrupted; `palyra runs resume` takes it up again',
  },
  notAllowed: {
    code: 10,
    meaning: 'the gateway does not know this device, or its user may not do this',
  },
  widened: { code: 11, meaning: 'the rules would allow more than before' },
  wrongRuntime: { code: 78, meaning: 'it was started with a Node that it is not made for' },
  cancelled: {
    code: 130,
    meaning: 'a run or a pairing was cancelled, with Ctrl-C or by somebody else',
  },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type Exit = keyof typeof EXITS;

/** The code of a command that we ran for somebody, which means what that command says. */
export interface CommandExit {
  readonly command: number;
}

export function codeOf(exit: Exit | CommandExit): number {
  return typeof exit === 'string' ? EXITS[exit].code : exit.command;
}

/** Which end each fault of the catalogue leads to; the compiler asks for new ones. */
const EXIT_OF_ERROR: Readonly<Record<ErrorCode, Exit>> = {
  UNEXPECTED: 'failure',
  INVALID_INPUT: 'usage',
  NOT_FOUND: 'notFound',
  NOT_BUILT: 'failure',
  CANCELLED: 'cancelled',
  OVERLOADED: 'busy',
  SHUTTING_DOWN: 'busy',
  WRONG_RUNTIME: 'wrongRuntime',
  DAEMON_UNREACHABLE: 'unreachable',
  DAEMON_RUNNING: 'busy',
  CONFIG_INVALID: 'config',
  CONFIG_UNKNOWN_KEY: 'config',
  CONFIG_CONTRADICTION: 'config',
  CONFIG_WIDENED: 'config',
  HOME_UNSAFE: 'config',
  JOURNAL_UNWRITABLE: 'failure',
  JOURNAL_CORRUPT: 'journalBroken',
  JOURNAL_LOCKED: 'busy',
  JOURNAL_TOO_NEW: 'failure',
  JOURNAL_KEY_UNUSABLE: 'failure',
  EXPORT_MALFORMED: 'journalBroken',
  SESSION_BUSY: 'busy',
  SESSION_ARCHIVED: 'failure',
  RUN_NOT_ACTIVE: 'failure',
  RUN_NOT_RESUMABLE: 'failure',
  RUN_LIMIT_REACHED: 'failure',
  MODEL_FAILED: 'failure',
  SCRIPT_INVALID: 'config',
  TOOL_ARGUMENTS_INVALID: 'failure',
  POLICY_DENIED: 'denied',
  POLICY_INVALID: 'config',
  POLICY_WIDENED: 'widened',
  APPROVAL_UNAVAILABLE: 'denied',
  APPROVAL_CLOSED: 'failure',
  APPROVAL_OUTDATED: 'denied',
  SANDBOX_UNAVAILABLE: 'failure',
  CONFLICT: 'busy',
  UNAUTHENTICATED: 'notAllowed',
  PERMISSION_DENIED: 'notAllowed',
  RATE_LIMITED: 'busy',
  PAIRING_REFUSED: 'notAllowed',
  PAIRING_ENDED: 'failure',
  DEVICE_REVOKED: 'notAllowed',
  LAST_OWNER: 'failure',
  NOT_PAIRED: 'notAllowed',
  GATEWAY_UNTRUSTED: 'notAllowed',
  AUTHORITY_UNUSABLE: 'failure',
  ROTATION_ACTIVE: 'busy',
  ORIGIN_REFUSED: 'notAllowed',
  ADDRESS_UNUSABLE: 'failure',
  SANDBOX_DISABLED: 'config',
  SANDBOX_SCOPE_DENIED: 'notAllowed',
  SANDBOX_EGRESS_DENIED: 'denied',
  SANDBOX_QUOTA_EXCEEDED: 'failure',
  SANDBOX_TIMED_OUT: 'failure',
  SANDBOX_SPAWN_FAILED: 'failure',
  SANDBOX_FAILED: 'failure',
  TOOL_FAILED: 'failure',
};

export function exitOfError(code: ErrorCode): Exit {
  return EXIT_OF_ERROR[code];
}

/** The end that a child's exit code stands for; `null` is a child that a signal ended. */
export function exitOfCode(code: number | null): Exit {
  return (
    Object.keys(EXITS)
      .filter(isExit)
      .find((exit) => EXITS[exit].code === code) ?? 'failure'
  );
}

function isExit(name: string): name is Exit {
  return Object.hasOwn(EXITS, name);
}

/** The table for docs/reference/exit-codes.md. */
export function renderExitCodes(): string {
  const rows = Object.values(EXITS).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
  return [
    '# Exit codes of `palyra`',
    '',
    'Every command ends with one of these, so a script can tell what happened without reading text.',
    '',
    '| Code | Meaning |',
    '| ---: | --- |',
    ...rows,
    '',
    '`palyra sandbox run` ends as the command in the sandbox did, like `env` and `timeout`: with its code; 124 when',
    'its time was over; 125 when the sandbox failed or ended it; 126 when it cannot be run; 127 when it is not there;',
    '128 and the number of the signal that ended it.',
    '',
    'A reader that closes the pipe early (`palyra journal tail | head -1`) ends the command quietly with 0.',
    '',
  ].join('\n');
}
