import type { Duplex } from 'node:stream';
import type { Speech } from './answer.ts';

/** Whom to tell, and how, if it ends badly; moves with the protocol that is spoken. */
export interface Ear {
  stream: Duplex;
  speech: Speech;
}
