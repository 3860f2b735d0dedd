/** The tenure: the time in which this instance delivers to webhooks. It begins when the instance takes the lease. */
import type { Webhook } from '../../domain/webhooks';
import type { Context } from '../../usecases/context';
import type { Relay } from '../relay';
import { takeLease, WEBHOOK_LEASE_MS } from './progress';

export interface Followed {
  webhook: Webhook;
  /**
   * The facts up to this number need no delivery any more. The number may be ahead of the stored position.
   */
  passedTo: number;
  task: Promise<void> | null;
  /** Whether there may be new facts since the task last read facts. */
  hasNews: boolean;
}

export interface Tenure {
  epoch: string;
  leasedAt: number;
  isOver: boolean;
  followed: Map<number, Followed>;
  unfollow: () => void;
}

export interface Tenures {
  /** The tenure of this instance. `null`: another instance delivers, or no webhook is enabled. */
  tenureFor(webhooks: readonly Webhook[], epoch: string): Promise<Tenure | null>;
  /** Ends the tenure. Returns `false` if this instance had no tenure. */
  end(): boolean;
}

export interface TenureDependencies {
  context: Pick<Context, 'storage' | 'clock'>;
  relay: Pick<Relay, 'follow'>;
  /** The name of this instance in leases. */
  owner: string;
  /** Called when there may be new facts. */
  onNews(tenure: Tenure): void;
}

export function createTenures({ context, relay, owner, onNews }: TenureDependencies): Tenures {
  const { storage, clock } = context;
  let tenure: Tenure | null = null;

  function end(): boolean {
    if (tenure === null) return false;
    tenure.isOver = true;
    tenure.unfollow();
    tenure = null;
    return true;
  }

  function begin(epoch: string): Tenure {
    const begun: Tenure = {
      epoch,
      leasedAt: 0,
      isOver: false,
      followed: new Map(),
      unfollow: () => undefined,
    };
    begun.unfollow = relay.follow(() => onNews(begun));
    return begun;
  }

  return {
    end,
    async tenureFor(webhooks, epoch) {
      const now = clock.now();
      if (!webhooks.some(({ status }) => status === 'enabled')) {
        end();
        return null;
      }
      if (tenure !== null && tenure.epoch === epoch && isStillHeld(tenure, now, WEBHOOK_LEASE_MS / 3))
        return tenure;
      const lease = await storage.transaction((transaction) => takeLease(transaction, owner, now));
      if (lease === null || tenure?.epoch !== epoch) end();
      if (lease === null) return null;
      tenure ??= begin(epoch);
      tenure.leasedAt = now;
      return tenure;
    },
  };
}

/**
 * Whether the lease was taken less than `forMs` ago. `false` also after the clock was set back, because the
 * age of the lease is then not known.
 */
export function isStillHeld({ leasedAt }: Tenure, now: number, forMs: number): boolean {
  return now >= leasedAt && now - leasedAt < forMs;
}

/**
 * Takes over the rows as operators have changed them. A running task notices the change when it stores its
 * progress.
 */
export function followRows({ followed }: Tenure, webhooks: readonly Webhook[]): void {
  const ids = new Set(webhooks.map(({ id }) => id));
  for (const [id, { task }] of followed) if (!ids.has(id) && task === null) followed.delete(id);
  for (const webhook of webhooks) {
    const known = followed.get(webhook.id);
    if (known === undefined)
      followed.set(webhook.id, { webhook, passedTo: webhook.seq, task: null, hasNews: false });
    else if (known.webhook.revision === webhook.revision) known.webhook = webhook;
    else if (known.task === null && webhook.revision > known.webhook.revision)
      Object.assign(known, { webhook, passedTo: webhook.seq });
  }
}
