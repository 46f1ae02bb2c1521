export { type Catalogue, createCatalogue } from './catalogue.ts';
export type { Manifest, Understood } from './manifest.ts';
export { SECRET_EXTENSIONS, SECRET_NAMES } from './secret-names.ts';
