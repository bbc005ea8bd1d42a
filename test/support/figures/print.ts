/** `npm run check -- figures`: prints the figures of this repository, or of the folder that is named. */
import path from 'node:path';
import { figureNames, readFigures } from './figures.ts';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../../..'));
const figures = readFigures(root);
for (const name of figureNames)
  console.log(`${name.padEnd(42)}${figures[name].toLocaleString('en').padStart(10)}`);
