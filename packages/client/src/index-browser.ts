export { type PalyraClient, createClient } from './client.ts';
export { coveredWords } from './covered-words.ts';
export { entryTelling, kindWords } from './entry-telling.ts';
export { errorOf, toPalyraError } from './errors.ts';
export { gainWord } from './gain-word.ts';
export { byteWords, limitWords, plural } from './limit-words.ts';
export { namingErrors } from './named-errors.ts';
