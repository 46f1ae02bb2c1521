export { type Catalogue, createCatalogue } from './catalogue.ts';
export type { Manifest, Understood } from './manifest.ts';
