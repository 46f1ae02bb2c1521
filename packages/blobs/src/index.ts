export { type Blobs, type BlobsOptions, openBlobs } from './blobs.ts';
