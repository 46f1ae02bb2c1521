import { artifactRead } from './artifact-read/manifest.ts';
import { browserClick } from './browser-click/manifest.ts';
import { browserOpen } from './browser-open/manifest.ts';
import { browserRead } from './browser-read/manifest.ts';
import { browserScreenshot } from './browser-screenshot/manifest.ts';
import { browserType } from './browser-type/manifest.ts';
import { fsList } from './fs-list/manifest.ts';
import { fsPatch } from './fs-patch/manifest.ts';
import { fsRead } from './fs-read/manifest.ts';
import { fsSearch } from './fs-search/manifest.ts';
import { fsWrite } from './fs-write/manifest.ts';
import { httpFetch } from './http-fetch/manifest.ts';
import type { Manifest } from './manifest.ts';
import { memorySave } from './memory-save/manifest.ts';
import { memorySearch } from './memory-search/manifest.ts';
import { processRun } from './process-run/manifest.ts';

/** Every tool that comes with the gateway. A new one is a new folder, and a line here. */
const BUILT_IN: readonly Manifest[] = [
  fsRead,
  fsList,
  fsSearch,
  fsWrite,
  fsPatch,
  artifactRead,
  processRun,
  httpFetch,
  memorySave,
  memorySearch,
  browserOpen,
  browserRead,
  browserClick,
  browserType,
  browserScreenshot,
];

export interface Catalogue {
  /** Contract: exactly this name; `undefined` for a tool that nobody declared. */
  find(name: string): Manifest | undefined;
  names(): readonly string[];
  all(): readonly Manifest[];
}

export function createCatalogue(): Catalogue {
  const byName: ReadonlyMap<string, Manifest> = new Map(
    BUILT_IN.map((manifest) => [manifest.name, manifest]),
  );
  return {
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
    all: () => [...byName.values()],
  };
}
