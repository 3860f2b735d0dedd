import type { Config } from '../../config';
import type { Route } from '../route';
import { adminRoutes } from './admin';
import { consumerRoutes } from './consumers';
import { webhookRoutes } from './webhooks';

/** Every route for operators. `config`: some limits stand in their documentation. */
export function operatorRoutes(config: Pick<Config, 'webhooks'>): Route[] {
  return [...adminRoutes(), ...webhookRoutes(config), ...consumerRoutes()];
}
