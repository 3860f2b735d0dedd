import type { OpenResolutionStatus } from '../../domain/oracle/resolution-state';
import type { Context } from '../context';

/**
 * At most this many markets of one status get an alarm each. One further alarm stands for all other markets of the
 * status.
 */
const NAMED_PER_STATUS = 20;

const LEFT_TO_OPERATORS = 'an operator has to decide it: no oracle does';

const WATCHED = {
  escalated: 'only an operator can decide it: resolve it, or have the voters asked again',
  stalled: 'eight rounds or more without an answer: look at the voters and the log, or resolve it',
} as const satisfies Partial<Record<OpenResolutionStatus, string>>;

/** Reports the markets that wait for an operator, and those whose resolution is stalled. */
export async function watchResolutions({
  storage,
  alarms,
  oracle,
}: Pick<Context, 'storage' | 'alarms' | 'oracle'>): Promise<void> {
  const reasons: Partial<Record<OpenResolutionStatus, string>> =
    oracle.isManual === true
      ? { ...WATCHED, waiting: LEFT_TO_OPERATORS, stalled: LEFT_TO_OPERATORS }
      : WATCHED;
  const statuses = Object.entries(reasons) as [OpenResolutionStatus, string][];
  const found = await Promise.all(statuses.map(([status, reason]) => named(status, reason)));
  alarms.report('resolution', found.flat());

  async function named(
    status: OpenResolutionStatus,
    reason: string,
  ): Promise<{ subject: string; reason: string }[]> {
    const query = { status, limit: NAMED_PER_STATUS, offset: 0 };
    const { resolutions, total } = await storage.read((reader) => reader.resolutions.list(query));
    const markets = resolutions.map(({ marketId }) => ({ subject: `market ${marketId}`, reason }));
    if (total <= NAMED_PER_STATUS) return markets;
    return [
      ...markets,
      { subject: `further markets (${status})`, reason: `${reason}; GET /resolutions lists them` },
    ];
  }
}
