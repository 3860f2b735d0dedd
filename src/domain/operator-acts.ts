export const OPERATOR_ACTIONS = [
  'creator.approve',
  'creator.reject',
  'creator.suspend',
  'account.deposit',
  'treasury.deposit',
  'market.close',
  'market.resolve',
  'resolution.retry',
  'key.update',
  'key.revoke',
  'payment.confirm',
  'payment.reject',
  'withdrawal.confirm',
  'withdrawal.fail',
  'webhook.create',
  'webhook.remove',
  'webhook.enable',
  'webhook.replay',
  'webhook.rotate',
  'consumer.remove',
  'consumer.resume',
  'consumer.redo',
  'consumer.skip',
  'sample.fill',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/**
 * The arguments of the act. They contain no secret: they leave out the path of a webhook's address, for
 * example.
 */
export type ActDetails = Record<string, string | number | null | string[]>;

/** One thing that an operator changed. A request that is refused, or that changes nothing, is no act. */
export interface OperatorAct {
  id: number;
  at: number;
  operator: string;
  action: OperatorAction;
  /** What was changed: a wallet, an id or a name, such as `treasury`, depending on the action. */
  target: string;
  details: ActDetails;
}

/** `null` for an act on something other than a market. */
export function marketOfAct({ action, target }: Pick<OperatorAct, 'action' | 'target'>): number | null {
  return action.startsWith('market.') || action === 'resolution.retry' ? Number(target) : null;
}

export const LONGEST_OPERATOR_NAME = 100;
