export { type PalyraClient, createClient } from './client.ts';
