import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, type Places, placesFor } from '@palyra/kernel';
import * as z from 'zod';
import { changeConfig } from './change-config.ts';
import type { ContradictionCheck } from './contradictions.ts';
import type { Edit } from './edit.ts';
import {
  type ConfigRequest,
  type Diagnosis,
  type LoadedConfig,
  diagnoseKey,
  loadConfig,
} from './load-config.ts';
import { ConfigError } from './problem.ts';
import { PROFILES, type Profiles, deploymentSection } from './profiles.ts';

/** Sections that stand for those of other packages. */
export const SECTIONS = {
  deployment: deploymentSection,
  journal: z
    .object({
      segment_bytes: z
        .int()
        .min(4096)
        .max(1_000_000)
        .default(65_536)
        .describe('size of a segment')
        .meta({ narrows: 'lower' }),
      keep_days: z.int().min(1).max(3650).default(30).describe('how long entries are kept'),
    })
    .strict(),
  transport: z
    .object({
      listen: z.string().max(255).default('127.0.0.1').describe('address that is bound'),
      tls: z.boolean().default(false).describe('whether callers must use TLS'),
      password: z
        .string()
        .min(8)
        .max(100)
        .meta({ secret: true })
        .optional()
        .describe('what callers say'),
      peer: z
        .string()
        .max(100)
        .refine((text) => !text.includes('@'), 'has to be a plain URL')
        .meta({ secret: 'when-refused' })
        .default('')
        .describe('whom it talks to'),
      origins: z
        .array(z.string().max(255))
        .max(8)
        .default(['app.example', 'www.example'])
        .describe('who may embed it')
        .meta({ narrows: 'subset' }),
      egress: z
        .enum(['closed', 'listed', 'open'])
        .default('listed')
        .describe('who it may talk to')
        .meta({ narrows: 'earlier' }),
      ratio: z.number().min(0).max(1).default(0.5).describe('share of traces that are kept'),
    })
    .strict(),
} as const;

export const SAMPLE_PROFILES: Profiles = {
  ...PROFILES,
  'single-vm': { ...PROFILES['single-vm'], settings: { 'journal.keep_days': 90 } },
};

/** Stands for what no single key tells. */
const tlsIsOpen: ContradictionCheck<typeof SECTIONS> = ({ transport }) =>
  transport.tls && transport.egress === 'open'
    ? {
        keys: ['transport.egress', 'transport.tls'],
        message: 'TLS leads nowhere in particular',
        help: 'close one of them',
      }
    : undefined;

export interface SampleSources {
  readonly environment?: Environment;
  readonly flags?: Readonly<Record<string, string>>;
  readonly systemFile?: string;
  readonly workspaceFile?: string;
}

/** A home of its own that is gone after the test. */
export class SampleHome implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'palyra config '));
  readonly places: Places = placesOf({ PALYRA_HOME: this.root });

  /** The operator's own file, with the rights that it needs. */
  writeUserFile(text: string | Uint8Array): string {
    mkdirSync(this.places.configDir, { recursive: true, mode: 0o700 });
    return this.write('config/palyra.toml', text);
  }

  write(name: string, text: string | Uint8Array): string {
    const file = join(this.root, name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    return file;
  }

  load(sources: SampleSources = {}): LoadedConfig<typeof SECTIONS> {
    return loadConfig(this.#request(sources));
  }

  diagnose(key: string, sources: SampleSources = {}): Diagnosis {
    return diagnoseKey(this.#request(sources), key);
  }

  change(sources: SampleSources, ...edits: readonly Edit[]): void {
    changeConfig(this.#request(sources), ...edits);
  }

  #request(sources: SampleSources): ConfigRequest<typeof SECTIONS> {
    return {
      sections: SECTIONS,
      profiles: SAMPLE_PROFILES,
      contradictions: [tlsIsOpen],
      sources: {
        places: this.places,
        environment: {},
        flags: {},
        systemFile: join(this.root, 'no-etc/palyra.toml'),
        ...sources,
      },
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The ConfigError that `act` throws. */
export function refusal(act: () => unknown): ConfigError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function placesOf(environment: Environment): Places {
  const places = placesFor(environment);
  if (places === undefined) throw new Error('there is no home');
  return places;
}
