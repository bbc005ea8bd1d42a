/** Writes the types of the client: `npm run build` and `npm run check` run it. */
import { writeClientTypes } from './client-types.ts';

await writeClientTypes();
