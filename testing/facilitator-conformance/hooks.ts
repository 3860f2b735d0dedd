/** Finds wrong values of the hook `requirements`, so that no report blames the adapter for them. */
import { getAddress, isAddress } from 'ethers';
import { cameOf } from '../conformance/members';
import type { FacilitatorUnderTest } from './types';

/** What is wrong with the addresses in the hook `requirements`; `null` if nothing is. */
export function slipOfRequirements({ requirements }: FacilitatorUnderTest): string | null {
  if (typeof requirements !== 'object' || (requirements as unknown) === null)
    return `The hook \`requirements\` is wrong: it must be an object; came: ${cameOf(requirements)}`;
  for (const field of ['payTo', 'asset'] as const) {
    const fault = faultOfAddress(requirements[field]);
    if (fault === null) continue;
    return `The hook \`requirements\` is wrong: \`${field}\` ${fault}; came: ${cameOf(requirements[field])}`;
  }
  return null;
}

function faultOfAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value))
    return 'must be an address, 0x and 40 hexadecimal digits';
  const right = getAddress(value.toLowerCase());
  if (isAddress(value)) return null;
  return `has a wrong EIP-55 checksum. Write it in lower case, or as ${right}`;
}
