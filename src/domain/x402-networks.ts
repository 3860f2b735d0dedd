/** Names of networks in version 1 of x402. Version 2 and the flat form use CAIP-2 identifiers. */
const NAMES: Readonly<Record<string, string>> = {
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
  'eip155:43114': 'avalanche',
  'eip155:43113': 'avalanche-fuji',
  'eip155:137': 'polygon',
  'eip155:80002': 'polygon-amoy',
  'eip155:1329': 'sei',
  'eip155:1328': 'sei-testnet',
  'eip155:4689': 'iotex',
  'eip155:3338': 'peaq',
  'eip155:2741': 'abstract',
  'eip155:11124': 'abstract-testnet',
};

/** The version 1 name of a CAIP-2 identifier, or the identifier itself if it has no name here. */
export function networkName(network: string): string {
  return NAMES[network] ?? network;
}

/** `eip155:8453` -> 8453; `null` for other kinds of networks. */
export function chainIdOf(network: string): number | null {
  const match = /^eip155:([1-9]\d{0,15})$/.exec(network);
  const chainId = Number(match?.[1]);
  return Number.isSafeInteger(chainId) ? chainId : null;
}
