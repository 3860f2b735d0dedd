import type { Config } from '../../config';
import type { Route } from '../route';
import { adminRoutes } from './admin';
import { consumerRoutes } from './consumers';
import { webhookRoutes } from './webhooks';

/**
 * All routes for operators, except their OpenAPI document. `config` says to which addresses webhooks may go.
 */
export function operatorRoutes(config: Pick<Config, 'webhooks'>): Route[] {
  return [...adminRoutes(), ...webhookRoutes(config), ...consumerRoutes()];
}
