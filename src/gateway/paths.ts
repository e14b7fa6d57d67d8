import { HOME_PATHS } from '../http/home.ts';
import { HEALTH_PATHS } from '../http/pages/health.ts';
import { MCP_PATH } from '../mcp/router.ts';
import { METRICS_PATH } from '../metrics/serve.ts';
import { GUIDES_PAGE } from '../reference/guide-index.ts';
import { GUIDE_PATHS } from '../reference/guides.ts';
import { LLMS_PATH } from '../reference/llms.ts';
import { REFERENCE_PATHS } from '../reference/router.ts';
import { routes, streamRoutes } from '../rest/index.ts';
import { writePath } from '../rest/route.ts';
import { EVENT_STREAM_PATH } from '../streaming/event-stream-router.ts';

/** Where the interfaces are, for those who ask `/` for anything but a page. */
export const LINKS = {
  graphql: '/graphql',
  reference: '/docs',
  guides: GUIDES_PAGE,
  llms: LLMS_PATH,
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  health: '/health/ready',
  paths: [...routes, ...streamRoutes].map(({ path }) => writePath(path)),
};

/** All that is served, as metrics and traces name it. */
export const PATHS = [
  ...LINKS.paths,
  '/graphql',
  EVENT_STREAM_PATH,
  MCP_PATH,
  METRICS_PATH,
  ...[...HOME_PATHS, ...HEALTH_PATHS, ...REFERENCE_PATHS, ...GUIDE_PATHS],
];
