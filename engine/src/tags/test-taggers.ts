/** The shipped taggers, for tests. */

import { readFileSync } from 'node:fs';
import { createTagListener, type TagListener } from './tag-listener.ts';
import type { TaggerName } from './taxonomy.ts';

export const readTagger = (name: TaggerName): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../models/tags-${name}-v1.bin`, import.meta.url)));

export const listenWithTaggers = (rateHz: number, rms = 0.2): TagListener =>
  createTagListener({ msd: readTagger('msd'), jamendo: readTagger('jamendo') }, rateHz, rms);
