import type { ApiKeys } from '../accounts/index.ts';
import type { EventFeed } from '../event-feed/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { PluginViews } from '../operations/index.ts';
import { mount, type Mount } from './http-app.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { authRoutes } from './routes/auth.ts';
import { eventRoutes } from './routes/events.ts';
import { jobRoutes } from './routes/jobs.ts';
import { operationsRoutes, type OperationsRouteParts } from './routes/operations.ts';
import { pluginRoutes, type PluginRouteParts } from './routes/plugins.ts';
import { viewRoutes } from './routes/views.ts';

/** The domains that the routes call. */
export interface RouteParts {
  readonly apiKeys: ApiKeys;
  readonly feed: EventFeed;
  readonly jobs: Jobs;
  readonly operations: OperationsRouteParts;
  readonly plugins: PluginRouteParts;
  readonly views: PluginViews;
}

/** Every route of the server: compose serves them, and the house test asks every role at each. */
export const allRoutes = (parts: RouteParts): readonly Mount[] => [
  mount(apiKeyRoutes, { apiKeys: parts.apiKeys }),
  mount(authRoutes, {}),
  mount(eventRoutes, { feed: parts.feed }),
  mount(jobRoutes, { jobs: parts.jobs }),
  mount(operationsRoutes, parts.operations),
  mount(pluginRoutes, parts.plugins),
  mount(viewRoutes, { views: parts.views }),
];
