import type { Random } from '../ports/random';

let made = 0;

/**
 * A unique name for the owner of a lease. The random part distinguishes hosts, and the process id distinguishes
 * processes. The counter distinguishes instances in one process that have the same `random`.
 */
export function newLeaseOwner(random: Random): string {
  made += 1;
  return `${process.pid}-${made}-${Buffer.from(random.bytes(8)).toString('hex')}`;
}
