import { win32 } from 'node:path';
import { canonicalBytes, sha256Hex } from '@palyra/kernel';
import type { SandboxRequest } from '../model.ts';
import { filterEnvironment } from '../tier-b-process/environment.ts';
import { commandLine } from './command-line.ts';
import { type JobLimits, jobLimits } from './limits.ts';

export interface WindowsSurroundings {
  /** The full path of the program. */
  readonly program: string;
  readonly workspace: string;
  /** Where the system is, which most programs ask for. */
  readonly systemRoot: string;
}

/** A job object and the one process that is started in it, as data. */
export interface WindowsPlan {
  readonly job: {
    readonly limits: JobLimits;
    readonly uiRestrictions: number;
  };
  readonly process: {
    /** Given apart from the line, so that nothing is searched for. */
    readonly applicationName: string;
    readonly commandLine: string;
    readonly currentDirectory: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly creationFlags: number;
  };
  /** Variables that were asked for and are not given. */
  readonly dropped: readonly string[];
}

/** No desktop, clipboard, exit of the session, display settings or handles of others. */
export const UI_RESTRICTIONS = {
  JOB_OBJECT_UILIMIT_HANDLES: 0x01,
  JOB_OBJECT_UILIMIT_READCLIPBOARD: 0x02,
  JOB_OBJECT_UILIMIT_WRITECLIPBOARD: 0x04,
  JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS: 0x08,
  JOB_OBJECT_UILIMIT_DISPLAYSETTINGS: 0x10,
  JOB_OBJECT_UILIMIT_GLOBALATOMS: 0x20,
  JOB_OBJECT_UILIMIT_DESKTOP: 0x40,
  JOB_OBJECT_UILIMIT_EXITWINDOWS: 0x80,
} as const;

/** Suspended until it is in its job: not one instruction runs outside. */
export const CREATION_FLAGS = {
  CREATE_SUSPENDED: 0x0000_0004,
  CREATE_UNICODE_ENVIRONMENT: 0x0000_0400,
  CREATE_NO_WINDOW: 0x0800_0000,
  EXTENDED_STARTUPINFO_PRESENT: 0x0008_0000,
} as const;

/** Contract: pure; throws INVALID_INPUT. */
export function plan(request: SandboxRequest, surroundings: WindowsSurroundings): WindowsPlan {
  const { program, workspace, systemRoot } = surroundings;
  const { passed, dropped } = filterEnvironment(request.environment, []);
  return {
    job: { limits: jobLimits(request.limits), uiRestrictions: allOf(UI_RESTRICTIONS) },
    process: {
      applicationName: program,
      commandLine: commandLine(program, request.arguments),
      currentDirectory: win32.join(workspace, request.directory),
      environment: {
        ...passed,
        HOME: win32.join(workspace, request.directory),
        PATH: `${systemRoot}\\System32`,
        SystemRoot: systemRoot,
        TMPDIR: win32.join(workspace, request.directory),
      },
      creationFlags: allOf(CREATION_FLAGS),
    },
    dropped,
  };
}

/** SHA-256, in hex: two plans with one hash are one plan. */
export function planHash({ job, process, dropped }: WindowsPlan): string {
  const parts = {
    job: { limits: { ...job.limits }, uiRestrictions: job.uiRestrictions },
    process: { ...process, environment: { ...process.environment } },
    dropped: [...dropped],
  };
  return sha256Hex(canonicalBytes(parts));
}

function allOf(flags: Readonly<Record<string, number>>): number {
  return Object.values(flags).reduce((all, flag) => all | flag, 0);
}
