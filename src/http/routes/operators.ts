import type { Config } from '../../config';
import type { Route } from '../route';
import { adminRoutes } from './admin';
import { consumerRoutes } from './consumers';
import { webhookRoutes } from './webhooks';

/** All routes for operators. `config` has limits that stand in the documentation of some routes. */
export function operatorRoutes(config: Pick<Config, 'webhooks'>): Route[] {
  return [...adminRoutes(), ...webhookRoutes(config), ...consumerRoutes()];
}
