/** How hard a phrase is to guess. It brings lists of what people choose, so it is loaded when needed. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** 0 to 4; what an attacker knows of the user makes it no harder. */
export const passphraseScore = (phrase: string, known: readonly string[]): number =>
  new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(phrase, [...known]).score;
