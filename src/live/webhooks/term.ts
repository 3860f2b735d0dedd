/** The time in which this instance delivers: from taking the lease until losing it. */
import type { Webhook } from '../../domain/webhooks';
import type { Context } from '../../usecases/context';
import type { Relay } from '../relay';
import { takeLease, WEBHOOK_LEASE_MS } from './progress';

/** What this instance knows of a webhook while it delivers to it. */
export interface Followed {
  webhook: Webhook;
  /**
   * The facts up to this number need no delivery any more. The number may be ahead of the stored position.
   */
  passedTo: number;
  task: Promise<void> | null;
  /** Whether there may be new facts since the task last looked. */
  hasNews: boolean;
}

export interface Term {
  epoch: string;
  leasedAt: number;
  isOver: boolean;
  followed: Map<number, Followed>;
  unfollow: () => void;
}

export interface Terms {
  /** The term of this instance. `null`: another instance delivers, or no webhook is enabled. */
  termFor(webhooks: readonly Webhook[], epoch: string): Promise<Term | null>;
  /** Ends the term. Returns whether there was one. */
  end(): boolean;
}

export interface TermDependencies {
  context: Pick<Context, 'storage' | 'clock'>;
  relay: Pick<Relay, 'follow'>;
  /** The name of this instance in leases. */
  owner: string;
  /** Called when there may be new facts. */
  onNews(term: Term): void;
}

export function createTerms({ context, relay, owner, onNews }: TermDependencies): Terms {
  const { storage, clock } = context;
  let term: Term | null = null;

  function end(): boolean {
    if (term === null) return false;
    term.isOver = true;
    term.unfollow();
    term = null;
    return true;
  }

  function begin(epoch: string): Term {
    const begun: Term = { epoch, leasedAt: 0, isOver: false, followed: new Map(), unfollow: () => undefined };
    begun.unfollow = relay.follow(() => onNews(begun));
    return begun;
  }

  return {
    end,
    async termFor(webhooks, epoch) {
      const now = clock.now();
      if (!webhooks.some(({ status }) => status === 'enabled')) {
        end();
        return null;
      }
      if (term !== null && term.epoch === epoch && isLeased(term, now, WEBHOOK_LEASE_MS / 3)) return term;
      const lease = await storage.transaction((transaction) => takeLease(transaction, owner, now));
      if (lease === null || term?.epoch !== epoch) end();
      if (lease === null) return null;
      term ??= begin(epoch);
      term.leasedAt = now;
      return term;
    },
  };
}

/**
 * Whether the lease was taken less than `forMs` ago. `false` also after the clock was set back, because the
 * age of the lease is then not known.
 */
export function isLeased({ leasedAt }: Term, now: number, forMs: number): boolean {
  return now >= leasedAt && now - leasedAt < forMs;
}

/**
 * Takes over the rows as operators have changed them. A running task notices the change when it stores its
 * progress.
 */
export function followRows({ followed }: Term, webhooks: readonly Webhook[]): void {
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
