/** The creators' forms: apply with a signature, and open a market with a key. */
import type { CreatorStatusView, MarketDetailView } from '../../src/index';
import { api } from './api';
import { client } from './client';
import { openDialog } from './connect-dialog';
import { base, find, onSubmit, text } from './page';
import { currentSession, currentWallet, onSession } from './session';

const WORDS: Record<CreatorStatusView['status'], string> = {
  none: 'Your wallet has not applied yet.',
  pending: 'Your application is being reviewed.',
  approved: 'Your wallet is an approved creator. Ask away.',
  rejected: 'Your application was rejected',
  suspended: 'Your creator status is suspended.',
};

export function startCreators(): void {
  const status = find('[data-creator-status]');
  const showStatus = async (address: string): Promise<void> => {
    const answer = await api<CreatorStatusView>('GET', `/creator/status?address=${address}`);
    const reason = answer.status === 'rejected' ? `: ${answer.rejectedReason ?? 'no reason was given'}.` : '';
    status?.replaceChildren(WORDS[answer.status] + reason);
  };
  onSession((session) => {
    if (session !== null) showStatus(session.address).catch(() => undefined);
  });

  const apply = find<HTMLFormElement>('[data-apply]');
  if (apply !== null) {
    onSubmit(apply, async (fields) => {
      const wallet = currentWallet();
      if (wallet === null || wallet.signer === null) {
        openDialog('Connect a wallet: it signs the application.');
        return '';
      }
      await client.creators.apply(wallet.signer, filled(fields, 'displayName', 'statement'));
      await showStatus(wallet.address);
      return 'Your application has been sent.';
    });
  }
  const create = find<HTMLFormElement>('[data-create]');
  if (create !== null) onSubmit(create, openMarket);
}

async function openMarket(fields: FormData): Promise<string> {
  if (currentSession() === null) {
    openDialog();
    return '';
  }
  const resolveDate = new Date(text(fields, 'resolveDate'));
  if (Number.isNaN(resolveDate.getTime())) throw new Error('Say when trading closes.');
  const body = {
    ...filled(fields, 'question', 'resolutionCriteria', 'description', 'category'),
    resolveDate: resolveDate.toISOString(),
  };
  const market = await api<MarketDetailView>('POST', '/public/markets', { body });
  location.assign(`${base}/market/${encodeURIComponent(market.slug)}`);
  return 'Opened.';
}

/** The fields that were filled in. The API accepts an absent field, but not an empty one. */
function filled(fields: FormData, ...names: string[]): Record<string, string> {
  const pairs = names.map((name) => [name, text(fields, name).replace(/\r\n/g, '\n')] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
