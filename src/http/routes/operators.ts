import type { Config } from '../../config';
import type { Route } from '../route';
import { adminRoutes } from './admin';
import { consumerRoutes } from './consumers';
import { webhookRoutes } from './webhooks';

/** All routes for operators. The documentation of some routes names limits that `config` sets. */
export function operatorRoutes(config: Pick<Config, 'webhooks'>): Route[] {
  return [...adminRoutes(), ...webhookRoutes(config), ...consumerRoutes()];
}
