import manifest from '../package.json' with { type: 'json' };

export const cliVersion = manifest.version;
