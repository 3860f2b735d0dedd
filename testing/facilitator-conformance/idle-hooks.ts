/** Detects hooks that do nothing, so that no check blames the adapter for them. */
import type { SettleResult, VerifyResult } from '../../src/ports/facilitator';
import { settleDown } from './outcomes';
import type { FacilitatorTest } from './suite';

export type TroubleHook = 'failWith' | 'silence' | 'redirect' | 'cutOff';

interface Seen {
  /** What `payTo` had before the calls. */
  before: bigint;
  verified: VerifyResult;
  settled: SettleResult;
}

/**
 * While the hook makes the services do nothing, no payment can be valid and move its money. If one does, the hook does
 * nothing.
 */
export async function refuseIdle(t: FacilitatorTest, hook: TroubleHook, seen: Seen): Promise<void> {
  const { before, verified, settled } = seen;
  if (verified.status !== 'valid' || !['settled', 'unknown'].includes(settled.status)) return;
  await settleDown(t, [settled]);
  if ((await t.received()) > before)
    t.check.notChecked(
      `\`${hook}\` does nothing: while it should keep the services from working, a payment was verified, and its money arrived.`,
    );
}

/** Reports that the hook `stranger` moves no money. It submits a further payment to find that out. */
export async function refuseIdleStranger(t: FacilitatorTest): Promise<void> {
  const { stranger } = t.hooks;
  if (!stranger) return;
  const before = await t.received();
  await stranger(await t.pay());
  if ((await t.received()) === before)
    t.check.notChecked(
      `\`stranger\` does nothing: after it \`payTo\` had received no more than before, ${before} base units. Submit the payment, and resolve when it counts.`,
    );
}
