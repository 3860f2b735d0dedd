/** What operators change, as the operators' log keeps it. */
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

/** What the operator gave with the act. Never a secret: an answer or an address may contain one. */
export type ActDetails = Record<string, string | number | null | string[]>;

/** One thing that an operator changed. A refused request and one that changes nothing are no acts. */
export interface OperatorAct {
  id: number;
  at: number;
  /** The name that the host gave the operator. */
  operator: string;
  action: OperatorAction;
  /** The wallet, the id or the name of what was changed. The action says which of them. */
  target: string;
  details: ActDetails;
}

/** The id of the market that an act changed; `null` for an act on something else. */
export function marketOfAct({ action, target }: Pick<OperatorAct, 'action' | 'target'>): number | null {
  return action.startsWith('market.') || action === 'resolution.retry' ? Number(target) : null;
}

/** The most characters of an operator's name. */
export const LONGEST_OPERATOR_NAME = 100;
