import manifest from '../package.json' with { type: 'json' };

export const palyradVersion = manifest.version;
