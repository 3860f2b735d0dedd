/**
 * The wallets of the browser, which announce themselves by EIP-6963. Without an announcement, `window.ethereum` is
 * used.
 */
import { fromEip1193, type Eip1193Provider, type PaymentSigner } from '../../src/client';
import { show } from './dom';

export interface BrowserWallet {
  /** The `rdns` of EIP-6963; '' for `window.ethereum`. */
  id: string;
  name: string;
  /** A `data:image/` address, or null. */
  icon: string | null;
  provider: Eip1193Provider;
}

interface Announcement {
  info?: { rdns?: unknown; name?: unknown; icon?: unknown };
  provider?: Eip1193Provider;
}

/** A bound, because a page or an extension can announce any number of wallets. */
const MOST_WALLETS = 20;
const LONGEST_NAME = 60;

const announced = new Map<string, BrowserWallet>();
const listeners: (() => void)[] = [];

addEventListener('eip6963:announceProvider', (event) => {
  const { info = {}, provider } = ((event as CustomEvent).detail ?? {}) as Announcement;
  const { rdns, name, icon } = info;
  if (typeof rdns !== 'string' || typeof name !== 'string' || provider === undefined) return;
  if (announced.size >= MOST_WALLETS && !announced.has(rdns)) return;
  const isImage = typeof icon === 'string' && icon.startsWith('data:image/');
  announced.set(rdns, {
    id: rdns,
    name: name.slice(0, LONGEST_NAME),
    icon: isImage ? icon : null,
    provider,
  });
  for (const listener of listeners) listener();
});
dispatchEvent(new Event('eip6963:requestProvider'));

/** Calls `listener` now, and again whenever a wallet is added or replaced. */
export function onBrowserWallets(listener: () => void): void {
  listeners.push(listener);
  listener();
}

export function browserWallets(): BrowserWallet[] {
  if (announced.size > 0) return [...announced.values()];
  const provider = (window as Window & { ethereum?: Eip1193Provider }).ethereum;
  return provider === undefined ? [] : [{ id: '', name: 'the browser wallet', icon: null, provider }];
}

/** The first account of the wallet. The wallet may ask its owner for permission first. */
export async function accountOf({ provider }: BrowserWallet): Promise<string> {
  const [address] = await accountsOf(provider);
  if (address === undefined) throw new Error('The wallet shows no account. Unlock it, then try again.');
  return address;
}

async function accountsOf(provider: Eip1193Provider): Promise<string[]> {
  return (await explained(provider.request({ method: 'eth_requestAccounts' }))) as string[];
}

/** Signs for one account. The wallet is looked up at each signature, not when the signer is made. */
export function browserSigner(walletId: string, address: string): PaymentSigner {
  const ready = async (): Promise<Eip1193Provider> => {
    const wallet = browserWallets().find(({ id }) => id === walletId) ?? browserWallets()[0];
    if (wallet === undefined)
      throw new Error('Your wallet was not found in this browser. Switch it on, then load the page again.');
    const accounts = await accountsOf(wallet.provider);
    if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase()))
      throw new Error(`Your wallet shows another account. Choose ${address} in the wallet, then try again.`);
    return wallet.provider;
  };
  return {
    address,
    async signMessage(text) {
      return explained(fromEip1193(await ready(), address).signMessage(text));
    },
    async signPayment(data) {
      const provider = await ready();
      await useChain(provider, data.domain.chainId);
      return explained(fromEip1193(provider, address).signPayment(data));
    },
  };
}

/** Switches the wallet to the chain, because wallets such as MetaMask refuse typed data for another chain. */
async function useChain(provider: Eip1193Provider, chainId: number): Promise<void> {
  const current = await explained(provider.request({ method: 'eth_chainId' }));
  if (Number(current) === chainId) return;
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  await explained(provider.request({ method: 'wallet_switchEthereumChain', params }));
}

const DECLINED = 4001;
const UNKNOWN_CHAIN = 4902;

/**
 * Wallets reject with plain objects. This function throws an `Error` instead, with a plainer text for the codes 4001
 * and 4902.
 */
async function explained<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
    if (code === DECLINED)
      throw new Error('You declined in the wallet, so nothing was signed.', { cause: error });
    if (code === UNKNOWN_CHAIN)
      throw new Error('Your wallet does not know the network of this market. Add it there, then try again.', {
        cause: error,
      });
    throw new Error(typeof message === 'string' ? message : 'The wallet failed. Try again.', {
      cause: error,
    });
  }
}

/** Draws a button for each wallet, or shows `nothing` if there is no wallet. */
export function drawWalletButtons(
  list: HTMLElement,
  nothing: HTMLElement | null,
  choose: (wallet: BrowserWallet) => void,
): void {
  onBrowserWallets(() => {
    const wallets = browserWallets();
    show(nothing, wallets.length === 0);
    list.replaceChildren(...wallets.map((wallet) => walletButton(wallet, choose)));
  });
}

function walletButton(wallet: BrowserWallet, choose: (wallet: BrowserWallet) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'primary wide wallet';
  if (wallet.icon !== null) {
    const image = document.createElement('img');
    Object.assign(image, { src: wallet.icon, alt: '', width: 24, height: 24 });
    button.append(image);
  }
  const label = document.createElement('span');
  label.textContent = `Sign with ${wallet.name}`;
  button.append(label);
  button.addEventListener('click', () => choose(wallet));
  return button;
}
