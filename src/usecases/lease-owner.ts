import type { Random } from '../ports/random';

let made = 0;

/**
 * A unique name for the owner of a lease. The random part tells hosts apart, the process id tells processes
 * apart, and the counter tells instances in one process apart (tests give several instances the same
 * randomness).
 */
export function newLeaseOwner(random: Random): string {
  made += 1;
  return `${process.pid}-${made}-${Buffer.from(random.bytes(8)).toString('hex')}`;
}
