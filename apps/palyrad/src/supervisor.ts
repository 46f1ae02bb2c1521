import { type Log, redact } from '@palyra/kernel';

/** The service manager, when it started us and wants to hear how we are. */
export interface Supervisor {
  /** Contract: never rejects. A manager that cannot be told must not keep the daemon from working. */
  tell(state: 'READY=1' | 'STOPPING=1'): Promise<void>;
}

export interface SupervisorParts {
  /** `NOTIFY_SOCKET`; absent when nobody wants to hear. */
  readonly socket: string | undefined;
  readonly log: Log;
  /** Node cannot send datagrams to a unix socket, so systemd's own program does. */
  readonly program?: string;
}

const PROGRAM = '/usr/bin/systemd-notify';
const TIMEOUT_MS = 5_000;

export function createSupervisor({ socket, log, program = PROGRAM }: SupervisorParts): Supervisor {
  if (socket === undefined || socket === '') return { tell: () => Promise.resolve() };
  // The child gets nothing of our environment but the address.
  const options = { env: { NOTIFY_SOCKET: socket }, timeout: TIMEOUT_MS };
  return {
    async tell(state) {
      // Loaded here, because most starts have nobody to tell and a start is measured. Not by
      // `import()`: of that, in a program that starts from its record, Node warns amid the log.
      const { execFile } = process.getBuiltinModule('node:child_process');
      await new Promise<void>((resolve) => {
        execFile(program, [state], options, (failure) => {
          if (failure !== null) {
            log.warn('the service manager could not be told', { state, error: redact(failure) });
          }
          resolve();
        });
      });
    },
  };
}
