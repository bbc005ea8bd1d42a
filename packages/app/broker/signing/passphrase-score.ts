/**
 * Rates how hard a phrase is to guess. Its lists of common choices are large, so it is loaded on
 * demand.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** 0 to 4; words that an attacker knows of the user do not raise the score. */
export const passphraseScore = (phrase: string, known: readonly string[]): number =>
  new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(phrase, [...known]).score;
