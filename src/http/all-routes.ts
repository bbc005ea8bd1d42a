import { mount, type Mount } from './http-app.ts';
import { authRoutes } from './routes/auth.ts';

/** The domains that the routes call. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- grows with each resource
export interface RouteParts {}

/** Every route of the server. The house test asks all of them; compose serves all of them. */
export const allRoutes = (_parts: RouteParts): readonly Mount[] => [mount(authRoutes, {})];
