export { allRoutes, type RouteParts } from './all-routes.ts';
export { createHttpApp, type HttpParts, type HttpSecurity } from './app.ts';
export { mount, type HttpApp, type Mount, type RouteAccess, type Routes } from './http-app.ts';
export type { AppOrigins } from './cross-origin.ts';
export type { InstallationRouteParts } from './routes/operations/installation.ts';
export { createResponseCache, type ResponseCache } from './response-cache.ts';
export type { Readiness } from './interactive.ts';
