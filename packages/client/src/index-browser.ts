export { type PalyraClient, createClient } from './client.ts';
export { entryTelling } from './entry-telling.ts';
export { gainWord } from './gain-word.ts';
