import type { Wallet } from 'ethers';
import type { Eip1193Provider, TypedData } from '../../../src/client/index';

export function ethereumProvider(wallet: Wallet): Eip1193Provider {
  return {
    request({ method, params = [] }) {
      const [first, second] = params as string[];
      switch (method) {
        case 'eth_requestAccounts':
          return Promise.resolve([wallet.address]);
        case 'personal_sign':
          return wallet.signMessage(Buffer.from(first?.slice(2) ?? '', 'hex').toString('utf8'));
        case 'eth_signTypedData_v4': {
          const { domain, types, message } = JSON.parse(second ?? '') as TypedData;
          delete types['EIP712Domain'];
          return wallet.signTypedData(domain, types, message);
        }
        default:
          return Promise.reject(new Error(`The provider has no method ${method}.`));
      }
    },
  };
}
