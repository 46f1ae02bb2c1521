/** Where Palyra keeps things. Pure, so that the daemon and every client agree without talking. */
export interface Places {
  readonly configDir: string;
  readonly configFile: string;
  /** The operator's own rules. */
  readonly policiesDir: string;
  readonly stateDir: string;
  readonly keysDir: string;
  readonly storeFile: string;
  readonly lockFile: string;
  readonly archiveDir: string;
  /** Large results, and files as they were before a run changed them. */
  readonly blobsDir: string;
  /** Where sandboxes are made, unless the gateway is root's. */
  readonly sandboxDir: string;
  /** What a program of the same user on the same machine needs to find and trust the gateway. */
  readonly doorDir: string;
  /** What this machine is to each gateway that it is paired with: key, certificate, authorities. */
  readonly gatewaysDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `PALYRA_HOME` moves everything; otherwise the XDG directories, otherwise their defaults.
 * Contract: `undefined` when none of them says where home is. Relative values do not count, as the
 * XDG specification demands: they would move with the working directory.
 */
export function placesFor(environment: Environment): Places | undefined {
  const palyraHome = absolute(environment['PALYRA_HOME']);
  if (palyraHome !== undefined) return layOut(`${palyraHome}/config`, `${palyraHome}/state`);

  const home = absolute(environment['HOME']);
  const config =
    absolute(environment['XDG_CONFIG_HOME']) ?? (home === undefined ? home : `${home}/.config`);
  const state =
    absolute(environment['XDG_STATE_HOME']) ?? (home === undefined ? home : `${home}/.local/state`);
  if (config === undefined || state === undefined) return undefined;
  return layOut(`${config}/palyra`, `${state}/palyra`);
}

function layOut(configDir: string, stateDir: string): Places {
  return {
    configDir,
    configFile: `${configDir}/palyra.toml`,
    policiesDir: `${configDir}/policies`,
    stateDir,
    keysDir: `${stateDir}/keys`,
    storeFile: `${stateDir}/store/palyra.sqlite`,
    lockFile: `${stateDir}/store/lock.sqlite`,
    archiveDir: `${stateDir}/archive`,
    blobsDir: `${stateDir}/blobs`,
    sandboxDir: `${stateDir}/sandbox`,
    doorDir: `${stateDir}/door`,
    gatewaysDir: `${stateDir}/gateways`,
  };
}

function absolute(path: string | undefined): string | undefined {
  if (path === undefined || !path.startsWith('/')) return undefined;
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
